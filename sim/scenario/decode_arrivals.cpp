#include <limits>
#include <utility>

#include "sim/scenario/decode.hpp"

namespace specroute::sim {
namespace {

using models::ArrivalKind;

ArrivalKind open_kind(const std::string& spelling) {
  static constexpr std::pair<const char*, ArrivalKind> kKinds[] = {
      {"poisson", ArrivalKind::poisson},
      {"gamma", ArrivalKind::gamma},
      {"markov_modulated", ArrivalKind::markov_modulated},
      {"diurnal", ArrivalKind::diurnal},
      {"piecewise", ArrivalKind::piecewise}};
  for (const auto& [name, kind] : kKinds)
    if (spelling == name) return kind;
  return ArrivalKind::none;
}

void decode_bursts(const JsonNode& node, models::ArrivalSpec& spec) {
  for (const JsonNode& burst : node.items("bursts")) {
    const Seconds at = seconds_at(burst, "at_s");
    if (burst.number("requests"))
      spec.request_bursts.push_back(
          {.at = at, .requests = count_at(burst, "requests"), .over = seconds_at(burst, "over_s")});
    else
      spec.rate_bursts.push_back({.at = at,
                                  .duration = seconds_at(burst, "duration_s"),
                                  .factor = number_at(burst, "rate_factor")});
  }
}

models::ArrivalSpec decode_open(const JsonNode& node, const std::string& kind) {
  models::ArrivalSpec spec;
  spec.kind = open_kind(kind);
  spec.rate_per_s = node.number("rate_per_s").value_or(spec.rate_per_s);
  spec.cv = node.number("cv").value_or(spec.cv);
  for (const JsonNode& state : node.items("states"))
    spec.states.push_back({.rate_per_s = number_at(state, "rate_per_s"),
                           .mean_dwell = seconds_at(state, "mean_dwell_s")});
  if (spec.kind == ArrivalKind::diurnal) {
    spec.amplitude = number_at(node, "amplitude");
    spec.period = seconds_at(node, "period_s");
    spec.peak = seconds_at(node, "peak_at_s");
  }
  for (const JsonNode& point : node.items("points"))
    spec.points.push_back(
        {.at = seconds_at(point, "at_s"), .rate_per_s = number_at(point, "rate_per_s")});
  spec.linear = node.text("between") == "linear";
  decode_bursts(node, spec);
  return spec;
}

ClosedLoop decode_closed_loop(const JsonNode& node) {
  const JsonNode think = node.at("think_time");
  const std::string kind = text_at(think, "kind");
  return {.users = count_at(node, "users"),
          .think = kind == "fixed"         ? ClosedLoop::Think::fixed
                   : kind == "exponential" ? ClosedLoop::Think::exponential
                                           : ClosedLoop::Think::lognormal,
          .mean_think = seconds_at(think, "mean_s"),
          .cv = think.number("cv").value_or(0.0)};
}

TraceFormat trace_format(const std::string& spelling) {
  if (spelling == "azure") return TraceFormat::azure;
  if (spelling == "mooncake") return TraceFormat::mooncake;
  return spelling == "burstgpt" ? TraceFormat::burstgpt : TraceFormat::specroute;
}

TraceArrivals decode_trace(const JsonNode& node) {
  constexpr double kForever = std::numeric_limits<double>::infinity();
  TraceSlice slice;
  slice.rows_of = node.text("rows_of").value_or("");
  slice.from = seconds_at(node, "from_s");
  slice.to = Seconds{node.number("to_s").value_or(kForever)};
  if (node.number("limit_rows")) slice.limit = count_at(node, "limit_rows");
  if (text_at(node, "zero_tokens") == "one_token") slice.zero_tokens = ZeroTokens::one_token;
  std::optional<std::uint32_t> limit;
  if (node.number("output_limit_tokens")) limit = count_at(node, "output_limit_tokens");
  return {.file = text_at(node, "path"),
          .format = trace_format(text_at(node, "format")),
          .slice = slice,
          .start = seconds_at(node, "start_s"),
          .time_scale = number_at(node, "time_scale"),
          .loop = truth_at(node, "loop"),
          .output_limit = limit,
          .rows = nullptr};
}

}  // namespace

Arrivals decode_arrivals(const JsonNode& node) {
  const std::string kind = text_at(node, "kind");
  Arrivals arrivals;
  arrivals.open = decode_open(node, kind);
  if (kind == "closed_loop") arrivals.closed_loop = decode_closed_loop(node);
  if (kind == "trace") arrivals.trace = decode_trace(node);
  return arrivals;
}

}  // namespace specroute::sim
