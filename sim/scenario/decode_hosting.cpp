#include <map>

#include "sim/scenario/decode.hpp"

namespace specroute::sim {
namespace {

Hosting decode_hosting(const JsonNode& node) {
  Hosting hosting{.node = text_at(node, "node"),
                  .max_targets = count_at(node, "max_targets"),
                  .on_devices_of = {},
                  .warm_up = seconds_at(node, "warm_up_s"),
                  .slow_passes = count_at(node, "slow_passes"),
                  .slow_factor = number_at(node, "slow_factor"),
                  .usd_per_device_hour = node.number("usd_per_device_hour"),
                  .device_power = {}};
  if (const auto power = node.number("device_power_w")) hosting.device_power = Watts{*power};
  return hosting;
}

/// Backends by the name in the file: several where it has a count.
using Groups = std::map<std::string, std::vector<BackendId>>;

Groups add_backends(const JsonNode& fleet, Scenario& scenario) {
  Groups groups;
  for (const auto& node : fleet.items("backends")) {
    Backend backend = decode_backend(node, scenario.pools);
    backend.hosting = decode_hosting(node);
    const std::string name = backend.name;
    const std::uint32_t count = count_at(node, "count");
    for (std::uint32_t k = 1; k <= count; ++k) {
      backend.name = replica_name(name, k, count);
      const BackendId id{static_cast<std::uint32_t>(scenario.backends.size())};
      groups[name].push_back(id);
      if (backend.name != name) groups[backend.name] = {id};
      scenario.backends.push_back(backend);
    }
  }
  return groups;
}

/// A co-located draft is where its target is.
void put_on_devices(const JsonNode& fleet, const Groups& groups, Scenario& scenario) {
  for (const auto& node : fleet.items("backends")) {
    const auto owner = node.text("colocated_with");
    if (!owner) continue;
    const auto& drafts = groups.at(text_at(node, "name"));
    for (std::size_t k = 0; k < drafts.size(); ++k) {
      Backend& draft = scenario.backends[drafts[k].index()];
      draft.hosting.on_devices_of = groups.at(*owner)[k];
      const Backend& target = scenario.backends[draft.hosting.on_devices_of.index()];
      draft.rack = target.rack;
      draft.hosting.node = target.hosting.node;
    }
  }
}

/// The targets of a group take the drafts of the other in turn.
void add_pairings(const JsonNode& fleet, const Groups& groups, Scenario& scenario) {
  for (const auto& node : fleet.items("pairings")) {
    const auto& targets = groups.at(text_at(node, "target"));
    const auto& drafts = groups.at(text_at(node, "draft"));
    for (std::size_t k = 0; k < targets.size(); ++k)
      scenario.pairings.push_back({.target = targets[k], .draft = drafts[k % drafts.size()]});
  }
}

/// Draft pools come after the others; what they are named by is resolved once all are there.
void add_draft_pools(const JsonNode& fleet, Scenario& scenario) {
  for (const auto& node : fleet.items("draft_pools"))
    scenario.pools.push_back({.name = text_at(node, "name"), .speculation = {}});
  const auto id_of = [&](const std::string& name) {
    std::uint32_t id = 0;
    while (scenario.pools[id].name != name) ++id;
    return PoolId{id};
  };
  std::size_t pool = 0;
  for (const auto& node : fleet.items("pools")) {
    for (const auto& name : node.items("draft_pools"))
      scenario.pools[pool].draft_pools.push_back(id_of(name.value->text));
    ++pool;
  }
}

}  // namespace

std::uint32_t replica_count(const JsonNode& backend) {
  constexpr double kMost = 1024.0;  // the schema says so
  const double stated = backend.number("count").value_or(1.0);
  return stated >= 1.0 && stated <= kMost ? static_cast<std::uint32_t>(stated) : 1U;
}

std::string replica_name(const std::string& name, std::uint32_t ordinal, std::uint32_t count) {
  return count == 1 ? name : name + '-' + std::to_string(ordinal);
}

void decode_hosting(const JsonNode& fleet, Scenario& scenario) {
  add_draft_pools(fleet, scenario);
  const Groups groups = add_backends(fleet, scenario);
  put_on_devices(fleet, groups, scenario);
  add_pairings(fleet, groups, scenario);
  const JsonNode power = fleet.at("power");
  scenario.power = {.idle_share = number_at(power, "idle_share"),
                    .busy_share = number_at(power, "busy_share"),
                    .usage_effectiveness = number_at(power, "usage_effectiveness")};
}

}  // namespace specroute::sim
