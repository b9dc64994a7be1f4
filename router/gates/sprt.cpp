/// @file
/// `sprt`: sequential probability ratio test of "acceptance is the baseline's" against "it has
/// risen by the threshold". It rejects, rewards, or holds until it can tell.
///
/// It needs the fewest tokens for given errors. It cannot see why acceptance rose, and tokens of
/// one draft are not independent: real errors exceed the nominal ones.
/// Statistic: L = accepted ln(p1 / p0) + rejected ln((1 - p1) / (1 - p0)), between -A and A with A
/// = ln((1 - e) / e); after a decision it starts again at 0.
/// Parameters: min_drafted, cool_down_s, delta_threshold, error_rate, baseline_window_s, retry_s.
/// @source Wald, "Sequential tests of statistical hypotheses", 1945.
#include <algorithm>

#include "router/fixed_point.hpp"
#include "router/gate.hpp"

namespace specroute::router {
namespace {

constexpr std::int64_t kMillion = 1'000'000;

struct SprtTally {
  std::int64_t micro_nats = 0;    ///< the log-likelihood ratio
  std::int64_t baseline_ppm = 0;  ///< that the weights are of
  std::int64_t per_accepted = 0;  ///< ln(p1 / p0), millionths
  std::int64_t per_rejected = 0;  ///< ln((1 - p1) / (1 - p0)), millionths
  std::array<std::uint64_t, 12> unused{};
};

/// The weights are those of the baseline, which is frozen at the fail-over.
void weigh(SprtTally& test, std::int64_t baseline_ppm, const Config& config) {
  // A fresh tally is all zeros: its weights are of no baseline.
  if (test.baseline_ppm == baseline_ppm && test.per_accepted != 0) return;
  // Rates of 0 and 1 would make one token decide for ever.
  const auto low = std::clamp<std::int64_t>(baseline_ppm, 1000, kMillion - 2000);
  const auto high = std::clamp<std::int64_t>(low + config.threshold_ppm, low + 1, kMillion - 1000);
  const auto ln = [](std::int64_t a, std::int64_t b) {
    return micro_ln(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b));
  };
  test.baseline_ppm = baseline_ppm;
  test.per_accepted = ln(high, low);
  test.per_rejected = ln(kMillion - high, kMillion - low);
}

std::int64_t bound(const Config& config) {
  return static_cast<std::int64_t>(config.decided_micro_nats);
}

}  // namespace

void observe_sprt(const Evidence& evidence, const Config& config, Tally& tally) {
  if (!evidence.delta_known) return;
  auto test = read_tally<SprtTally>(tally);
  const std::int64_t end = bound(config);
  if (test.micro_nats >= end || test.micro_nats <= -end) test.micro_nats = 0;
  weigh(test, rate_ppm(evidence.pre), config);
  const Wide sum = Wide{test.micro_nats} + Wide{evidence.post.accepted} * test.per_accepted +
                   Wide{evidence.post.drafted - evidence.post.accepted} * test.per_rejected;
  test.micro_nats = static_cast<std::int64_t>(std::clamp<Wide>(sum, -end, end));
  tally = write_tally(test);
}

Verdict judge_sprt(const Evidence& evidence, const Config& config) {
  if (!evidence.after_failover) return hold(Reason::no_failover);
  if (!evidence.delta_known) return hold(Reason::baseline_unknown);
  const std::int64_t ratio = read_tally<SprtTally>(*evidence.tally).micro_nats;
  const std::int64_t end = bound(config);
  if (ratio >= end) return rebind_blindly(Reason::likelier_risen);
  return ratio <= -end ? lock(Reason::no_change_detected) : hold(Reason::likelihoods_undecided);
}

}  // namespace specroute::router
