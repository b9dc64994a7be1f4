// A bind from the router's command to its commit.
#include <algorithm>

#include <specroute/vocab/check.hpp>

#include "sim/routing/control.hpp"
#include "sim/routing/fingerprint.hpp"

namespace specroute::sim {
namespace {

/// Whether the operation looks for a target, rather than for a draft of the one that serves.
bool moves_target(const BindOperation& operation) {
  return operation.cause == BindCause::target_lost ||
         (operation.constraint && operation.constraint->replace == SRP_REPLACE_TARGET);
}

}  // namespace

srp_side Control::claimed(BackendId backend, ProfileId profile, std::uint32_t provenance) const {
  // Configuration says that a backend applies what each request asks for.
  return fingerprint(policy_.module(), scenario_.backends[backend.index()],
                     {backend, incarnation_[backend.index()], scenario_.router.tokenizer_identity,
                      rules_[profile.index()]},
                     scenario_.profiles[profile.index()].sampling, provenance);
}

/// A router that verifies bindings at configuration time knows what it read then, and no more.
void Control::limit_to_configuration(srp_side& side) const {
  if (scenario_.router.verify_binding == VerifyBinding::bind) return;
  set_binding(side, scenario_.backends[side.backend - 1], scenario_.router.tokenizer_identity);
}

/// A candidate died with an answer on its way: a new operation goes on with the next one, and what
/// the old one asked for is ignored when it comes.
void Control::begin_again(OperationId id, BackendId dead, Seconds now) {
  operations_[id].open = false;
  BindOperation operation = operations_[id];
  operation.open = true;
  operation.tried.push_back(dead);
  if (operation.target == dead) {
    operation.target = BackendId{};
    operation.solo = false;  // the next target may find a draft; and nothing commits without one
  }
  operations_.push_back(std::move(operation));
  advance(static_cast<OperationId>(operations_.size() - 1), now);
}

void Control::close(OperationId id, std::uint32_t result, Seconds now) {
  operations_[id].open = false;
  const std::uint64_t decision = operations_[id].decision;
  if (decision != 0) outcome(decision, operations_[id].replaces, result, now);
}

/// The target that serves does not answer. If it died, probes will tell, and the fail-over does
/// the rest; until then the operation can only be tried again.
void Control::on_silent_target(OperationId id, Seconds now) {
  close(id, SRP_SUPERSEDED, now);
  rearm(id, now);
}

/// What an operation leaves undone is tried again later: a fail-over, a readmission, or whatever
/// was to replace a draft that died, which nobody else would come back to.
void Control::rearm(OperationId id, Seconds now) {
  const BindOperation& operation = operations_[id];
  const PairingRecord& old = pairings_[operation.replaces.index()];
  const Seconds retry = now + scenario_.router.no_candidate_retry;
  if (operation.cause == BindCause::readmit)
    actions_.push_back(
        {.kind = ControlAction::Kind::readmit_at, .date = retry, .pairing = operation.replaces});
  else if (operation.cause == BindCause::target_lost || lacks_draft(old, operation.replaces))
    actions_.push_back({.kind = ControlAction::Kind::retry_at, .date = retry, .operation = id});
}

/// Whether a pairing serves with a draft that died.
bool Control::lacks_draft(const PairingRecord& record, PairingId id) const {
  return !record.ended && record.draft.exists() && !drafts_for(record.draft, id);
}

/// The policy keeps the draft and wants another target.
bool Control::pick_target_for_draft(BindOperation& operation) const {
  const PairingRecord& old = pairings_[operation.replaces.index()];
  operation.draft = old.draft;
  operation.target = BackendId{};
  if (!old.draft.exists() || !up_[old.draft.index()]) return false;
  std::vector<BackendId> not_these = operation.tried;
  for (std::uint32_t b = 0; b < scenario_.backends.size(); ++b)
    if (excluded(operation, BackendId{b})) not_these.push_back(BackendId{b});
  const auto target = standby_target(scenario_.backends[old.target.index()].pool, not_these);
  if (target) operation.target = *target;
  return target.has_value();
}

bool Control::excluded(const BindOperation& operation, BackendId backend) const {
  if (!operation.constraint) return false;
  const auto* const end = operation.constraint->exclude + operation.constraint->n_exclude;
  return std::find(operation.constraint->exclude, end, abi_id(backend.value)) != end;
}

void Control::on_verification(OperationId id, const VerificationAnswer& answer, Seconds now) {
  BindOperation& operation = operations_[id];
  if (!operation.open) return;
  if (!answer.target_reachable && !moves_target(operation)) {
    on_silent_target(id, now);
  } else if (!answer.target_reachable) {
    operation.tried.push_back(operation.target);
    operation.target = BackendId{};
    operation.solo = false;  // the next target may find a draft
    advance(id, now);
  } else if (!answer.draft_reachable || !consistent(operation, answer)) {
    const bool target_is_new =
        operation.constraint && operation.constraint->replace == SRP_REPLACE_TARGET;
    operation.tried.push_back(target_is_new ? operation.target : operation.draft);
    advance(id, now);
  } else {
    operation.answer = answer;
    actions_.push_back({.kind = ControlAction::Kind::rebuild, .operation = id});
  }
  carry_out(now);
}

/// Tokenizer, KV block and mask unless configuration is believed; live parameters where the router
/// or the policy asks.
bool Control::consistent(const BindOperation& operation, const VerificationAnswer& answer) const {
  const PoolId pool = scenario_.backends[operation.target.index()].pool;
  return std::ranges::all_of(profiles_[pool.index()], [&](ProfileId profile) {
    const srp_side& draft = answer.draft[profile.index()];
    const srp_side& target = answer.target[profile.index()];
    const bool same_binding = draft.tokenizer == target.tokenizer &&
                              draft.kv_block_tokens == target.kv_block_tokens &&
                              draft.mask == target.mask;
    return (same_binding || scenario_.router.verify_binding == VerifyBinding::configuration) &&
           samples_as_wanted(operation, required_[profile.index()], draft, target);
  });
}

/// The policy's constraint is about one profile and one side; the router's own question about all.
bool Control::samples_as_wanted(const BindOperation& operation, const srp_profile& wanted,
                                const srp_side& draft, const srp_side& target) {
  if (operation.constraint && (operation.constraint->match & SRP_FP_PARAMS) != 0) {
    if (wanted.id != operation.profile) return true;
    const srp_constraint& asked = *operation.constraint;
    const srp_side& newcomer = asked.replace == SRP_REPLACE_TARGET ? target : draft;
    return (asked.params_version == 2 ? newcomer.params_v2 : newcomer.params_v1) == asked.required;
  }
  return !operation.verify_parameters ||
         (draft.params_v2 == wanted.required_v2 && target.params_v2 == wanted.required_v2);
}

/// No candidate is left: decline the policy's wish, or serve alone, or try again later.
void Control::give_up(OperationId id, Seconds now) {
  BindOperation& operation = operations_[id];
  operation.open = false;
  if (operation.decision != 0 || operation.cause == BindCause::reselect) {
    const PairingId kept = operation.replaces;
    close(id, SRP_DECLINED_NO_CANDIDATE, now);
    // The draft may have died meanwhile, and this operation was to replace it.
    if (lacks_draft(pairings_[kept.index()], kept)) replace_dead_draft({kept}, now);
    return;
  }
  if (operation.target.exists() && operation.cause != BindCause::readmit) {
    BindOperation alone;
    alone.cause = operation.cause;
    alone.target = operation.target;
    alone.replaces = operation.replaces;
    alone.verify_parameters = operation.verify_parameters;  // if its target dies, it searches again
    alone.solo = true;
    alone.solo_until = now + scenario_.router.no_candidate_retry;
    return begin(alone, now);
  }
  rearm(id, now);
}

void Control::on_retry(OperationId operation, Seconds now) {
  if (operations_[operation].cause != BindCause::target_lost) {
    replace_dead_draft({operations_[operation].replaces}, now);
    return carry_out(now);
  }
  BindOperation again;
  again.cause = operations_[operation].cause;
  again.replaces = operations_[operation].replaces;
  again.verify_parameters = operations_[operation].verify_parameters;
  begin(again, now);
  carry_out(now);
}

void Control::on_readmit(PairingId pairing, Seconds now) {
  const PairingRecord& record = pairings_[pairing.index()];
  if (record.ended || operating(record.target)) return;
  BindOperation operation;
  operation.cause = BindCause::readmit;
  operation.target = record.target;
  operation.replaces = pairing;
  operation.verify_parameters = true;  // a draft that was sent away comes back only verified
  begin(operation, now);
  carry_out(now);
}

void Control::on_rebuilt(OperationId id, Seconds now) {
  if (!operations_[id].open) return;
  commit(id, now);
  carry_out(now);
}

void Control::commit(OperationId id, Seconds now) {
  operations_[id].open = false;
  const BindOperation operation = operations_[id];
  if (operation.replaces.exists() && !pairings_[operation.replaces.index()].ended)
    end_pairing(operation.replaces, now);
  const PairingId pairing{static_cast<std::uint32_t>(pairings_.size())};
  PairingRecord record;
  record.target = operation.target;
  record.draft = operation.solo ? BackendId{} : operation.draft;
  record.cause = operation.cause;
  record.bound = now;
  pairings_.push_back(record);
  serving_[operation.target.index()] = pairing;
  if (!operation.solo) bound_to_[operation.draft.index()].push_back(pairing);
  dispatcher_.open(operation.target, 0);
  announce_candidate(operation.target, now);
  if (!operation.solo) announce_candidate(operation.draft, now);
  actions_.push_back({.kind = ControlAction::Kind::bound, .operation = id, .pairing = pairing});
  if (operation.solo)
    actions_.push_back({.kind = ControlAction::Kind::readmit_at,
                        .date = operation.solo_until,
                        .pairing = pairing});
  tell_policy_of_bind(pairing, operation, now);
}

void Control::tell_policy_of_bind(PairingId id, const BindOperation& operation, Seconds now) {
  const std::uint64_t pairing = abi_id(id.value);
  if (operation.cause == BindCause::target_lost) {
    srp_ev_failover event{};
    event.from_backend = abi_id(pairings_[operation.replaces.index()].target.value);
    event.to_backend = abi_id(operation.target.value);
    event.to_incarnation = incarnation_[operation.target.index()];
    event.from_pairing = abi_id(operation.replaces.value);
    tell(event, SRP_EV_FAILOVER, now, pairing);
  }
  if (operation.replaces.exists()) {
    srp_ev_unbind event{};
    tell(event, SRP_EV_UNBIND, now, abi_id(operation.replaces.value));
  }
  if (operation.decision != 0) outcome(operation.decision, operation.replaces, SRP_DONE, now);
  if (!operation.solo) tell_policy_of_sides(pairing, operation, now);
}

void Control::tell_policy_of_sides(std::uint64_t pairing, const BindOperation& operation,
                                   Seconds now) {
  const PoolId pool = scenario_.backends[operation.target.index()].pool;
  const Speculation& speculation = scenario_.pools[pool.index()].speculation;
  for (const ProfileId profile : profiles_[pool.index()]) {
    srp_ev_bind event{};
    event.profile = required_[profile.index()];
    if (operation.verify_parameters) {
      event.draft = operation.answer.draft[profile.index()];
      event.target = operation.answer.target[profile.index()];
      event.draft.provenance = event.target.provenance = SRP_VERIFIED_AT_BIND;
      limit_to_configuration(event.draft);
      limit_to_configuration(event.target);
    } else {
      event.draft = claimed(operation.draft, profile, SRP_CLAIMED);
      event.target = claimed(operation.target, profile, SRP_CLAIMED);
    }
    event.forward =
        speculation.forward == Forward::logits ? SRP_FORWARD_LOGITS : SRP_FORWARD_TOKENS;
    event.rule = static_cast<std::uint32_t>(speculation.rule);
    event.draft_tokens = speculation.draft_tokens;
    tell(event, SRP_EV_BIND, now, pairing);
  }
}

}  // namespace specroute::sim
