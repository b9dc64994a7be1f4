/// @file
/// `hash_only`: re-bind where hashes (params, tokenizer) are known to differ, else reward.
///
/// It sees a known difference at once, before any traffic has suffered. It cannot see acceptance or
/// fail-overs, nor what the hash does not cover; it rejects a pair whose parameters differ
/// harmlessly (tokens forwarded), and rewards what it knows nothing of.
/// Statistic: none; equality of fingerprints that both sides know.
/// Parameters: min_drafted, cool_down_s, rebind, params_hash_version, retry_s.
/// @source the seed, "Decision Boundary": "the params-hash equality check", taken alone.
#include "router/gate.hpp"

namespace specroute::router {

Verdict judge_hash_only(const Evidence& evidence, const Config&) {
  const bool differ = evidence.params == Match::different || evidence.tokenizer == Match::different;
  return differ ? rebind(Reason::params_differ) : lock(Reason::no_known_difference);
}

}  // namespace specroute::router
