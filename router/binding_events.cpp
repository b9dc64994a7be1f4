#include "router/binding_events.hpp"

#include <algorithm>
#include <optional>

namespace specroute::router {
namespace {

void freeze(BindRow& row, const std::optional<Counts>& baseline) {
  row.pre_known = baseline ? 1 : 0;
  row.pre = baseline.value_or(Counts{});
}

BindRow* row_of_replaced(srp_policy& policy, const FailoverNote& note, std::uint64_t profile) {
  return policy.binds.find(note.from_pairing, profile);
}

/// The fail-over starts the cool-down, and `pre` is frozen: this pair's own verified windows; else
/// the latest of its key; else what the replaced pairing had; else unknown.
void apply_failover(srp_policy& policy, const FailoverNote& note, BindRow& row) {
  row.after_failover = 1;
  row.failover_at = note.at;
  row.cool_down_start = note.at;
  row.unjudged = Counts{};
  end_attribution(row, note.at);
  row.n_exclude = 0;
  const auto window = policy.config.baseline_window_ns;
  const BindRow* replaced = row_of_replaced(policy, note, row.profile);
  row.tally = policy.gate->carry != nullptr && replaced != nullptr
                  ? policy.gate->carry(replaced->tally, true)
                  : Tally{};
  auto pre = policy.baselines.of_pair(row, note.at, window);
  if (!pre) pre = policy.baselines.of_key(row, note.at, window);
  if (!pre && replaced != nullptr) pre = policy.baselines.of_replaced(*replaced, note.at, window);
  freeze(row, pre);
}

/// Backends rejected within one cool-down stay excluded, so that two bad ones do not alternate.
void inherit_exclusions(const srp_policy& policy, const BindRow& ancestor, BindRow& row) {
  if (ancestor.n_exclude == 0) return;
  if (row.last_heard - ancestor.rejected_at >= policy.config.cool_down_ns) return;
  row.exclude = ancestor.exclude;
  row.n_exclude = ancestor.n_exclude;
  row.rejected_at = ancestor.rejected_at;
}

/// A re-bind: the fail-over of the ancestor governs on, with its cool-down. A pair or a key that
/// was seen consistent before that fail-over has its own baseline, else the ancestor's holds.
void inherit(srp_policy& policy, const BindRow& ancestor, BindRow& row) {
  inherit_exclusions(policy, ancestor, row);
  if (policy.gate->carry != nullptr) row.tally = policy.gate->carry(ancestor.tally, false);
  if (ancestor.after_failover == 0) return;
  row.after_failover = 1;
  row.failover_at = ancestor.failover_at;
  row.cool_down_start = ancestor.failover_at;
  const auto window = policy.config.baseline_window_ns;
  auto pre = policy.baselines.of_pair(row, row.failover_at, window);
  if (!pre && baseline_key(ancestor) == baseline_key(row) && ancestor.pre_known != 0)
    pre = ancestor.pre;
  if (!pre) pre = policy.baselines.of_key(row, row.failover_at, window);
  if (!pre && ancestor.pre_known != 0) pre = ancestor.pre;
  freeze(row, pre);
}

BindRow row_from(const srp_ev_bind& event) {
  BindRow row;
  row.pairing = event.h.pairing;
  row.profile = event.profile.id;
  row.required_v1 = event.profile.required_v1;
  row.required_v2 = event.profile.required_v2;
  row.draft = first_seen(event.draft);
  row.target = first_seen(event.target);
  row.forward = event.forward;
  row.rule = event.rule;
  row.draft_tokens = event.draft_tokens;
  row.last_heard = event.h.now;
  row.cool_down_start = event.h.now;
  row.unattributed_until = event.h.now;
  return row;
}

const FailoverNote* note_of(const srp_policy& policy, std::uint64_t pairing) {
  const auto notes = policy.failovers.all();
  const auto found = std::find_if(notes.begin(), notes.end(), [pairing](const FailoverNote& note) {
    return note.pairing == pairing;
  });
  return found == notes.end() ? nullptr : &*found;
}

/// The room for a baseline may have been another's: rows that point there lose it.
bool place_baseline(srp_policy& policy, BindRow& row) {
  if (!policy.gate->reads_baseline) return false;
  std::uint32_t at = 0;
  const bool evicted = policy.baselines.place(row, row.last_heard, at);
  if (evicted)
    for (BindRow& other : policy.binds.rows.all())
      if (other.baseline == at) other.baseline = kNoBaseline;
  row.baseline = at;
  return evicted;
}

/// A quarantine is of the pairing: a profile that is bound meanwhile waits for the same date, and
/// one that is bound later is as far on as the others.
void share_quarantine(const srp_policy& policy, BindRow& row) {
  const auto& rows = policy.binds.rows;
  for (auto at = policy.binds.first_of(row.pairing);
       at < rows.size && rows.items[at].pairing == row.pairing; ++at) {
    const BindRow& sibling = rows.items[at];
    if (sibling.ended != 0) continue;
    row.quarantine_until = row.wake_at = sibling.quarantine_until;
    row.quarantines = sibling.quarantines;
    row.released_at = sibling.released_at;
    row.half_open = sibling.half_open;
    return;
  }
}

}  // namespace

std::int32_t on_bind(Session& session, const srp_ev_bind& event) {
  srp_policy& policy = session.policy;
  if (policy.binds.find(event.h.pairing, event.profile.id) != nullptr) return SRP_E_STATE;
  BindRow fresh = row_from(event);
  if (const auto* note = note_of(policy, event.h.pairing)) {
    apply_failover(policy, *note, fresh);
  } else if (const auto* ancestor = policy.binds.ancestor_of(fresh)) {
    inherit(policy, *ancestor, fresh);
  }
  share_quarantine(policy, fresh);
  const bool evicted_baseline = place_baseline(policy, fresh);
  BindRow* row = nullptr;
  if (const BindRow* going = policy.binds.next_to_go()) policy.fleets.leave(*going);
  const bool evicted_live = policy.binds.insert(fresh, row);
  policy.fleets.enter(*row);
  judge_bind(session, *row);
  return evicted_baseline || evicted_live ? SRP_E_FULL : SRP_OK;
}

std::int32_t on_unbind(Session& session, const srp_ev_unbind& event) {
  srp_policy& policy = session.policy;
  auto& notes = policy.failovers;
  std::int32_t status = SRP_IGNORED;
  if (const auto* note = note_of(policy, event.h.pairing)) {
    notes.erase(static_cast<std::uint32_t>(note - notes.items));
    status = SRP_OK;
  }
  const auto& rows = policy.binds.rows;
  for (auto at = policy.binds.first_of(event.h.pairing);
       at < rows.size && rows.items[at].pairing == event.h.pairing; ++at) {
    BindRow& row = rows.items[at];
    if (row.ended != 0) continue;
    const FleetChange change(policy.fleets, row);
    row.ended = 1;
    row.last_heard = event.h.now;
    row.wake_at = 0;
    row.pending_decision = 0;
    status = SRP_OK;
  }
  return status;
}

std::int32_t on_failover(Session& session, const srp_ev_failover& event) {
  srp_policy& policy = session.policy;
  auto& notes = policy.failovers;
  const FailoverNote note{event.h.pairing, event.from_pairing, event.h.now};
  if (const auto* known = note_of(policy, note.pairing))
    notes.erase(static_cast<std::uint32_t>(known - notes.items));
  const bool evicts = notes.full();
  if (evicts) notes.erase(0);  // notes are in the order of their dates
  notes.insert(notes.size, note);
  const auto& rows = policy.binds.rows;
  for (auto at = policy.binds.first_of(note.pairing);
       at < rows.size && rows.items[at].pairing == note.pairing; ++at) {
    const FleetChange change(policy.fleets, rows.items[at]);
    apply_failover(policy, note, rows.items[at]);
  }
  return evicts ? SRP_E_FULL : SRP_OK;
}

}  // namespace specroute::router
