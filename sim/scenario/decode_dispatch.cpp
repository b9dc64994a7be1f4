#include <utility>

#include "sim/scenario/decode.hpp"

namespace specroute::sim {

Dispatch dispatch_at(const JsonNode& node, const char* key) {
  static constexpr std::pair<const char*, Dispatch> kRules[] = {
      {"round_robin", Dispatch::round_robin},
      {"least_outstanding", Dispatch::least_outstanding},
      {"weighted_by_reward", Dispatch::weighted_by_reward},
      {"power_of_two", Dispatch::power_of_two},
      {"prefix_aware", Dispatch::prefix_aware},
      {"session_sticky", Dispatch::session_sticky}};
  const std::string text = text_at(node, key);
  for (const auto& [spelling, rule] : kRules)
    if (text == spelling) return rule;
  check(false, "the schema lists the dispatchers that are decoded");
  return Dispatch::least_outstanding;
}

void decode_dispatch(const JsonNode& router, Scenario& scenario) {
  const JsonNode prefix = router.at("prefix_routing");
  const JsonNode session = router.at("session_routing");
  DispatchSettings& settings = scenario.router.dispatching;
  settings.prefix = {.staleness = milliseconds_at(prefix, "staleness_ms"),
                     .match_threshold = number_at(prefix, "match_threshold"),
                     .balance_difference = count_at(prefix, "balance_difference"),
                     .balance_ratio = number_at(prefix, "balance_ratio")};
  settings.session = {.assignment = text_at(session, "assignment") == "random"
                                        ? SessionAssignment::random
                                        : SessionAssignment::least_outstanding,
                      .idle_limit = seconds_at(session, "idle_limit_s")};
  for (const auto& node : router.items("misrouting"))
    settings.misrouting.push_back({.from = seconds_at(node, "from_s"),
                                   .share = number_at(node, "share"),
                                   .target = id_at<BackendId>(node, "target", scenario.backends)});
}

}  // namespace specroute::sim
