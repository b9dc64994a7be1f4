/// @file
/// `hash_only`: re-bind where hashes (params, tokenizer) are known to differ, else reward; blind
/// to acceptance and to fail-overs.
#include "router/gate.hpp"

namespace specroute::router {

Verdict judge_hash_only(const Evidence& evidence, const Config&) {
  const bool differ = evidence.params == Match::different || evidence.tokenizer == Match::different;
  return differ ? rebind(Reason::params_differ) : lock(Reason::no_known_difference);
}

}  // namespace specroute::router
