#include "sim/telemetry/scraped_series.hpp"

#include <array>

#include "sim/telemetry/exposition_line.hpp"
#include "sim/telemetry/metric_names.hpp"
#include "sim/traces/comma_fields.hpp"

namespace specroute::sim {
namespace {

constexpr std::uint64_t kMostPositions = 1024;

/// Ranks that repeat what rank 0 says.
constexpr std::array kRanks = {"tp_rank", "pp_rank", "moe_ep_rank"};
/// Labels of parts of an engine, over which counters are summed.
constexpr std::array kParts = {"finished_reason", "is_streaming", "engine_type", "dp_rank",
                               "tp_rank",         "pp_rank",      "moe_ep_rank"};

bool repeats_rank_0(const Labels& labels) {
  for (const char* rank : kRanks) {
    const auto found = labels.find(rank);
    if (found != labels.end() && found->second != "0") return true;
  }
  return false;
}

/// Takes the labels of parts out; what they were, in order.
std::string take_parts(Labels& labels) {
  std::string parts;
  for (const char* part : kParts) {
    const auto found = labels.find(part);
    if (found == labels.end()) continue;
    parts += std::string(part) + '=' + found->second + ';';
    labels.erase(found);
  }
  return parts;
}

}  // namespace

void take_value(const SeriesValue& named, Intake& intake) {
  using Kind = MetricName::Kind;
  const MetricName known = metric_name(named.name);
  if (known.kind == Kind::unknown) intake.unknown_name(named.name);
  if (known.kind == Kind::derived) return intake.repeat();
  if (known.kind != Kind::read) return intake.pass_over();
  ScrapedValue value;
  value.metric = known.metric;
  value.origin = named.origin;
  const std::string fault = value_fault(known.metric, named.value, value.value);
  if (!fault.empty()) return intake.bad(named.origin, fault, named.value);
  if (!named.at)
    return intake.bad(named.origin, "a date, in the line, above it or in the mapping", "");
  value.at = *named.at;
  Labels labels = named.labels;
  if (known.metric == Metric::accepted_at) {
    const std::string text = labels["position"];
    const auto position = whole_number(text, kMostPositions);
    if (!position) return intake.bad(named.origin, "a label position=\"0\", \"1\", ...", text);
    value.position = static_cast<std::uint32_t>(*position);
    labels.erase("position");
  }
  if (repeats_rank_0(labels)) return intake.repeat();
  value.series = intake.series(take_parts(labels));
  value.source = intake.source(std::move(labels));
  intake.scraped(value);
  intake.use();
}

}  // namespace specroute::sim
