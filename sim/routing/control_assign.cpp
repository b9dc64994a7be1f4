// Which candidates operations take: replacements are assigned together.
#include <algorithm>

#include <specroute/vocab/check.hpp>

#include "sim/routing/control.hpp"

namespace specroute::sim {
namespace {

/// Whether the operation names its draft, or keeps it and looks for another target.
bool picks_for_itself(const BindOperation& operation) {
  return operation.cause == BindCause::reselect ||
         (operation.constraint && operation.constraint->replace == SRP_REPLACE_TARGET);
}

}  // namespace

/// Targets that a draft serves or is promised to: a promise under way counts as kept.
std::uint32_t Control::taken(BackendId draft) const {
  const auto promised = std::ranges::count_if(operations_, [&](const BindOperation& operation) {
    return operation.open && operation.draft == draft;
  });
  return static_cast<std::uint32_t>(bound_to_[draft.index()].size() +
                                    static_cast<std::size_t>(promised));
}

std::uint32_t Control::draft_room(BackendId draft) const {
  if (!up_[draft.index()]) return 0;
  const std::uint32_t most = scenario_.backends[draft.index()].hosting.max_targets;
  const std::uint32_t now_taken = taken(draft);
  return most > now_taken ? most - now_taken : 0;
}

bool Control::drafts_for(BackendId draft, PairingId pairing) const {
  return std::ranges::count(bound_to_[draft.index()], pairing) > 0;
}

void Control::begin(BindOperation operation, Seconds now) {
  operations_.push_back(std::move(operation));
  advance(static_cast<OperationId>(operations_.size() - 1), now);
}

/// Operations that begin at one moment share what is free, so they are assigned together.
void Control::begin_all(std::vector<BindOperation> operations, Seconds now) {
  std::vector<OperationId> ids;
  for (BindOperation& operation : operations) {
    ids.push_back(static_cast<OperationId>(operations_.size()));
    operations_.push_back(std::move(operation));
  }
  assign(ids);
  for (const OperationId id : ids) command(id, now);
}

/// Sends the command for the next candidate, or gives up.
void Control::advance(OperationId id, Seconds now) {
  assign({id});
  command(id, now);
}

/// Gives each operation that searches a draft, and a target where it has none.
void Control::assign(const std::vector<OperationId>& ids) {
  std::vector<OperationId> searching;
  std::vector<PairingNeed> needs;
  for (const OperationId id : ids) {
    BindOperation& operation = operations_[id];
    if (operation.solo || picks_for_itself(operation)) continue;
    operation.draft = BackendId{};
    searching.push_back(id);
    needs.push_back(
        {operation.target.exists() ? std::vector{operation.target} : standby_targets(operation)});
  }
  if (searching.empty()) return;
  const auto allowed = [&](std::size_t need, BackendId, BackendId draft) {
    const BindOperation& operation = operations_[searching[need]];
    return std::ranges::count(operation.tried, draft) == 0 && !excluded(operation, draft);
  };
  const auto solve =
      scenario_.router.assignment == AssignmentRule::flow ? assign_by_flow : assign_greedily;
  const Assignment answer = solve(graph_, needs, free_drafts(), allowed);
  for (std::size_t n = 0; n < searching.size(); ++n)
    if (answer[n]) {
      operations_[searching[n]].target = answer[n]->target;
      operations_[searching[n]].draft = answer[n]->draft;
    }
  for (std::size_t n = 0; n < searching.size(); ++n)
    if (!answer[n]) take_any_target(operations_[searching[n]]);
}

std::vector<DraftRoom> Control::free_drafts() const {
  std::vector<DraftRoom> drafts;
  for (std::uint32_t b = 0; b < scenario_.backends.size(); ++b) {
    const Backend& backend = scenario_.backends[b];
    if (backend.role != Role::draft) continue;
    const std::uint32_t room = draft_room(BackendId{b});
    if (room > 0)
      drafts.push_back({.draft = BackendId{b},
                        .room = room,
                        .bound = taken(BackendId{b}),
                        .engines = backend.engines});
  }
  return drafts;
}

/// Targets of the lost one's pool that nobody uses, lowest id first.
std::vector<BackendId> Control::standby_targets(const BindOperation& operation) const {
  const BackendId lost = pairings_[operation.replaces.index()].target;
  const PoolId pool = scenario_.backends[lost.index()].pool;
  std::vector<BackendId> found;
  std::vector<BackendId> not_these = operation.tried;
  while (const auto next = standby_target(pool, not_these)) {
    found.push_back(*next);
    not_these.push_back(*next);
  }
  return found;
}

/// No draft is left: a standby target may still serve alone.
void Control::take_any_target(BindOperation& operation) const {
  if (operation.target.exists()) return;
  const auto targets = standby_targets(operation);
  if (!targets.empty()) operation.target = targets.front();
}

void Control::command(OperationId id, Seconds now) {
  BindOperation& operation = operations_[id];
  const RouterSettings& router = scenario_.router;
  if (operation.solo) {
    actions_.push_back({.kind = ControlAction::Kind::rebuilt_at,
                        .date = now + router.command_transport,
                        .operation = id});
    return;
  }
  if (!has_candidate(operation)) return give_up(id, now);
  Seconds date = now + router.command_transport;
  if (router.verify_binding == VerifyBinding::bind) date += router.bind_verification;
  if (operation.verify_parameters) date += router.parameter_verification;
  actions_.push_back({.kind = ControlAction::Kind::verify_at, .date = date, .operation = id});
}

bool Control::has_candidate(BindOperation& operation) const {
  if (operation.cause == BindCause::reselect)  // this draft or none
    return operation.tried.empty() && operation.target.exists();
  if (picks_for_itself(operation)) return pick_target_for_draft(operation);
  return operation.draft.exists();
}

}  // namespace specroute::sim
