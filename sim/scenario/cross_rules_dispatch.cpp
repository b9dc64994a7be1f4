#include <algorithm>

#include "sim/scenario/cross_rules.hpp"

namespace specroute::sim {
namespace {

void misrouting_rules(const RuleInput& input, Faults& faults) {
  std::optional<double> last;
  for (const auto& phase : input.root.at("router").items("misrouting")) {
    require_known_name(phase, "target", input.names.backends_of_role("target"),
                       "the name of a target backend", faults);
    require_before_horizon(input, phase, "from_s", faults);
    const auto from = phase.number("from_s");
    if (!from) return;
    if (last && *from <= *last)
      faults.add(phase.at("from_s").pointer, "a time after the phase before it",
                 found_text(*phase.at("from_s").value));
    last = from;
  }
}

bool any_backend_caches(const RuleInput& input) {
  return std::ranges::any_of(input.names.backends, [](const BackendNames& each) {
    return each.node.truth("prefix_caching") == true;
  });
}

}  // namespace

void dispatch_rules(const RuleInput& input, Faults& faults) {
  misrouting_rules(input, faults);
  const JsonNode dispatch = input.root.at("router").at("dispatch");
  if (input.root.at("router").text("dispatch") == "prefix_aware" && !any_backend_caches(input))
    faults.add(dispatch.pointer, "a backend with prefix_caching, for \"prefix_aware\" to see",
               "none");
}

}  // namespace specroute::sim
