#include "sim/telemetry/intake.hpp"

#include <utility>

#include "sim/json/json_value.hpp"
#include "sim/telemetry/metric_names.hpp"
#include "sim/traces/comma_fields.hpp"

namespace specroute::sim {

std::string shown_text(std::string_view text) {
  constexpr std::size_t kMost = 60;
  if (text.empty()) return "nothing";
  const bool cut = text.size() > kMost;
  const std::string_view start = text.substr(0, kMost);
  const std::string_view legible = start.substr(0, utf8_bytes(start));
  if (legible.empty()) return "bytes that are no UTF-8";
  return sim::quoted(legible) + (cut || legible.size() < start.size() ? "..." : "");
}

Intake::Intake(Telemetry& telemetry, const FileSettings& settings)
    : telemetry_(telemetry), settings_(settings) {
  for (std::size_t i = 0; i < telemetry.sources.size(); ++i)
    source_numbers_.emplace(telemetry.sources[i], static_cast<std::uint32_t>(i));
  for (std::size_t i = 0; i < telemetry.series.size(); ++i)
    series_numbers_.emplace(telemetry.series[i], static_cast<std::uint32_t>(i));
}

Origin Intake::origin(std::uint64_t item, std::uint32_t part) const {
  return {static_cast<std::uint32_t>(telemetry_.files.size() - 1), part, item};
}

std::uint32_t Intake::source(Labels labels) {
  labels.insert(settings_.labels.begin(), settings_.labels.end());
  if (!labels.contains("instance") && !labels.contains("pod"))
    labels["instance"] = telemetry_.files.back().name;
  const auto number = static_cast<std::uint32_t>(telemetry_.sources.size());
  const auto [found, fresh] = source_numbers_.emplace(labels, number);
  if (fresh) telemetry_.sources.push_back(std::move(labels));
  return found->second;
}

std::uint32_t Intake::series(const std::string& text) {
  const auto number = static_cast<std::uint32_t>(telemetry_.series.size());
  const auto [found, fresh] = series_numbers_.emplace(text, number);
  if (fresh) telemetry_.series.push_back(text);
  return found->second;
}

void Intake::count(std::uint64_t& into) {
  ++report().lines;
  ++into;
}

void Intake::bad(const Origin& where, std::string expected, std::string_view found) {
  count(report().bad);
  if (report().first_bad.size() < kShownBadLines)
    report().first_bad.push_back({where, std::move(expected), shown_text(found)});
}

void Intake::unknown_name(std::string_view name) {
  const auto [entry, fresh] = report().unknown_names.try_emplace(std::string(name));
  ++entry->second.count;
  if (fresh) entry->second.nearest = nearest_metric(name);
}

}  // namespace specroute::sim
