/// @file
/// `bandit`: acceptance as reward, pairings as arms, UCB1: the pairing with the highest upper
/// confidence bound is rewarded, the others wait.
///
/// It finds the arm with the highest acceptance. It cannot see whether that is earned: acceptance
/// that a stale override or a loop makes is the best reward there is.
/// Statistic: mean rate of the judged counts + sqrt(2 ln N / n), n of this arm, N of all.
/// Parameters: min_drafted, cool_down_s.
/// @source Auer, Cesa-Bianchi and Fischer, "Finite-time analysis of the multiarmed bandit problem",
/// 2002; MetaSD, BanditSpec.
#include "router/gate.hpp"

namespace specroute::router {

void observe_bandit(const Evidence& evidence, const Config&, Tally& tally) {
  if (!evidence.measured) return;
  play(tally, static_cast<std::uint64_t>(rate_ppm(evidence.post)));
}

Verdict judge_bandit(const Evidence& evidence, const Config&) {
  if (!evidence.measured) return hold(Reason::none);
  return evidence.fleet->best_bound ? lock_or_extend(Reason::best_bound)
                                    : hold(Reason::not_best_bound);
}

}  // namespace specroute::router
