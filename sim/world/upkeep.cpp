#include "sim/world/upkeep.hpp"

#include <algorithm>
#include <optional>

#include "models/devices/device.hpp"
#include "sim/scenario/pairable.hpp"

namespace specroute::sim {
namespace {

constexpr double kJoulesPerKilowattHour = 3.6e6;
constexpr double kSecondsPerHour = 3600.0;
constexpr double kMillion = 1e6;

std::optional<Watts> rated_power(const Backend& backend) {
  if (backend.hosting.device_power) return backend.hosting.device_power;
  const models::Device* device = models::find_device(backend.device);
  return device == nullptr ? std::nullopt : device->power;
}

std::optional<double> price(const Backend& backend) {
  if (backend.hosting.usd_per_device_hour) return backend.hosting.usd_per_device_hour;
  const models::Device* device = models::find_device(backend.device);
  return device == nullptr ? std::nullopt : device->usd_per_hour;
}

std::optional<double> kilowatt_hours(const Scenario& scenario, const std::vector<Seconds>& busy,
                                     Seconds run) {
  double joules = 0.0;
  for (std::size_t b = 0; b < scenario.backends.size(); ++b) {
    const Backend& backend = scenario.backends[b];
    if (devices_of(backend) == 0) continue;
    const auto rated = rated_power(backend);
    if (!rated) return std::nullopt;
    const Seconds whole = run * static_cast<double>(backend.engines);
    const Seconds working = std::min(busy[b], whole);
    const Seconds at_full_power =
        working * scenario.power.busy_share + (whole - working) * scenario.power.idle_share;
    joules += backend.tensor_parallel * rated->value() * at_full_power.count();
  }
  return joules * scenario.power.usage_effectiveness / kJoulesPerKilowattHour;
}

std::optional<double> dollars(const Scenario& scenario, Seconds run) {
  double total = 0.0;
  for (const Backend& backend : scenario.backends) {
    if (devices_of(backend) == 0) continue;
    const auto hourly = price(backend);
    if (!hourly) return std::nullopt;
    total += devices_of(backend) * *hourly * run.count() / kSecondsPerHour;
  }
  return total;
}

std::optional<double> per_million(std::optional<double> total, std::uint64_t tokens) {
  if (!total || tokens == 0) return std::nullopt;
  return *total * kMillion / static_cast<double>(tokens);
}

}  // namespace

void report_upkeep(Metrics& metrics, const Scenario& scenario, const std::vector<Seconds>& busy,
                   Seconds run, std::uint64_t output_tokens) {
  const bool known = busy.size() == scenario.backends.size() && !busy.empty();
  const auto energy = known ? kilowatt_hours(scenario, busy, run) : std::nullopt;
  const auto cost = known ? dollars(scenario, run) : std::nullopt;
  metrics.emplace_back("energy_kwh", energy);
  metrics.emplace_back("energy_kwh_per_million_tokens", per_million(energy, output_tokens));
  metrics.emplace_back("cost_usd", cost);
  metrics.emplace_back("cost_usd_per_million_tokens", per_million(cost, output_tokens));
}

}  // namespace specroute::sim
