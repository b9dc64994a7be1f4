/// @file
/// `ewma`: control chart of an exponentially weighted moving average around the paired baseline.
/// Above the upper limit it rejects, below the lower one it holds, between them it rewards.
///
/// It sees small lasting shifts. It cannot see why acceptance moved, and adapts to nothing: a
/// genuine gain is rejected as long as the baseline is frozen.
/// Statistic: z <- w x + (1 - w) z from z = p; alarm where |z - p| > L sqrt(p (1 - p) / n w / (2 -
/// w)), x the rate of the counts judged, n their drafted tokens, p the baseline.
/// Parameters: min_drafted, cool_down_s, ewma_weight, control_limit_sigma, baseline_window_s,
/// retry_s.
/// @source Roberts, "Control chart tests based on geometric moving averages", Technometrics 1959.
#include <algorithm>

#include "router/gate.hpp"

namespace specroute::router {
namespace {

struct EwmaTally {
  std::uint64_t started = 0;
  std::uint64_t average_ppm = 0;
  std::array<std::uint64_t, 14> unused{};
};

constexpr std::int64_t kMillion = 1'000'000;

/// A rate, whatever the bytes of a snapshot say.
std::int64_t average_of(const EwmaTally& chart) {
  return static_cast<std::int64_t>(std::min<std::uint64_t>(chart.average_ppm, kMillion));
}

}  // namespace

void observe_ewma(const Evidence& evidence, const Config& config, Tally& tally) {
  if (!evidence.delta_known) return;
  auto chart = read_tally<EwmaTally>(tally);
  const std::int64_t from = chart.started != 0 ? average_of(chart) : rate_ppm(evidence.pre);
  const std::int64_t weight = config.ewma_weight_ppm;
  chart.started = 1;
  chart.average_ppm = static_cast<std::uint64_t>(
      (weight * rate_ppm(evidence.post) + (kMillion - weight) * from) / kMillion);
  tally = write_tally(chart);
}

Verdict judge_ewma(const Evidence& evidence, const Config& config) {
  if (!evidence.after_failover) return hold(Reason::no_failover);
  if (!evidence.delta_known) return hold(Reason::baseline_unknown);
  const std::int64_t average = average_of(read_tally<EwmaTally>(*evidence.tally));
  const std::int64_t centre = rate_ppm(evidence.pre);
  const Wide away = Wide{average} - centre;
  // away^2 n (2 - w) > L^2 p (1 - p) w, with w in millionths and L in thousandths of a sigma.
  const Wide weight = config.ewma_weight_ppm;
  const Wide limit = config.limit_millisigma;
  const bool alarm = away * away * Wide{evidence.post.drafted} * (2 * Wide{kMillion} - weight) >
                     limit * limit * centre * (kMillion - centre) / kMillion * weight;
  if (!alarm) return lock(Reason::no_change_detected);
  return away > 0 ? rebind_blindly(Reason::above_control_limit) : hold(Reason::below_control_limit);
}

}  // namespace specroute::router
