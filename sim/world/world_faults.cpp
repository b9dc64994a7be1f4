// What befalls backends and the paths between them, and what the world makes of it.
#include <algorithm>
#include <vector>

#include <specroute/vocab/check.hpp>

#include "models/random/philox.hpp"
#include "models/random/portable_math.hpp"
#include "sim/scenario/pairable.hpp"
#include "sim/world/world.hpp"

namespace specroute::sim {

void World::on_host_event(const HostEvent& fault) {
  using Kind = HostEvent::Kind;
  const auto ailments = [&]() -> Ailments& { return backends_[fault.backend.index()].ailments; };
  switch (fault.kind) {
    case Kind::down:
      return go_down(fault);
    case Kind::up:
      return come_up(fault.backend);
    case Kind::hang:
      return hang(fault.backend);
    case Kind::hang_over:
      return hang_over(fault.backend);
    case Kind::slow:
      return slow_down(fault.backend, fault.amount);
    case Kind::slow_over:
      return slow_down(fault.backend, 1.0);
    case Kind::errors:
      ailments().answer = fault.answer;
      ailments().error_share = fault.amount;
      return;
    case Kind::errors_over:
      ailments().error_share = 0.0;
      return;
    case Kind::cut:
      return cut(fault.from, fault.to);
    case Kind::mended:
      return mended(fault.from, fault.to);
    case Kind::drain:
      return dispatcher_.bar(fault.backend, Dispatcher::Bar::drain, true);
    case Kind::drain_over:
      dispatcher_.bar(fault.backend, Dispatcher::Bar::drain, false);
      return pull_waiting(scenario_.backends[fault.backend.index()].pool);
    case Kind::wrong_tokens:
      return compute_wrongly(fault.backend, fault.amount);
    case Kind::wrong_tokens_over:
      return compute_wrongly(fault.backend, 0.0);
  }
}

void World::go_down(const HostEvent& fault) {
  BackendState& backend = backends_[fault.backend.index()];
  backend.alive = false;
  backend.ailments.hung = false;
  backend.ailments.refuses = !fault.silent;
  platform_.turn_off(HostIndex{fault.backend.value + 1});
  if (scenario_.backends[fault.backend.index()].role == Role::draft) {
    for (DraftEngine& engine : backend.drafts) engine.stop(lane_.now());
    set_draft_alive(fault.backend, false);
    if (stalls_) wake_parked();
    return;
  }
  lose_host(fault.backend);
  if (fault.silent) return;
  // The process died, and its host resets the connections.
  std::vector<std::uint32_t> reset;
  reset.swap(backend.lost);
  for (const std::uint32_t slot : reset)
    answer_later(slot, TryOutcome::failure, lane_.now() + backend.to_router);
}

/// What its engines held is gone, prefix caches too.
void World::lose_host(BackendId backend) {
  strip(backend);
  auto& engines = backends_[backend.index()].engines;
  for (std::uint32_t e = 0; e < engines.size(); ++e) {
    if (engines[e].cache().size() == 0) continue;
    engines[e].lose_memory();
    dispatcher_.on_cache_event({.target = backend, .engine = e, .kind = CacheEvent::Kind::cleared},
                               lane_.now());
  }
}

void World::come_up(BackendId id) {
  platform_.turn_on(HostIndex{id.value + 1});
  start_process(id);
}

/// Engines that drafted with it notice at once that the connection broke.
void World::set_draft_alive(BackendId draft, bool alive) {
  for (BackendState& backend : backends_)
    if (backend.pairing.exists() && ledger_[backend.pairing].draft == draft)
      ledger_[backend.pairing].binding.draft_alive = alive;
}

/// A process that is yet to start cannot stand still: a hang that strikes then is over with it.
void World::hang(BackendId id) {
  if (!backends_[id.index()].alive) return;
  Ailments& ailments = backends_[id.index()].ailments;
  ailments.hung = true;
  ailments.hung_since = lane_.now();
}

void World::hang_over(BackendId id) {
  BackendState& backend = backends_[id.index()];
  if (!backend.ailments.hung) return;
  backend.ailments.hung = false;
  for (DraftEngine& engine : backend.drafts) engine.begin_from(lane_.now());
  for (std::uint32_t e = 0; e < backend.engines.size(); ++e) {
    actions_.clear();
    backend.engines[e].thaw(backend.ailments.hung_since, lane_.now(), actions_);
    carry_out(EngineRef{id, e});
  }
  wake_parked();
}

/// It is the device that is slow: so is all that runs on it, whichever of them was named.
void World::slow_down(BackendId id, double factor) {
  const auto home = [this](BackendId backend) { return home_of(scenario_.backends, backend); };
  backends_[id.index()].ailments.slowdown = factor;
  double all = 1.0;
  for (std::uint32_t b = 0; b < backends_.size(); ++b)
    if (home(BackendId{b}) == home(id)) all *= backends_[b].ailments.slowdown;
  for (std::uint32_t b = 0; b < backends_.size(); ++b) {
    if (home(BackendId{b}) != home(id)) continue;
    for (TargetEngine& engine : backends_[b].engines) engine.slow_down(all);
    for (DraftEngine& engine : backends_[b].drafts) engine.slowdown = all;
  }
}

/// What was lost on this path is sent again, as TCP does.
void World::mended(BackendId from, BackendId to) {
  links_.mend(from, to);
  wake_parked();
  const BackendId target = from.exists() ? from : to;
  if ((from.exists() && to.exists()) || !reaches(BackendId{}, target)) return;
  BackendState& backend = backends_[target.index()];
  if (!backend.serves()) return;
  std::vector<std::uint32_t> lost;
  lost.swap(backend.lost);
  for (const std::uint32_t slot : lost) {
    TryState& tries = requests_[slot].tries;
    tries.place = TryState::Place::wire;
    tries.due = lane_.now() + backend.to_router;
    lane_.at(tries.due, event::kSubmit, slot);
  }
}

/// Visits the slots of the requests that a target's engines hold, in order.
template <class Visit>
void World::each_held(BackendId target, Visit visit) {
  for (std::uint32_t slot = 0; slot < requests_.slots(); ++slot) {
    const Request& request = requests_[slot];
    if (request.in_use && request.tries.place == TryState::Place::engine &&
        (!target.exists() || request.target == target))
      visit(slot);
  }
}

/// Streams to the router break off: of what a target holds, the router keeps what it has by now.
void World::cut(BackendId from, BackendId to) {
  if (from.exists() && !to.exists() && !links_.is_cut(from, to))
    each_held(from, [&](std::uint32_t slot) {
      Request& request = requests_[slot];
      const BackendState& target = backends_[from.index()];
      const auto held = target.engines[request.engine].look_at(slot);
      check(held.has_value(), "a request is in the engine that it was given to");
      request.sequence = *held;
      TryState& tries = request.tries;
      count_exposed(tries, held->emitted, target.ailments.wrong_token_hazard);
      tries.log_spared_at_cut = tries.log_spared;
    });
  links_.cut(from, to);
}

/// Accounts for what a node that computes wrong tokens emitted: each of n is spared with 1 - h.
void World::count_exposed(TryState& tries, std::uint32_t emitted, double hazard) {
  if (tries.exposed && emitted > tries.exposed_from)
    tries.log_spared += (emitted - tries.exposed_from) * models::portable::log1p(-hazard);
  tries.exposed_from = emitted;
}

/// From now on each token that the node emits may be a wrong one, or none is any more.
void World::compute_wrongly(BackendId id, double hazard) {
  BackendState& backend = backends_[id.index()];
  each_held(id, [&](std::uint32_t slot) {
    Request& request = requests_[slot];
    const auto held = backend.engines[request.engine].look_at(slot);
    check(held.has_value(), "a request is in the engine that it was given to");
    count_exposed(request.tries, held->emitted, backend.ailments.wrong_token_hazard);
    request.tries.exposed = hazard > 0.0;
  });
  backend.ailments.wrong_token_hazard = hazard;
}

/// A sequence leaves a node that computes wrong tokens, or did: is one of them among its own?
/// P = 1 - prod (1 - h)^n over the n tokens emitted under each hazard h.
void World::taint(Sequence& sequence, BackendId id) {
  TryState& tries = requests_[sequence.slot].tries;
  count_exposed(tries, sequence.emitted, backends_[id.index()].ailments.wrong_token_hazard);
  tries.exposed = false;
  if (tries.log_spared == 0.0) return;
  const double spared = models::portable::exp(tries.log_spared);
  tries.log_spared = 0.0;
  const PairingId pairing = backends_[id.index()].pairing;
  if (draw(wrong_key_, sequence.slot, id.value) < spared || !pairing.exists()) return;
  if (sequence.corruption_pairing.exists()) return;
  sequence.corruption_pairing = pairing;
  if (sequence.first_cause != DegradationCause::none) return;
  sequence.first_cause = DegradationCause::corruption;
  sequence.blamed = ledger_[pairing].binding.circumstance;
}

/// Whether a pairing's draft lives and yet its drafts do not come.
bool World::draft_is_silent(PairingId id) const {
  if (!id.exists()) return false;
  const LedgerEntry& entry = ledger_[id];
  if (!entry.draft.exists() || !entry.binding.draft_alive) return false;
  return backends_[entry.draft.index()].ailments.hung || !reaches(entry.target, entry.draft);
}

/// Halves that wait for drafts go on where these can come again, or never will.
void World::wake_parked() {
  for (std::uint32_t b = 0; b < backends_.size(); ++b)
    for (std::uint32_t e = 0; e < backends_[b].engines.size(); ++e) {
      TargetEngine& engine = backends_[b].engines[e];
      actions_.clear();
      for (std::uint8_t h = 0; h < engine.halves(); ++h)
        if (engine.misses_drafts(h) && !draft_is_silent(engine.drafting_under(h)))
          engine.resume_drafts(h, lane_.now(), actions_);
      carry_out(EngineRef{BackendId{b}, e});
    }
}

/// Deadlines of requests in engines that stand still; the others look themselves.
void World::expire_held() {
  std::vector<std::uint32_t> late;
  each_held(BackendId{}, [&](std::uint32_t slot) {
    if (requests_[slot].sequence.deadline <= lane_.now()) late.push_back(slot);
  });
  for (const std::uint32_t slot : late) {
    take_back(slot);
    end_request(slot, requests_[slot].sequence, EndState::timed_out);
  }
}

}  // namespace specroute::sim
