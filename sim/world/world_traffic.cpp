// Requests from their arrival to their end.
#include <algorithm>
#include <bit>
#include <cmath>

#include <specroute/vocab/check.hpp>

#include "sim/world/csv_field.hpp"
#include "sim/world/world.hpp"

namespace specroute::sim {
namespace {

/// What an end says of the target that held the request.
TryOutcome outcome_of(EndState state) {
  switch (state) {
    case EndState::completed:
      return TryOutcome::success;
    case EndState::timed_out:
      return TryOutcome::timeout;
    case EndState::rejected:
      return TryOutcome::client_error;
    case EndState::failed:
    case EndState::unfinished:
      return TryOutcome::nothing;
  }
  return TryOutcome::nothing;
}

EventKind kind_of(EngineActions::Due due) {
  switch (due) {
    case EngineActions::Due::drafts_arrive:
      return event::kDraftsArrive;
    case EngineActions::Due::pass_ends:
      return event::kPassEnds;
    case EngineActions::Due::drafts_leave:
      return event::kDraftsLeave;
  }
  check(false, "every due action has its event");
  return event::kPassEnds;
}

}  // namespace

void World::schedule_arrival(ClassId id) {
  if (const auto date = arrivals_[id.index()].next()) lane_.at(*date, event::kArrival, id.value);
}

void World::on_arrival(ClassId id) {
  admit(id, arrivals_[id.index()].take(), kNoUser);
  schedule_arrival(id);
}

void World::on_user_asks(std::uint32_t user) {
  const UserRef ref = users_[user];
  admit(ref.request_class, arrivals_[ref.request_class.index()].asks(ref.index), user);
}

/// However the request ended, its user thinks, and asks again.
void World::user_waits_no_more(std::uint32_t user, Seconds answered) {
  const UserRef ref = users_[user];
  const Seconds date = answered + arrivals_[ref.request_class.index()].thinks(ref.index);
  if (date < scenario_.horizon) lane_.at(date, event::kUserAsks, user);
}

void World::admit(ClassId id, const Asked& asked, std::uint32_t user) {
  const RequestClass& c = scenario_.classes[id.index()];
  const Seconds now = lane_.now();
  std::size_t phase = 0;
  while (phase + 1 < c.content.size() && c.content[phase + 1].from <= now) ++phase;

  Request request;
  request.request_class = id;
  request.tenant = asked.tenant;
  request.user = user;
  request.session = asked.session;
  Sequence& sequence = request.sequence;
  sequence.request = RequestId{next_request_++};
  sequence.row = first_row(kinds_of_class_[id.index()][phase], sequence.request);
  sequence.prompt_tokens = asked.prompt_tokens;
  sequence.length = asked.output_tokens;
  sequence.limit = asked.limit_tokens;
  sequence.prefix = asked.prefix;
  sequence.arrival = now;
  sequence.deadline = now + scenario_.router.request_timeout;
  sharing_.assign(id, request);
  totals_.arrived(id, now);
  const std::uint32_t slot = requests_.add(request);
  begin_tries(slot);
  dispatch(slot, false);
}

/// Its own draw says how easy a request is to draft, whoever serves it.
TrafficRow World::first_row(std::uint32_t kind, RequestId request) const {
  const RowLayout& layout = tables_.layout();
  if (layout.quantiles == 1) return layout.row(kind, 0, 0);
  const double quantile = models::uniform_of(request_kind_key_, request.value) * layout.quantiles;
  return layout.row(kind, static_cast<std::uint32_t>(quantile), 0);
}

/// Sends a request to a target, or lets it wait for one.
void World::dispatch(std::uint32_t slot, bool retry) {
  Request& request = requests_[slot];
  const PoolId pool = scenario_.classes[request.request_class.index()].pool;
  const auto choice =
      dispatcher_.choose({.pool = pool,
                          .request = request.sequence.request,
                          .session = request.session,
                          .prompt_tokens = request.sequence.prompt_tokens,
                          .prefix = prepared_.prefixes.hashes(request.sequence.prefix),
                          .now = lane_.now()});
  if (!choice) {
    request.target = BackendId{};
    if (dispatcher_.is_broken(pool))  // as a gateway does, with status 503
      return answer_later(slot, TryOutcome::failure,
                          lane_.now() + scenario_.router.error_turnaround);
    request.tries.place = TryState::Place::router;
    if (!dispatcher_.enqueue(pool, slot, retry))
      return end_request(slot, request.sequence, EndState::rejected);
    return take_place(pool, slot, retry);
  }
  request.wanted_engine = choice->engine;
  request.arrived_locked =
      request.arrived_locked || locked(choice->target, request.sequence.arrival);
  send(slot, choice->target);
}

/// Higher priorities wait ahead of lower ones. Among equals who was admitted before goes first, and
/// else who came first, which is where the queue has put them.
void World::take_place(PoolId pool, std::uint32_t slot, bool retry) {
  if (!has_priorities_) return;
  const auto priority = [this](std::uint32_t waiting) {
    return scenario_.classes[requests_[waiting].request_class.index()].priority;
  };
  const std::int32_t own = priority(slot);
  auto& queue = dispatcher_.queue(pool);
  if (retry) {
    const auto first_equal = std::find_if(queue.begin() + 1, queue.end(), [&](std::uint32_t other) {
      return priority(other) <= own;
    });
    std::rotate(queue.begin(), queue.begin() + 1, first_equal);
  } else {
    const auto first_lower =
        std::partition_point(queue.begin(), queue.end() - 1,
                             [&](std::uint32_t other) { return priority(other) >= own; });
    std::rotate(first_lower, queue.end() - 1, queue.end());
  }
}

/// Whether the pairing that serves `target` was locked at `date`.
bool World::locked(BackendId target, Seconds date) const {
  const PairingId pairing = backends_[target.index()].pairing;
  if (!pairing.exists()) return false;
  const LedgerEntry& entry = ledger_[pairing];
  return date >= entry.bound && entry.locked_until > date;
}

/// A backend's own balancer gives a request to its engine that holds fewest, ties to the lowest,
/// unless the router named one.
void World::on_submit(std::uint32_t slot) {
  Request& request = requests_[slot];
  TryState& tries = request.tries;
  if (!request.in_use || tries.place != TryState::Place::wire || tries.due != lane_.now()) return;
  BackendState& backend = backends_[request.target.index()];
  const Seconds answered = lane_.now() + scenario_.router.error_turnaround + backend.to_router;
  if (backend.alive && !backend.pairing.exists()) return bounce(slot);
  if (!backend.serves()) {
    if (backend.ailments.refuses) return answer_later(slot, TryOutcome::failure, answered);
    tries.place = TryState::Place::lost;
    backend.lost.push_back(slot);  // until probes tell the router, nobody answers
    return;
  }
  if (backend.ailments.error_share > 0.0 && backend.works() &&
      draw(error_key_, slot, request.target.value) < backend.ailments.error_share) {
    const bool client = backend.ailments.answer == ErrorAnswer::client;
    return answer_later(slot, client ? TryOutcome::client_error : TryOutcome::failure, answered);
  }
  tries.place = TryState::Place::engine;
  tries.exposed = backend.ailments.wrong_token_hazard > 0.0;
  tries.exposed_from = request.sequence.emitted;
  tries.log_spared_at_cut = 0.0;
  const auto load = [](const TargetEngine& engine) { return engine.running() + engine.waiting(); };
  const auto least = std::ranges::min_element(backend.engines, {}, load);
  request.engine =
      request.wanted_engine.value_or(static_cast<std::uint32_t>(least - backend.engines.begin()));
  actions_.clear();
  backend.engines[request.engine].submit(request.sequence, lane_.now(), actions_);
  carry_out(EngineRef{request.target, request.engine});
}

/// Back to the router from a target that it unbound without finding it dead: that costs no retry
/// and says nothing of the target.
void World::bounce(std::uint32_t slot) {
  release(slot, TryOutcome::nothing);
  if (!scenario_.router.retries_keep_tokens) begin_again(slot);
  dispatch(slot, true);
}

void World::flush_queue(PoolId pool) {
  auto& queue = dispatcher_.queue(pool);
  std::vector<std::uint32_t> waiting(queue.begin(), queue.end());
  queue.clear();
  for (const std::uint32_t slot : waiting) {
    if (requests_[slot].sequence.deadline <= lane_.now())
      end_request(slot, requests_[slot].sequence, EndState::timed_out);
    else
      dispatch(slot, false);
  }
}

/// Room has come up: who has waited longest at the router goes first.
void World::pull_waiting(PoolId pool) {
  auto& queue = dispatcher_.queue(pool);
  while (!queue.empty() && dispatcher_.has_room(pool)) {
    const std::uint32_t slot = queue.front();
    queue.pop_front();
    if (requests_[slot].sequence.deadline <= lane_.now())
      end_request(slot, requests_[slot].sequence, EndState::timed_out);
    else
      dispatch(slot, false);
  }
}

/// What a target held when it died or was unbound is tried again elsewhere, oldest first.
void World::retry_lost(BackendId backend, bool moved) {
  std::vector<std::uint32_t> lost;
  lost.swap(backends_[backend.index()].lost);
  std::ranges::sort(lost, {}, [&](std::uint32_t slot) { return requests_[slot].sequence.request; });
  for (auto slot = lost.rbegin(); slot != lost.rend(); ++slot)
    if (moved)
      bounce(*slot);
    else
      fail_try(*slot, TryOutcome::failure, retry_.innermost());
}

/// Deadlines of requests that no engine holds: at the router, or lost with a backend.
void World::expire_waiting() {
  const auto late = [this](std::uint32_t slot) {
    return requests_[slot].sequence.deadline <= lane_.now();
  };
  const auto expire = [&](auto& waiting) {
    const std::vector<std::uint32_t> all(waiting.begin(), waiting.end());
    std::erase_if(waiting, late);
    for (const std::uint32_t slot : all)
      if (late(slot)) end_request(slot, requests_[slot].sequence, EndState::timed_out);
  };
  for (std::uint32_t p = 0; p < scenario_.pools.size(); ++p) expire(dispatcher_.queue(PoolId{p}));
  for (BackendState& backend : backends_) expire(backend.lost);
}

void World::on_engine(std::uint32_t engine_and_half, EngineActions::Due due) {
  const EngineRef ref = engines_[engine_and_half / 2];
  BackendState& backend = backends_[ref.backend.index()];
  if (!backend.works()) return;
  const auto half = static_cast<std::uint8_t>(engine_and_half % 2);
  TargetEngine& engine = backend.engines[ref.index];
  actions_.clear();
  if (stalls_ && due == EngineActions::Due::drafts_arrive &&
      draft_is_silent(engine.drafting_under(half)))
    engine.miss_drafts(half, lane_.now(), actions_);
  else
    engine.on_due(due, half, lane_.now(), actions_);
  carry_out(ref);
}

void World::carry_out(EngineRef ref) {
  const std::uint32_t engine = backends_[ref.backend.index()].first_engine + ref.index;
  for (const auto& scheduled : actions_.scheduled)
    lane_.at(scheduled.date, kind_of(scheduled.due), engine * 2 + scheduled.half);
  for (const auto& emission : actions_.emissions)
    totals_.emission(prepared_.kinds[emission.kind].request_class, emission.gap,
                     emission.sequences);
  for (const auto& change : actions_.cache_changes)
    dispatcher_.on_cache_event(
        {.target = ref.backend,
         .engine = ref.index,
         .hash = change.hash,
         .kind = change.cached ? CacheEvent::Kind::cached : CacheEvent::Kind::evicted},
        lane_.now());
  for (const Sequence& sequence : actions_.finished) complete(sequence, ref);
  for (const Sequence& sequence : actions_.expired)
    end_request(sequence.slot, sequence, EndState::timed_out);
  for (const Sequence& sequence : actions_.rejected)
    end_request(sequence.slot, sequence, EndState::rejected);
}

void World::complete(const Sequence& emitted, EngineRef ref) {
  Request& request = requests_[emitted.slot];
  if (links_.is_cut(ref.backend, BackendId{})) {  // the answer never comes
    receive(emitted, ref.backend);
    if (!scenario_.router.retries_keep_tokens) begin_again(emitted.slot);
    request.tries.place = TryState::Place::lost;
    backends_[ref.backend.index()].lost.push_back(emitted.slot);
    return;
  }
  Sequence sequence = emitted;
  taint(sequence, ref.backend);
  const Seconds seen = lane_.now() + backends_[ref.backend.index()].to_router;
  incident_.completed({.target = ref.backend,
                       .arrival = sequence.arrival,
                       .at = seen,
                       .latency = seen - sequence.arrival,
                       .ttft = sequence.first_token + (seen - lane_.now()) - sequence.arrival,
                       .loop = sequence.loop_pairing.exists(),
                       .schema = sequence.schema_pairing.exists(),
                       .during_lock = request.arrived_locked});
  attribution_.completed(sequence);
  backends_[ref.backend.index()].loops_ended += ended_by_detector(sequence);
  series_.completed(ref.backend, sequence.degraded());
  const ProfileId profile = profile_of_kind_[tables_.layout().kind_of(sequence.row)];
  feed_.completed(backends_[ref.backend.index()].pairing, profile, sequence);
  window_latencies_[ref.backend.index() * scenario_.profiles.size() + profile.index()].push_back(
      (seen - sequence.arrival).count());
  mix(sequence.request.value);
  mix(std::bit_cast<std::uint64_t>(seen.count()));
  mix(sequence.emitted * 2U + sequence.degraded());
  end_request(sequence.slot, sequence, EndState::completed);
}

void World::end_request(std::uint32_t slot, const Sequence& sequence, EndState state) {
  const Request& request = requests_[slot];
  const bool served = request.target.exists();
  const Seconds network = served ? backends_[request.target.index()].to_router : Seconds{0.0};
  const Ending ending{.sequence = sequence,
                      .request_class = request.request_class,
                      .state = state,
                      .left = lane_.now(),
                      .at = lane_.now() + network,
                      .first_token = sequence.first_token + network,
                      .retries = request.retries};
  totals_.ended(ending);
  tenants_.ended(request.tenant, {.completed = state == EndState::completed,
                                  .good = totals_.is_good(ending),
                                  .degraded = state == EndState::completed && sequence.degraded(),
                                  .output_tokens = sequence.emitted});
  if (options_.keep_requests) write_row(ending, request);
  if (options_.keep_outcomes) note_outcome(ending);
  const std::uint32_t user = request.user;
  const PoolId pool = scenario_.classes[request.request_class.index()].pool;
  const BackendId target = request.target;
  const SentTry sent = request.tries.sent;
  if (served) dispatcher_.ended({target, request.wanted_engine});
  requests_.remove(slot);
  if (served) settle_try(target, sent, outcome_of(state));
  if (user != kNoUser) user_waits_no_more(user, ending.at);
  if (served) pull_waiting(pool);
  end_where_nobody_waits();
}

void World::write_row(const Ending& ending, const Request& request) {
  const Sequence& s = ending.sequence;
  const auto pairing = [](PairingId id) { return id.exists() ? std::to_string(id.value) : ""; };
  request_rows_ +=
      std::to_string(s.request.value) + ',' +
      one_line_field(scenario_.classes[ending.request_class.index()].name) + ',' +
      number_text(s.arrival.count()) + ',' + to_string(ending.state) + ',' +
      number_text(ending.at.count()) + ',' +
      (std::isnan(ending.first_token.count()) ? std::string{}
                                              : number_text(ending.first_token.count())) +
      ',' + std::to_string(s.prompt_tokens) + ',' + std::to_string(s.emitted) + ',' +
      std::to_string(ending.retries) + ',' + pairing(s.loop_pairing) + ',' +
      pairing(s.schema_pairing) + ',' + pairing(s.corruption_pairing) + ',' +
      (request.tenant == kNoTenant ? std::string{}
                                   : one_line_field(tenants_.name(request.tenant))) +
      ',' + (request.session == 0 ? std::string{} : std::to_string(request.session)) + ',' +
      blame_cells(s) + '\n';
}

/// What degraded it first: cause, target, draft, override owners, index of the decision. Empty
/// cells where nothing did; no draft, no override: "alone", "none".
std::string World::blame_cells(const Sequence& sequence) const {
  if (!sequence.degraded()) return ",,,,";
  const Circumstance& circumstance = attribution_[sequence.blamed];
  const LedgerEntry& entry = ledger_[circumstance.pairing];
  return std::string(to_string(sequence.first_cause)) + ',' +
         one_line_field(scenario_.backends[entry.target.index()].name) + ',' +
         (entry.draft.exists() ? one_line_field(scenario_.backends[entry.draft.index()].name)
                               : "alone") +
         ',' + one_line_field(attribution_.owners(sequence.blamed)) + ',' +
         std::to_string(circumstance.decision);
}

/// The drain limit: whatever is still in flight ends unfinished, wherever it is.
void World::end_all_unfinished() {
  for (std::uint32_t p = 0; p < scenario_.pools.size(); ++p) dispatcher_.queue(PoolId{p}).clear();
  for (std::size_t b = 0; b < backends_.size(); ++b) {
    std::vector<Sequence> held;
    for (TargetEngine& engine : backends_[b].engines) engine.take_all(lane_.now(), held);
    for (const Sequence& sequence : held) requests_[sequence.slot].sequence = sequence;
  }
  for (std::uint32_t slot = 0; slot < requests_.slots(); ++slot)
    if (requests_[slot].in_use) end_request(slot, requests_[slot].sequence, EndState::unfinished);
  lane_.stop_at(lane_.now());
}

}  // namespace specroute::sim
