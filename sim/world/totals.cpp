#include "sim/world/totals.hpp"

#include <algorithm>
#include <numeric>

#include "sim/serving/mismatch.hpp"

namespace specroute::sim {
namespace {

/// Time per output token after the first; 0 for a single token.
Seconds time_per_output_token(const Ending& ending) {
  const std::uint32_t tokens = ending.sequence.emitted;
  return tokens > 1 ? (ending.at - ending.first_token) / (tokens - 1.0) : Seconds{0.0};
}

double as_double(std::uint64_t count) {
  return static_cast<double>(count);
}

}  // namespace

void Totals::ended(const Ending& ending) {
  ++ends_[static_cast<std::size_t>(ending.state)];
  in_system_.leave(ending.left, ending.sequence.arrival);
  retries_ += ending.retries;
  tokens_ += ending.sequence.emitted;
  if (ending.state == EndState::completed) completed(ending);
}

void Totals::completed(const Ending& ending) {
  const Sequence& sequence = ending.sequence;
  ttft_.add((ending.first_token - sequence.arrival).count());
  end_to_end_.add((ending.at - sequence.arrival).count());
  if (sequence.emitted > 1) tpot_.add(time_per_output_token(ending).count());
  looping_ += sequence.loop_pairing.exists();
  schema_ += sequence.schema_pairing.exists();
  corrupted_ += sequence.corruption_pairing.exists();
  degraded_ += sequence.degraded();
  if (meets_slo(ending)) {
    ++good_;
    healthy_good_ += !sequence.degraded();
  }
}

bool Totals::meets_slo(const Ending& ending) const {
  const RequestClass& c = scenario_.classes[ending.request_class.index()];
  return ending.first_token - ending.sequence.arrival <= c.ttft_slo &&
         time_per_output_token(ending) <= c.tpot_slo;
}

std::uint64_t Totals::ended_count() const {
  return std::accumulate(ends_.begin(), ends_.end(), std::uint64_t{0});
}

void report_quantiles(Metrics& metrics, const std::string& path,
                      const models::QuantileSketch& sketch) {
  const auto milliseconds = [&](double p) -> std::optional<double> {
    const auto seconds = sketch.quantile(p);
    return seconds ? std::optional(*seconds * 1e3) : std::nullopt;
  };
  metrics.emplace_back(path + ".p50_ms", milliseconds(0.50));
  metrics.emplace_back(path + ".p95_ms", milliseconds(0.95));
  metrics.emplace_back(path + ".p99_ms", milliseconds(0.99));
}

/// L = lambda W over the run: up to the horizon, or to the last end if that is later.
void Totals::report_littles_law(Metrics& metrics) const {
  const Seconds span = std::max(scenario_.horizon, in_system_.last_event());
  const double arrived = as_double(arrived_count());
  const bool lasted = span > Seconds{0.0};
  metrics.emplace_back("requests.in_system_mean",
                       lasted ? std::optional(in_system_.area() / span) : std::nullopt);
  metrics.emplace_back("requests.arrivals_per_s",
                       lasted ? std::optional(arrived / span.count()) : std::nullopt);
  metrics.emplace_back(
      "requests.sojourn_mean_ms",
      arrived > 0.0 ? std::optional(in_system_.sojourns().count() * 1e3 / arrived) : std::nullopt);
}

void Totals::report(Metrics& metrics) const {
  metrics.emplace_back("requests.arrived", as_double(arrived_count()));
  for (std::size_t s = 0; s < kEndStates; ++s)
    metrics.emplace_back(std::string("requests.") + to_string(static_cast<EndState>(s)),
                         as_double(ends_[s]));
  metrics.emplace_back("requests.retries", as_double(retries_));
  report_littles_law(metrics);
  metrics.emplace_back("tokens.output", as_double(tokens_));
  metrics.emplace_back("tokens.output_per_s", as_double(tokens_) / scenario_.horizon.count());
  metrics.emplace_back("degraded.total", as_double(degraded_));
  metrics.emplace_back("degraded.loop", as_double(looping_));
  metrics.emplace_back("degraded.schema", as_double(schema_));
  // Where no pair can ever disagree, corruption has no way in: "does not apply", not "never".
  const bool applies = corrupted_ > 0 || !mismatched_block_tokens(scenario_).empty();
  metrics.emplace_back("degraded.corruption",
                       applies ? std::optional(as_double(corrupted_)) : std::nullopt);
  metrics.emplace_back("goodput_per_s", as_double(good_) / scenario_.horizon.count());
  metrics.emplace_back("healthy_goodput_per_s",
                       as_double(healthy_good_) / scenario_.horizon.count());
  metrics.emplace_back("slo_attainment",
                       arrived_count() > 0
                           ? std::optional(as_double(good_) / as_double(arrived_count()))
                           : std::nullopt);
  report_quantiles(metrics, "latency.ttft", ttft_);
  report_quantiles(metrics, "latency.tpot", tpot_);
  report_quantiles(metrics, "latency.itl", inter_token_);
  report_quantiles(metrics, "latency.end_to_end", end_to_end_);
}

}  // namespace specroute::sim
