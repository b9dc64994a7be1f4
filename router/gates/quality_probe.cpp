/// @file
/// `quality_probe`: a pairing of whose sampled completions too many loop or break their schema is
/// quarantined; it is rewarded once enough were read and found well.
///
/// It sees the harm itself, whatever caused it and whatever acceptance says. It sees it late, after
/// users did, and only what its detector knows: text that is wrong and reads well passes. It cannot
/// tell which side is at fault, nor a bad pairing from a bad prompt.
/// Statistic: the lower end of Wilson's interval of the degraded share within the latest
/// `observation_s` above the tolerated share p0, which is bad - p0 n > L sqrt(n p0 (1 - p0)).
/// Parameters: min_drafted, cool_down_s, tolerated_share, min_verdicts, control_limit_sigma,
/// observation_s, quarantine_s, max_quarantine_s, retry_s.
/// @source Wilson, "Probable inference, the law of succession, and statistical inference", JASA
/// 1927.
#include "router/gate.hpp"

namespace specroute::router {
namespace {

/// In millionths; both sides squared stay below 2^117.
bool surely_above(const Outcomes& recent, const Config& config) {
  constexpr Wide kWhole = 1'000'000;
  const Wide n = recent.total;
  const Wide tolerated = config.tolerated_ppm;
  const Wide excess = Wide{recent.bad} * kWhole - n * tolerated;
  const Wide limit = config.limit_millisigma;
  return excess > 0 &&
         excess * excess * kWhole > limit * limit * n * tolerated * (kWhole - tolerated);
}

}  // namespace

Verdict judge_quality_probe(const Evidence& evidence, const Config& config) {
  if (evidence.recent.total < config.min_verdicts)
    return hold(evidence.half_open ? Reason::half_open : Reason::too_few_verdicts);
  if (surely_above(evidence.recent, config)) return quarantine(Reason::too_many_degraded);
  if (evidence.measured) return lock(Reason::verdicts_tolerable);
  return hold(evidence.half_open ? Reason::probe_passed : Reason::none);
}

}  // namespace specroute::router
