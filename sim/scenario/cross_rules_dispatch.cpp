#include <algorithm>

#include "sim/scenario/cross_rules.hpp"

namespace specroute::sim {
namespace {

/// A pool whose every target is a wrong one would serve nobody.
void require_right_target(const RuleInput& input, const JsonNode& phase, Faults& faults) {
  const BackendNames* wrong = input.names.backend(phase.text("target").value_or(""));
  if (wrong == nullptr || wrong->role != "target") return;
  const auto phases = input.root.at("router").items("misrouting");
  const bool has_right = std::ranges::any_of(input.names.backends, [&](const BackendNames& each) {
    return each.role == "target" && each.pool == wrong->pool &&
           std::ranges::none_of(
               phases, [&](const JsonNode& other) { return other.text("target") == each.name; });
  });
  if (!has_right)
    faults.add(phase.at("target").pointer, "a pool with another target",
               quoted(wrong->name) + ", the last of pool " + quoted(wrong->pool));
}

void misrouting_rules(const RuleInput& input, Faults& faults) {
  std::optional<double> last;
  for (const auto& phase : input.root.at("router").items("misrouting")) {
    require_known_name(phase, "target", input.names.backends_of_role("target"),
                       "the name of a target backend", faults);
    require_before_horizon(input, phase, "from_s", faults);
    require_right_target(input, phase, faults);
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
