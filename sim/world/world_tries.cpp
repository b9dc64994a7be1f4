// Tries of a request: how they fail, who retries them, what the circuit breakers make of it.
#include <algorithm>
#include <iterator>
#include <limits>

#include <specroute/vocab/check.hpp>

#include "models/random/philox.hpp"
#include "sim/world/world.hpp"

namespace specroute::sim {

using Place = TryState::Place;

bool counts_tries(const Scenario& scenario) {
  const auto answers = [](const Fault& fault) {
    return fault.kind == Fault::Kind::errors || (fault.kind == Fault::Kind::crash && !fault.silent);
  };
  return !scenario.router.retry_layers.empty() || scenario.router.breaker.has_value() ||
         std::ranges::any_of(scenario.faults, answers) ||
         std::ranges::any_of(scenario.random_faults,
                             [](const RandomFaults& entry) { return !entry.silent; });
}

/// Uniform on [0, 1), of one try of one request.
double World::draw(const models::StreamKey& key, std::uint32_t slot, std::uint32_t entity) const {
  const Request& request = requests_[slot];
  return models::uniform_of(key, request.sequence.request.value, request.tries.tries, entity);
}

void World::begin_tries(std::uint32_t slot) {
  Request& request = requests_[slot];
  request.tries.length = request.sequence.length;
  request.tries.row = request.sequence.row;
  if (!retry_.has_layers()) return;
  retry_.begin(request.tries.retry, lane_.now());
  watch_tries(slot, 0);
}

void World::watch_tries(std::uint32_t slot, std::uint32_t from_layer) {
  const Request& request = requests_[slot];
  for (std::uint32_t i = from_layer; i <= retry_.innermost(); ++i)
    if (request.tries.retry.deadline[i] < request.sequence.deadline)
      lane_.at(request.tries.retry.deadline[i], event::kTryTimeout, slot);
}

void World::send(std::uint32_t slot, BackendId target) {
  Request& request = requests_[slot];
  request.target = target;
  ++request.tries.tries;
  ++tries_.sent;
  request.tries.sent = {.at = lane_.now()};
  if (scenario_.router.breaker) {
    request.tries.sent.breaker = breakers_.sent(target);
    follow_breaker(target);
  }
  if (links_.is_cut(BackendId{}, target)) {
    request.tries.place = Place::lost;
    backends_[target.index()].lost.push_back(slot);
    return;
  }
  request.tries.place = Place::wire;
  request.tries.due = lane_.now() + backends_[target.index()].to_router;
  lane_.at(request.tries.due, event::kSubmit, slot);
}

void World::answer_later(std::uint32_t slot, TryOutcome answer, Seconds date) {
  TryState& tries = requests_[slot].tries;
  tries.place = Place::answering;
  tries.answer = answer;
  tries.due = date;
  lane_.at(date, event::kAnswer, slot);
}

void World::on_answer(std::uint32_t slot) {
  const Request& request = requests_[slot];
  const TryState& tries = request.tries;
  if (!request.in_use || tries.place != Place::answering || tries.due != lane_.now()) return;
  if (request.target.exists() && links_.is_cut(request.target, BackendId{})) {
    requests_[slot].tries.place = Place::lost;
    backends_[request.target.index()].lost.push_back(slot);
    return;
  }
  const PoolId pool = scenario_.classes[request.request_class.index()].pool;
  fail_try(slot, tries.answer, retry_.innermost());
  pull_waiting(pool);
}

/// Nobody holds the request any more; what its target did is on the breaker's record.
void World::release(std::uint32_t slot, TryOutcome outcome) {
  Request& request = requests_[slot];
  request.tries.place = Place::router;
  if (!request.target.exists()) return;
  const BackendId target = request.target;
  request.target = BackendId{};
  dispatcher_.ended({target, request.wanted_engine});
  settle_try(target, request.tries.sent, outcome);
}

/// A try came to nothing: some layer makes another one, or the request ends.
void World::fail_try(std::uint32_t slot, TryOutcome outcome, std::uint32_t layer) {
  release(slot, outcome);
  Request& request = requests_[slot];
  const bool gave_up = outcome == TryOutcome::timeout;
  tries_.failed += !gave_up;
  tries_.timed_out += gave_up;
  if (outcome == TryOutcome::client_error)
    return end_request(slot, request.sequence, EndState::failed);
  if (!retry_.has_layers()) return retry_legacy(slot);
  const EndState end = gave_up ? EndState::timed_out : EndState::failed;
  if (request.sequence.deadline <= lane_.now())
    return end_request(slot, request.sequence, EndState::timed_out);
  const auto next =
      retry_.after_failure(request.tries.retry, layer, lane_.now(), draw(jitter_key_, slot, layer));
  if (!next) return end_request(slot, request.sequence, end);
  ++request.retries;
  if (!scenario_.router.retries_keep_tokens) begin_again(slot);
  watch_tries(slot, next->layer);
  request.tries.place = Place::backoff;
  request.tries.due = std::min(lane_.now() + next->wait, request.sequence.deadline);
  lane_.at(request.tries.due, event::kRetry, slot);
}

/// Without layers: at once, ahead of all that wait, as often as the router's setting says.
void World::retry_legacy(std::uint32_t slot) {
  Request& request = requests_[slot];
  if (request.retries >= scenario_.router.max_retries)
    return end_request(slot, request.sequence, EndState::failed);
  ++request.retries;
  if (!scenario_.router.retries_keep_tokens) begin_again(slot);
  dispatch(slot, true);
}

/// As it arrived: what was emitted for it so far was in vain.
void World::begin_again(std::uint32_t slot) {
  Request& request = requests_[slot];
  Sequence& sequence = request.sequence;
  tries_.wasted_tokens += sequence.emitted;
  sequence.emitted = 0;
  sequence.length = request.tries.length;
  sequence.row = request.tries.row;
  sequence.first_token = Seconds{std::numeric_limits<double>::quiet_NaN()};
  sequence.loop_entered = 0;
  sequence.unsaid = 0;
  sequence.loop_pairing = sequence.schema_pairing = sequence.corruption_pairing = PairingId{};
  sequence.blamed = CircumstanceId{};
  sequence.first_cause = DegradationCause::none;
}

void World::on_retry(std::uint32_t slot) {
  const Request& request = requests_[slot];
  const TryState& tries = request.tries;
  if (!request.in_use || tries.place != Place::backoff || tries.due != lane_.now()) return;
  if (request.sequence.deadline <= lane_.now())
    return end_request(slot, request.sequence, EndState::timed_out);
  dispatch(slot, false);  // a request like any other: behind those that wait, and shed as they are
}

void World::on_try_timeout(std::uint32_t slot) {
  Request& request = requests_[slot];
  if (!request.in_use) return;
  const auto layer = retry_.timed_out(request.tries.retry, lane_.now());
  if (!layer) return;
  take_back(slot);
  const PoolId pool = scenario_.classes[request.request_class.index()].pool;
  fail_try(slot, TryOutcome::timeout, *layer);
  pull_waiting(pool);
}

/// From wherever it is.
void World::take_back(std::uint32_t slot) {
  Request& request = requests_[slot];
  const PoolId pool = scenario_.classes[request.request_class.index()].pool;
  if (request.tries.place == Place::router) std::erase(dispatcher_.queue(pool), slot);
  if (request.tries.place == Place::lost) std::erase(backends_[request.target.index()].lost, slot);
  if (request.tries.place != Place::engine) return;
  TargetEngine& engine = backends_[request.target.index()].engines[request.engine];
  const auto sequence = engine.withdraw(slot, lane_.now());
  check(sequence.has_value(), "a request is in the engine that it was given to");
  receive(*sequence, request.target);
}

/// A sequence leaves its engine unfinished. The router goes on after the tokens that it has: all of
/// them, or where the target's way to it is cut those that came before.
void World::receive(const Sequence& left, BackendId target) {
  Request& request = requests_[left.slot];
  if (links_.is_cut(target, BackendId{})) {
    tries_.wasted_tokens += left.emitted - request.sequence.emitted;
    request.tries.exposed = false;
    request.tries.log_spared = request.tries.log_spared_at_cut;
  } else {
    request.sequence = left;
  }
  taint(request.sequence, target);
}

void World::settle_try(BackendId target, const SentTry& sent, TryOutcome outcome) {
  feed_.settled(target, sent.at, outcome);
  if (!scenario_.router.breaker) return;
  if (const auto until = breakers_.settled(target, sent.breaker, outcome, lane_.now()))
    lane_.at(*until, event::kBreakerWakes, target.value);
  follow_breaker(target);
}

void World::follow_breaker(BackendId target) {
  dispatcher_.bar(target, Dispatcher::Bar::breaker, !breakers_.admits(target));
}

void World::on_breaker_wakes(BackendId target) {
  breakers_.wake(target, lane_.now());
  follow_breaker(target);
  pull_waiting(scenario_.backends[target.index()].pool);
}

void World::on_breaker_sweep() {
  for (const auto& opened : breakers_.sweep(lane_.now())) {
    lane_.at(opened.until, event::kBreakerWakes, opened.target.value);
    follow_breaker(opened.target);
  }
  every(scenario_.router.breaker->sweep, event::kBreakerSweep, 0);
}

void World::report_tries(Metrics& metrics) const {
  if (!counts_tries(scenario_)) return;
  const std::uint64_t counts[] = {tries_.sent,     tries_.failed,        tries_.timed_out,
                                  retry_.denied(), tries_.wasted_tokens, breakers_.openings()};
  static_assert(std::size(counts) == std::size(kTryMetrics));
  for (std::size_t i = 0; i < std::size(counts); ++i)
    metrics.emplace_back(kTryMetrics[i], static_cast<double>(counts[i]));
}

}  // namespace specroute::sim
