#include "sim/routing/control.hpp"

#include <algorithm>

#include <specroute/vocab/check.hpp>

#include "sim/routing/fingerprint.hpp"

namespace specroute::sim {
namespace {

/// Profiles of the classes that each pool serves, ascending, without repeats; of a draft pool,
/// those of the pools that draw on it.
std::vector<std::vector<ProfileId>> profiles_by_pool(const Scenario& scenario) {
  std::vector<std::vector<ProfileId>> result(scenario.pools.size());
  for (const RequestClass& c : scenario.classes) {
    result[c.pool.index()].push_back(c.profile);
    for (const PoolId drafts : scenario.pools[c.pool.index()].draft_pools)
      result[drafts.index()].push_back(c.profile);
  }
  for (auto& profiles : result) {
    std::ranges::sort(profiles);
    const auto repeats = std::ranges::unique(profiles);
    profiles.erase(repeats.begin(), repeats.end());
  }
  return result;
}

}  // namespace

Control::Control(const Scenario& scenario, const PairingGraph& graph, Dispatcher& dispatcher,
                 PolicyHost& policy)
    : scenario_(scenario),
      graph_(graph),
      dispatcher_(dispatcher),
      policy_(policy),
      up_(scenario.backends.size(), true),
      incarnation_(scenario.backends.size(), 0),
      serving_(scenario.backends.size()),
      bound_to_(scenario.backends.size()),
      profiles_(profiles_by_pool(scenario)),
      rules_(rules_of_profiles(scenario)),
      measured_(scenario.backends.size(), std::vector<Measured>(scenario.backends.size())) {
  for (std::uint32_t p = 0; p < scenario.profiles.size(); ++p)
    required_.push_back(
        required_profile(policy.module(), ProfileId{p}, scenario.profiles[p].sampling, rules_[p]));
}

void Control::start(const std::vector<VerificationAnswer>& answers, Seconds now) {
  check(answers.size() == scenario_.pairings.size(), "every initial pairing was verified");
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const InitialPairing& initial = scenario_.pairings[i];
    BindOperation operation;
    operation.cause = BindCause::start;
    operation.target = initial.target;
    operation.draft = initial.draft;
    operation.verify_parameters = true;
    operation.answer = answers[i];
    operations_.push_back(operation);
    commit(static_cast<OperationId>(operations_.size() - 1), now);
  }
  for (std::uint32_t b = 0; b < scenario_.backends.size(); ++b)
    announce_candidate(BackendId{b}, now);
  carry_out(now);
}

bool Control::operating(BackendId target) const {
  const PairingId served = serving_[target.index()];
  return std::ranges::any_of(operations_, [&](const BindOperation& operation) {
    const bool moves = served.exists() && operation.replaces == served;
    return operation.open && (moves || operation.target == target);
  });
}

std::optional<BackendId> Control::standby_target(PoolId pool,
                                                 const std::vector<BackendId>& not_these) const {
  for (std::uint32_t b = 0; b < scenario_.backends.size(); ++b) {
    const BackendId id{b};
    const Backend& backend = scenario_.backends[b];
    if (backend.role == Role::target && backend.pool == pool && up_[b] && !serving_[b].exists() &&
        !operating(id) && std::ranges::count(not_these, id) == 0)
      return id;
  }
  return std::nullopt;
}

/// Tells the policy of a backend that serves nobody, or that it is one no more.
void Control::announce_candidate(BackendId backend, Seconds now) {
  const bool is_draft = scenario_.backends[backend.index()].role == Role::draft;
  const Backend& configured = scenario_.backends[backend.index()];
  const bool busy = is_draft ? bound_to_[backend.index()].size() >= configured.hosting.max_targets
                             : serving_[backend.index()].exists();
  const PoolId pool = configured.pool;
  for (const ProfileId profile : profiles_[pool.index()]) {
    srp_ev_candidate event{};
    event.side = claimed(backend, profile, SRP_CLAIMED);
    // Nobody has asked it what it samples with, and a claim would hide a stale override.
    event.side.known &= ~std::uint32_t{SRP_FP_PARAMS};
    event.side.params_v1 = event.side.params_v2 = 0;
    event.role = is_draft ? SRP_REPLACE_DRAFT : SRP_REPLACE_TARGET;
    event.available = up_[backend.index()] && !busy;
    event.profile = required_[profile.index()].id;
    tell(event, SRP_EV_CANDIDATE, now, 0);
  }
}

void Control::end_pairing(PairingId id, Seconds now) {
  PairingRecord& record = pairings_[id.index()];
  record.ended = now;
  serving_[record.target.index()] = PairingId{};
  dispatcher_.close(record.target);
  if (record.quarantined_until)  // it was the pairing's; whoever comes next is judged afresh
    dispatcher_.bar(record.target, Dispatcher::Bar::quarantine, false);
  announce_candidate(record.target, now);
  // A draft that died and came back may be another's by now.
  if (record.draft.exists() && drafts_for(record.draft, id)) {
    std::erase(bound_to_[record.draft.index()], id);
    announce_candidate(record.draft, now);
  }
  actions_.push_back({.kind = ControlAction::Kind::unbound, .pairing = id});
}

void Control::on_backend_down(BackendId backend, Seconds now) {
  up_[backend.index()] = false;
  announce_candidate(backend, now);
  const PairingId served = serving_[backend.index()];
  const std::vector<PairingId> lost = bound_to_[backend.index()];
  const auto operations = static_cast<OperationId>(operations_.size());
  for (OperationId id = 0; id < operations; ++id) {
    if (!operations_[id].open) continue;
    if (served.exists() && operations_[id].replaces == served)
      close(id, SRP_SUPERSEDED, now);  // the fail-over below replaces that pairing
    else if (operations_[id].target == backend || operations_[id].draft == backend)
      begin_again(id, backend, now);
  }
  if (served.exists()) {
    pairings_[served.index()].target_lost = true;
    end_pairing(served, now);
    fail_over_target(backend, served, now);
  } else if (!lost.empty()) {
    bound_to_[backend.index()].clear();
    replace_dead_draft(lost, now);
  }
  carry_out(now);
}

/// Of pairings that had one draft.
void Control::replace_dead_draft(const std::vector<PairingId>& pairings, Seconds now) {
  std::vector<BindOperation> operations;
  for (const PairingId id : pairings) {
    const PairingRecord& record = pairings_[id.index()];
    if (record.ended || operating(record.target)) continue;
    BindOperation operation;
    operation.cause = BindCause::draft_lost;
    operation.target = record.target;
    operation.replaces = id;
    operation.verify_parameters = scenario_.router.verify_parameters_at_bind;
    operations.push_back(operation);
  }
  begin_all(std::move(operations), now);
}

void Control::on_backend_up(BackendId backend, std::uint64_t incarnation, Seconds now) {
  up_[backend.index()] = true;
  incarnation_[backend.index()] = incarnation;
  announce_candidate(backend, now);
  carry_out(now);
}

void Control::fail_over_target(BackendId lost, PairingId old, Seconds now) {
  BindOperation operation;
  operation.cause = BindCause::target_lost;
  operation.replaces = old;
  operation.tried.push_back(lost);
  operation.verify_parameters = scenario_.router.verify_parameters_at_bind;
  begin(operation, now);
}

/// Each unlocked pairing takes the draft with the highest acceptance measured for its target, then
/// the cheapest, then the lowest id. A draft never measured here ranks below all that were.
void Control::on_reselect(Seconds now) {
  for (std::uint32_t t = 0; t < serving_.size(); ++t) {
    const PairingId id = serving_[t];
    if (!id.exists()) continue;
    const PairingRecord& record = pairings_[id.index()];
    const bool stays = record.locked_until > now || record.quarantined_until.has_value();
    if (!record.draft.exists() || stays || operating(record.target)) continue;
    Measured& latest = measured_[t][record.draft.index()];
    if (latest.drafted > 0)
      latest = {0, 0, static_cast<double>(latest.accepted) / static_cast<double>(latest.drafted)};
    const auto rate = [&](BackendId draft) {
      return measured_[t][draft.index()].rate.value_or(-1.0);
    };
    BackendId best = record.draft;
    for (const auto& candidate :
         graph_.partners(record.target, [&](BackendId draft) { return draft_room(draft) > 0; }))
      if (rate(candidate.backend) > rate(best)) best = candidate.backend;
    if (best == record.draft) continue;
    BindOperation operation;
    operation.cause = BindCause::reselect;
    operation.target = record.target;
    operation.draft = best;
    operation.replaces = id;
    operation.verify_parameters = scenario_.router.verify_parameters_at_bind;
    begin(operation, now);
  }
  carry_out(now);
}

void Control::on_tick(Seconds now) {
  for (const PairingId id : serving_)  // a reward lasts as long as its lock
    if (id.exists() && pairings_[id.index()].locked_until <= now)
      dispatcher_.reward(pairings_[id.index()].target, 0);
  release_quarantined(now);
  srp_ev_tick event{};
  tell(event, SRP_EV_TICK, now, 0);
  carry_out(now);
}

}  // namespace specroute::sim
