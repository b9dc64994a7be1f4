/// @file
/// `cusum`: two cumulative sums around the paired baseline, in accepted tokens. The upper one over
/// its limit rejects, the lower one holds; else it rewards.
///
/// It finds a lasting shift soonest for a given rate of false alarms. It cannot see why the shift
/// came. Tokens of one draft depend on each other: the limit has to be wider than theory says.
/// Statistic: up <- max(0, up + accepted - (p + k) drafted), down <- max(0, down + (p - k) drafted
/// - accepted); alarm beyond h tokens.
/// Parameters: min_drafted, cool_down_s, allowance, sum_limit_tokens, baseline_window_s, retry_s.
/// @source Page, "Continuous inspection schemes", Biometrika 1954.
#include <algorithm>

#include "router/gate.hpp"

namespace specroute::router {
namespace {

/// Sums in millionths of a token, at most 2^62.
struct CusumTally {
  std::uint64_t up = 0;
  std::uint64_t down = 0;
  std::array<std::uint64_t, 14> unused{};
};

std::uint64_t add(std::uint64_t sum, Wide more) {
  constexpr Wide kMost = Wide{1} << 62U;
  return static_cast<std::uint64_t>(std::clamp<Wide>(Wide{sum} + more, 0, kMost));
}

}  // namespace

void observe_cusum(const Evidence& evidence, const Config& config, Tally& tally) {
  if (!evidence.delta_known) return;
  auto sums = read_tally<CusumTally>(tally);
  const Wide accepted = Wide{evidence.post.accepted} * 1'000'000;
  const Wide expected = Wide{evidence.post.drafted} * rate_ppm(evidence.pre);
  const Wide forgiven = Wide{evidence.post.drafted} * config.allowance_ppm;
  sums.up = add(sums.up, accepted - expected - forgiven);
  sums.down = add(sums.down, expected - forgiven - accepted);
  tally = write_tally(sums);
}

Verdict judge_cusum(const Evidence& evidence, const Config& config) {
  if (!evidence.after_failover) return hold(Reason::no_failover);
  if (!evidence.delta_known) return hold(Reason::baseline_unknown);
  const auto sums = read_tally<CusumTally>(*evidence.tally);
  const std::uint64_t limit = config.sum_limit_tokens * 1'000'000;
  if (sums.up > limit) return rebind_blindly(Reason::drift_upward);
  if (sums.down > limit) return hold(Reason::drift_downward);
  return lock(Reason::no_change_detected);
}

}  // namespace specroute::router
