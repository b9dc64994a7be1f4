// The router's wishes, carried out: binds, verifications, rebuilt contexts.
#include <algorithm>

#include <specroute/vocab/check.hpp>

#include "sim/world/world.hpp"

namespace specroute::sim {
namespace {

constexpr Bytes kTokenIdBytes{4.0};

}  // namespace

/// Carrying out one action may bring more of them.
void World::carry_out_control() {
  for (std::size_t i = 0; i < control_.actions().size(); ++i) {
    const ControlAction action = control_.actions()[i];
    carry_out(action);
  }
  control_.actions().clear();
  note_decisions();  // after the binds, so that every pairing decided about is in the ledger
}

void World::carry_out(const ControlAction& action) {
  using Kind = ControlAction::Kind;
  switch (action.kind) {
    case Kind::verify_at:
      return lane_.at(action.date, event::kVerify, action.operation);
    case Kind::rebuild:
      return rebuild_contexts(action.operation);
    case Kind::rebuilt_at:
      return lane_.at(action.date, event::kRebuilt, action.operation);
    case Kind::bound:
      return bind(action.pairing, action.operation);
    case Kind::unbound:
      return unbind(action.pairing);
    case Kind::tick_at:
      return lane_.at(action.date, event::kTick, 0);
    case Kind::retry_at:
      if (!is_over()) lane_.at(action.date, event::kRetryBind, action.operation);
      return;
    case Kind::readmit_at:
      if (!is_over() && action.date < scenario_.horizon + scenario_.drain_limit)
        lane_.at(std::max(action.date, lane_.now()), event::kReadmit, action.pairing.value);
      return;
    case Kind::released: {
      const BackendId target = control_.pairing(action.pairing).target;
      feed_.released(target, lane_.now());
      return pull_waiting(scenario_.backends[target.index()].pool);
    }
  }
}

/// Truth: what is not as configured on either side, by whom, and whether its owner is gone.
std::string World::overrides_behind(const PairingRecord& pairing, Seconds at) const {
  std::string text;
  for (const BackendId side : {pairing.target, pairing.draft}) {
    const std::string found = side.exists() ? conditions_.describe(side, at) : std::string{};
    if (found.empty()) continue;
    text += (text.empty() ? "" : "; ") + scenario_.backends[side.index()].name + ": " + found;
  }
  return text;
}

/// Truth: whose overrides either side of a pairing is under, now.
std::string World::owners_behind(PairingId pairing) const {
  const LedgerEntry& entry = ledger_[pairing];
  std::string text;
  for (const BackendId side : {entry.target, entry.draft}) {
    const std::string found = side.exists() ? conditions_.owners(side, lane_.now()) : std::string{};
    if (!found.empty()) text += (text.empty() ? "" : " and ") + found;
  }
  return text;
}

/// Index of the decision that made a pairing: the policy's that asked for the bind, or a bind of
/// the router's own, which is noted as one.
std::uint32_t World::deciding(PairingId id, const BindOperation& operation) {
  if (operation.decision != 0) {
    const auto asked = std::find_if(decisions_.rbegin(), decisions_.rend(), [&](const auto& entry) {
      return !entry.is_bind() && entry.decision.id == operation.decision;
    });
    if (asked != decisions_.rend())
      return static_cast<std::uint32_t>(decisions_.rend() - asked - 1);
  }
  const PairingRecord& record = control_.pairing(id);
  const std::string draft =
      record.draft.exists() ? scenario_.backends[record.draft.index()].name : std::string{};
  decisions_.push_back({.at_s = lane_.now().count(),
                        .target = scenario_.backends[record.target.index()].name,
                        .draft = draft,
                        .overrides = overrides_behind(record, lane_.now()),
                        .reason = to_string(operation.cause),
                        .explanation = "the router bound the pairing by itself",
                        .harmful = ledger_[id].harmful()});
  decisions_.back().decision.h.now = to_nanoseconds(lane_.now());
  decisions_.back().decision.h.pairing = id.value + 1;
  return static_cast<std::uint32_t>(decisions_.size() - 1);
}

void World::note_decisions() {
  for (const DecisionRecord& record : control_.decisions()) {
    const PairingRecord& pairing = control_.pairing(record.pairing);
    incident_.decided(record.pairing, record.decision, record.at);
    ledger_.decided(record.pairing, record.decision, record.at);
    mix(record.decision.h.type);
    mix(record.decision.h.now);
    decisions_.push_back(
        {.at_s = record.at.count(),
         .target = scenario_.backends[pairing.target.index()].name,
         .draft = pairing.draft.exists() ? scenario_.backends[pairing.draft.index()].name
                                         : std::string{},
         .overrides = overrides_behind(pairing, record.at),
         .reason = policy_.reason(record.decision),
         .explanation = policy_.explain(record.decision),
         .harmful = record.pairing.index() < ledger_.size() && ledger_[record.pairing].harmful(),
         .decision = record.decision});
    const bool lets = record.decision.dry_run == 0 &&
                      (record.decision.h.type == SRP_LOCK || record.decision.h.type == SRP_HOLD);
    if (!lets || record.pairing.index() >= ledger_.size()) continue;
    Binding& binding = ledger_[record.pairing].binding;
    binding.circumstance = attribution_.with_decision(
        binding.circumstance, static_cast<std::uint32_t>(decisions_.size() - 1));
  }
  control_.decisions().clear();
}

void World::bind(PairingId id, OperationId operation) {
  const PairingRecord& record = control_.pairing(id);
  const Speculation& speculation =
      scenario_.pools[scenario_.backends[record.target.index()].pool.index()].speculation;
  LedgerEntry& entry = ledger_.open(id);
  entry.target = record.target;
  entry.draft = record.draft;
  entry.bound = entry.last_cut = lane_.now();
  entry.alone = tables_.tables(record.target, BackendId{}, conditions_, lane_.now());
  Binding& binding = entry.binding;
  binding.pairing = id;
  binding.alone = &entry.alone->tables;
  binding.tables = binding.alone;
  binding.counts.resize(entry.alone->tables.rows.size());
  entry.reported = binding.counts;
  entry.counters_fell.assign(scenario_.profiles.size(), false);
  if (const auto engine = prepared_.telemetry.engine_ever_alone(record.target)) {
    binding.sampled_engine = *engine;
    binding.sampled = entry.reported_sampled = binding.counts;
  }
  if (record.draft.exists()) {
    entry.with_draft = tables_.tables(record.target, record.draft, conditions_, lane_.now());
    binding.use(entry.with_draft->tables, entry.with_draft->shorter);
    binding.draft_tokens = speculation.draft_tokens;
    binding.draft_alive = backends_[record.draft.index()].alive;
    const Path way = path(record.target, record.draft);
    binding.drafts = draft_engines(record.target, record.draft);
    binding.to_draft = binding.from_draft = way.latency;
    binding.bandwidth = way.bandwidth;
    if (way.crosses_network) binding.flow_from = scenario_.network.flow_threshold;
    binding.flow_delay = way.between_racks;
    binding.co_located =
        scenario_.backends[record.draft.index()].hosting.on_devices_of == record.target;
    binding.per_position = speculation.forwarded_per_position;
  }
  ledger_.harm_changed(id, lane_.now());
  BackendState& target = backends_[record.target.index()];
  target.pairing = id;
  target.bound_incarnation = target.incarnation;
  const BindOperation& cause = control_.operation(operation);
  if (cause.cause == BindCause::policy && !cause.solo) ledger_.rebound();
  binding.circumstance = attribution_.open(id, owners_behind(id), deciding(id, cause));
  for (TargetEngine& engine : target.engines) engine.bind(&binding);
  tell_incident(id, cause);
  flush_queue(scenario_.backends[record.target.index()].pool);
}

void World::tell_incident(PairingId id, const BindOperation& operation) {
  const BackendId target = control_.pairing(id).target;
  if (operation.cause == BindCause::start) return;
  if (operation.cause == BindCause::target_lost && !incident_.t0()) {
    incident_.failed_over(id, target, lane_.now());
    lane_.at(lane_.now() + IncidentRecord::kWatched, event::kMark, kWatchEnds);
  } else {
    incident_.rebound(operation.replaces, ledger_.counts(operation.replaces), id, target,
                      lane_.now());
  }
}

/// The pairing ends. What a living target still holds goes on under its next binding, or moves.
void World::unbind(PairingId id) {
  const PairingRecord& record = control_.pairing(id);
  ledger_.ended(id, lane_.now());
  BackendState& target = backends_[record.target.index()];
  // Where a successor's `bound` action follows, sequences stay where they are.
  const bool moves = !control_.serving(record.target).exists();
  if (moves && target.alive) strip(record.target);  // while it is known whose tokens these are
  if (target.pairing == id) target.pairing = PairingId{};
  if (stalls_ && draft_is_silent(id)) {  // who waits for its drafts goes on without
    ledger_[id].binding.draft_alive = false;
    wake_parked();
  }
  if (moves) retry_lost(record.target, !record.target_lost);
}

/// Takes every sequence off a target's engines; they wait in `lost` to be tried elsewhere.
void World::strip(BackendId backend) {
  std::vector<Sequence> held;
  for (TargetEngine& engine : backends_[backend.index()].engines)
    engine.take_all(lane_.now(), held);
  for (const Sequence& sequence : held) {
    receive(sequence, backend);
    requests_[sequence.slot].tries.place = TryState::Place::lost;
    backends_[backend.index()].lost.push_back(sequence.slot);
  }
}

VerificationAnswer World::ask(BackendId target, BackendId draft) const {
  VerificationAnswer answer;
  const auto reachable = [this](BackendId side) {
    return side.exists() && backends_[side.index()].works() && reaches(BackendId{}, side);
  };
  answer.target_reachable = reachable(target);
  answer.draft_reachable = reachable(draft) && (!target.exists() || reaches(target, draft));
  if (answer.target_reachable) answer.target = backends_[target.index()].live;
  if (answer.draft_reachable) answer.draft = backends_[draft.index()].live;
  return answer;
}

/// Whoever brings a standby target up gives it what the primary ran under, overrides included.
void World::take_over_parameters(const BindOperation& operation) {
  if (scenario_.router.standby_parameters == StandbyParameters::own ||
      operation.cause != BindCause::target_lost || !operation.target.exists())
    return;
  const BackendId primary = control_.pairing(operation.replaces).target;
  conditions_.overrides.copy(primary, operation.target, lane_.now());
  on_condition_change(operation.target);
}

void World::on_verify(OperationId id) {
  const BindOperation& operation = control_.operation(id);
  if (!operation.open) return;  // superseded: it brings no target up any more
  take_over_parameters(operation);
  control_.on_verification(id, ask(operation.target, operation.draft), lane_.now());
}

/// Nobody who died, hung or was cut off meanwhile says that it is ready; nor does a process that
/// was not the one asked, as it knows none of the contexts.
void World::on_rebuilt(OperationId id) {
  const BindOperation& operation = control_.operation(id);
  if (!operation.open) return;
  VerificationAnswer answer = ask(operation.target, operation.draft);
  if (!operation.solo) {
    const auto same = [](const std::vector<srp_side>& now, const std::vector<srp_side>& then) {
      return !now.empty() && !then.empty() && now[0].incarnation == then[0].incarnation;
    };
    answer.target_reachable =
        answer.target_reachable && same(answer.target, operation.answer.target);
    answer.draft_reachable = answer.draft_reachable && same(answer.draft, operation.answer.draft);
  }
  if (answer.target_reachable && (operation.solo || answer.draft_reachable))
    control_.on_rebuilt(id, lane_.now());
  else
    control_.on_verification(id, answer, lane_.now());
}

/// The new draft must know every context that the target decodes: token ids cross the network (as
/// a flow where they are many), then each draft engine prefills its share.
void World::rebuild_contexts(OperationId id) {
  const BindOperation& operation = control_.operation(id);
  std::uint64_t tokens = 0;
  for (const TargetEngine& engine : backends_[operation.target.index()].engines)
    tokens += engine.context_tokens();
  if (tokens == 0) return lane_.at(lane_.now(), event::kRebuilt, id);
  const Bytes size = kTokenIdBytes * static_cast<double>(tokens);
  if (size >= scenario_.network.flow_threshold &&
      path(operation.target, operation.draft).crosses_network)
    return lane_.at(lane_.now(), event::kTransfer, id);
  prefill_contexts(id, lane_.now() + between(operation.target, operation.draft, size));
}

void World::prefill_contexts(OperationId id, Seconds start) {
  const BindOperation& operation = control_.operation(id);
  const auto& targets = backends_[operation.target.index()].engines;
  const std::vector<DraftEngine*> drafts = draft_engines(operation.target, operation.draft);
  Seconds done = start;
  for (std::size_t e = 0; e < targets.size(); ++e) {
    const double tokens = static_cast<double>(targets[e].context_tokens());
    if (tokens == 0.0) continue;
    const double sequences = targets[e].running();
    DraftEngine& draft = *drafts[e % drafts.size()];
    const models::Pass pass{.tokens_prefill = tokens,
                            .prefill_pairs = tokens * tokens / sequences / 2.0};
    DraftPass prefill{.time = draft.slowdown * models::pass_time(draft.step, pass)};
    prefill.work.add(pass);
    done = std::max(done, draft.queue(prefill, start, lane_.now()).ends);
  }
  lane_.at(done, event::kRebuilt, id);
}

void World::on_transfer(OperationId id) {
  const BindOperation& operation = control_.operation(id);
  double tokens = 0.0;
  for (const TargetEngine& engine : backends_[operation.target.index()].engines)
    tokens += static_cast<double>(engine.context_tokens());
  const bool started = flows_.start(HostIndex{operation.target.value + 1},
                                    HostIndex{operation.draft.value + 1}, kTokenIdBytes * tokens,
                                    to_tag({.kind = FlowCargo::Kind::contexts, .object = id}));
  if (!started) on_transfer_end(id, false);
}

void World::on_transfer_end(OperationId id, bool whole) {
  const BindOperation& operation = control_.operation(id);
  if (whole && reaches(operation.target, operation.draft)) return prefill_contexts(id, lane_.now());
  VerificationAnswer unreachable;
  unreachable.target_reachable =
      backends_[operation.target.index()].works() && reaches(BackendId{}, operation.target);
  control_.on_verification(id, unreachable, lane_.now());
  carry_out_control();
}

}  // namespace specroute::sim
