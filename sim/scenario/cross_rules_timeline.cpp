#include <algorithm>

#include "sim/scenario/cross_rules.hpp"

namespace specroute::sim {
namespace {

void override_rules(const RuleInput& input, const JsonNode& node, Faults& faults) {
  require_known_name(node, "backend", input.names.backends_of_role(""), "the name of a backend",
                     faults);
  require_before_horizon(input, node, "from_s", faults);
  const auto from = node.number("from_s");
  const auto gone = node.number("owner_gone_s");
  const auto until = node.number("until_s");
  if (from && gone && *gone < *from)
    faults.add(node.at("owner_gone_s").pointer,
               "at least from_s (" + found_text(*node.at("from_s").value) + ")",
               found_text(*node.at("owner_gone_s").value));
  if (from && until && *until <= *from)
    faults.add(node.at("until_s").pointer,
               "a time after from_s (" + found_text(*node.at("from_s").value) + ")",
               found_text(*node.at("until_s").value));
}

void router_rules(const JsonNode& router, Faults& faults) {
  const auto period = router.number("probe_period_ms");
  const auto timeout = router.number("probe_timeout_ms");
  if (period && timeout && *timeout > *period)
    faults.add(router.at("probe_timeout_ms").pointer,
               "at most probe_period_ms (" + found_text(*router.at("probe_period_ms").value) + ")",
               found_text(*router.at("probe_timeout_ms").value));
}

}  // namespace

void timeline_rules(const RuleInput& input, Faults& faults) {
  fault_rules(input, faults);
  for (const auto& each : input.root.items("overrides")) override_rules(input, each, faults);
  router_rules(input.root.at("router"), faults);
}

}  // namespace specroute::sim
