#include <algorithm>
#include <map>

#include "sim/scenario/cross_rules.hpp"

namespace specroute::sim {
namespace {

using Members = std::vector<const BackendNames*>;
/// By backend: the pairings that it is in.
using Taken = std::map<std::string, std::vector<std::string>>;

/// One side of a pairing: it exists, has the role, and is not on standby.
Members side_rules(const JsonNode& pairing, const std::string& role, const ScenarioNames& names,
                   Faults& faults) {
  const auto name = pairing.text(role);
  const std::string place = pairing.at(role).pointer;
  if (!name) return {};
  const Members members = names.members(*name);
  if (members.empty()) {
    require_known_name(pairing, role.c_str(), names.groups_of_role(role),
                       "the name of a " + role + " backend", faults);
    return {};
  }
  const BackendNames& backend = *members.front();
  if (backend.role != role) {
    const bool is_role = backend.role == "target" || backend.role == "draft";
    if (!is_role) return {};  // the schema says so
    faults.add(place, "the name of a " + role + " backend",
               quoted(*name) + ", whose role is " + quoted(backend.role));
    return {};
  }
  if (backend.standby)
    faults.add(place, "a backend that is bound at the start",
               quoted(*name) + ", which is on standby");
  return members;
}

/// A backend in one pairing more: a target has one, a draft as many as its targets at once.
void take(const BackendNames& backend, const JsonNode& place, const JsonNode& pairing, Taken& taken,
          Faults& faults) {
  auto& before = taken[backend.name];
  const double room =
      backend.role == "draft" ? backend.node.number("max_targets").value_or(1.0) : 1.0;
  if (static_cast<double>(before.size()) == room) {
    if (room == 1.0)
      faults.add(place.pointer, "a backend that no other pairing has",
                 quoted(backend.name) + ", which is in " + before.front());
    else
      faults.add(place.pointer,
                 "a draft in at most max_targets (" +
                     found_text(*backend.node.at("max_targets").value) + ") pairings",
                 quoted(backend.name) + ", which is in one more");
  }
  before.push_back(pairing.pointer);
}

void take_members(const JsonNode& pairing, const Members& targets, const Members& drafts,
                  Taken& taken, Faults& faults) {
  for (const auto* target : targets) take(*target, pairing.at("target"), pairing, taken, faults);
  if (drafts.empty()) return;
  const std::size_t uses = std::max<std::size_t>(targets.size(), 1);
  for (std::size_t k = 0; k < uses; ++k)
    take(*drafts[k % drafts.size()], pairing.at("draft"), pairing, taken, faults);
}

/// A draft of the target's own pool or of one that it draws on, and on the target's own devices if
/// it is co-located.
void match_rules(const JsonNode& pairing, const ScenarioNames& names, const BackendNames& target,
                 const BackendNames& draft, Faults& faults) {
  if (!target.pool.empty() && !draft.pool.empty() && !names.draws_on(target.pool, draft.pool))
    faults.add(pairing.at("draft").pointer, "a draft of the target's pool " + quoted(target.pool),
               quoted(draft.name) + " of pool " + quoted(draft.pool));
  const auto owner = draft.node.text("colocated_with");
  if (owner && *owner != target.group)
    faults.add(pairing.at("target").pointer,
               quoted(*owner) + ", on whose devices " + quoted(draft.group) + " runs",
               quoted(target.group));
}

}  // namespace

void pairing_rules(const RuleInput& input, Faults& faults) {
  Taken taken;
  for (const auto& pairing : input.root.at("fleet").items("pairings")) {
    const Members targets = side_rules(pairing, "target", input.names, faults);
    const Members drafts = side_rules(pairing, "draft", input.names, faults);
    take_members(pairing, targets, drafts, taken, faults);
    if (!targets.empty() && !drafts.empty())
      match_rules(pairing, input.names, *targets.front(), *drafts.front(), faults);
  }
  if (!input.names.complete) return;
  for (const auto& backend : input.names.backends)
    if (!taken.contains(backend.name) && !backend.standby)
      faults.add(backend.node.pointer, "a backend in a pairing, or one on standby",
                 quoted(backend.name) + ", which is in none");
}

}  // namespace specroute::sim
