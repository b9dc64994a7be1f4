#include "router/reasons.hpp"

#include <array>

namespace specroute::router {
namespace {

using enum Numbers;

constexpr std::array<ReasonText, 52> kReasons{{
    {"", "", rate},
    {"first_judged_window", "the first window that could be judged is rewarded", rate},
    {"delta_within_threshold", "acceptance is within the threshold of its baseline", rates},
    {"genuine_gain", "acceptance rose and both sides sample with equal parameters", both},
    {"unattributable_spike", "acceptance rose while the sampling parameters differ", both},
    {"tokenizer_mismatch", "draft and target have different tokenizers", ids},
    {"kv_block_mismatch", "draft and target have different KV block sizes", ids},
    {"mask_mismatch", "draft and target have different attention-mask conventions", ids},
    {"params_differ_logits_forwarded",
     "the sampling parameters differ while logits are forwarded; acceptance measures argmax "
     "agreement",
     hashes},
    {"params_differ", "the sampling parameters or tokenizers are known to differ", hashes},
    {"no_known_difference", "no fingerprint is known to differ", hashes},
    {"spike", "acceptance rose beyond the threshold", rates},
    {"cooling_down", "a full cool-down has not passed yet", rates},
    {"cool_down_over", "a full cool-down has passed", rate},
    {"baseline_unknown", "no paired baseline is known, so there is no delta", rate},
    {"no_failover", "no fail-over to judge", rate},
    {"fingerprint_unknown", "a fingerprint that the rule compares is unknown or only claimed",
     hashes},
    {"not_verified", "the pair is not verified consistent, so it serves without a draft", hashes},
    {"verified_consistent", "the pair is verified consistent", hashes},
    {"no_candidate", "no backend can take the side to be replaced", hashes},
    {"acceptance_collapsed", "acceptance fell beyond the threshold, which earns no reward", rates},
    {"no_draft_expired", "serving without a draft has lasted its time; drafting is tried again",
     rate},
    {"not_attributed_yet", "the pair was not verified consistent through one full cool-down yet",
     rates},
    {"no_change_detected", "the statistic sees no change against the baseline", rates},
    {"latency_fell", "acceptance rose and latency fell, which is taken for a win", rates},
    {"fleet_mean_exceeded", "acceptance is beyond the mean of all pairings by the threshold", rate},
    {"above_control_limit", "the moving average is above the control limit", rates},
    {"below_control_limit", "the moving average is below the control limit", rates},
    {"drift_upward", "the cumulative sum above the baseline has passed its limit", rates},
    {"drift_downward", "the cumulative sum below the baseline has passed its limit", rates},
    {"likelier_risen", "the likelihood ratio decides for a rise by the threshold", rates},
    {"likelihoods_undecided", "the likelihood ratio is between its bounds", rates},
    {"ranks_higher", "windows rank significantly above those before the fail-over", rates},
    {"ranks_lower", "windows rank significantly below those before the fail-over", rates},
    {"too_few_windows", "there are too few windows to compare ranks", rates},
    {"acceptance_too_low", "acceptance is too low for drafts to be worth their cost; permanent",
     rate},
    {"best_bound", "no pairing of the profile has a higher upper confidence bound", rate},
    {"not_best_bound", "another pairing of the profile has a higher upper confidence bound", rate},
    {"below_other_pairings", "acceptance is far below that of the profile's other pairings", peers},
    {"not_below_other_pairings", "acceptance is not far below that of the other pairings", peers},
    {"too_few_pairings", "too few pairings of the profile were judged to compare with", peers},
    {"ejection_limit", "no more of the profile's pairings may be in quarantine", peers},
    {"too_many_failures", "the target failed too large a share of its requests", outcomes},
    {"failures_tolerable", "the target does not fail too many of its requests", outcomes},
    {"too_many_degraded", "surely more of the sampled completions are degraded than tolerated",
     outcomes},
    {"verdicts_tolerable", "the sampled completions are not surely worse than tolerated", outcomes},
    {"too_few_verdicts", "too few completions were sampled to tell", outcomes},
    {"half_open", "the quarantine is over, and what comes now is judged", rate},
    {"probe_failed", "a request failed among the first after a quarantine", outcomes},
    {"probe_passed", "what came after the quarantine was well", outcomes},
    {"quarantine_declined", "the host has nobody else to serve the pairing's requests", rate},
    {"off_profile", "acceptance rose on other sampling parameters than the profile asks for",
     hashes},
}};

}  // namespace

const ReasonText& reason_text(std::uint32_t reason) {
  return kReasons[reason < kReasons.size() ? reason : 0];
}

}  // namespace specroute::router
