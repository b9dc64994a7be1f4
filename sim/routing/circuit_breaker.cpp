#include "sim/routing/circuit_breaker.hpp"

#include <algorithm>

namespace specroute::sim {
namespace {

constexpr std::uint32_t kMostDoublings = 32;

}  // namespace

void TryWindow::forget(Seconds now) {
  const auto second = static_cast<std::int64_t>(now.count());
  const auto window = static_cast<std::int64_t>(slots_.size());
  for (Slot& slot : slots_)
    if (slot.second <= second - window) slot = Slot{};
}

void TryWindow::add(bool failed, Seconds now) {
  const auto second = static_cast<std::int64_t>(now.count());
  Slot& slot = slots_[static_cast<std::size_t>(second) % slots_.size()];
  if (slot.second != second) slot = Slot{.second = second, .tries = 0, .failures = 0};
  ++slot.tries;
  slot.failures += failed;
}

void TryWindow::clear() {
  for (Slot& slot : slots_) slot = Slot{};
}

std::uint64_t TryWindow::tries(Seconds now) {
  forget(now);
  std::uint64_t sum = 0;
  for (const Slot& slot : slots_) sum += slot.tries;
  return sum;
}

std::uint64_t TryWindow::failures(Seconds now) {
  forget(now);
  std::uint64_t sum = 0;
  for (const Slot& slot : slots_) sum += slot.failures;
  return sum;
}

CircuitBreakers::CircuitBreakers(const Scenario& scenario) : settings_(scenario.router.breaker) {
  if (!settings_) return;
  for (const Backend& backend : scenario.backends) {
    breakers_.emplace_back(settings_->window_s);
    breakers_.back().pool = backend.pool;
    breakers_.back().is_target = backend.role == Role::target;
  }
}

bool CircuitBreakers::admits(BackendId target) const {
  if (!settings_) return true;
  const Breaker& breaker = breakers_[target.index()];
  if (breaker.state == State::closed) return true;
  return breaker.state == State::half_open &&
         (settings_->half_open == HalfOpen::all || breaker.trying == 0);
}

void CircuitBreakers::sent(BackendId target) {
  if (settings_ && breakers_[target.index()].state == State::half_open)
    ++breakers_[target.index()].trying;
}

bool CircuitBreakers::fails(TryOutcome outcome) const {
  return outcome == TryOutcome::failure || outcome == TryOutcome::timeout ||
         (outcome == TryOutcome::client_error && settings_->counts_client_errors);
}

std::optional<Seconds> CircuitBreakers::settled(BackendId target, TryOutcome outcome, Seconds now) {
  if (!settings_) return std::nullopt;
  Breaker& breaker = breakers_[target.index()];
  if (breaker.trying > 0) --breaker.trying;
  if (outcome == TryOutcome::nothing) return std::nullopt;
  const bool failed = fails(outcome);
  breaker.window.add(failed, now);
  ++breaker.swept_tries;
  breaker.swept_failures += failed;
  breaker.in_a_row = failed ? breaker.in_a_row + 1 : 0;
  if (breaker.state == State::half_open) {
    if (failed) return open(breaker, now);
    if (++breaker.successes >= settings_->successes_to_close) close(breaker);
    return std::nullopt;
  }
  if (breaker.state == State::closed && !failed) breaker.opened = 0;
  if (breaker.state == State::open || !failed || !trips(breaker, now)) return std::nullopt;
  return open(breaker, now);
}

bool CircuitBreakers::trips(Breaker& breaker, Seconds now) const {
  if (settings_->consecutive_failures > 0 && breaker.in_a_row >= settings_->consecutive_failures)
    return true;
  if (!settings_->failure_share) return false;
  const std::uint64_t tries = breaker.window.tries(now);
  const auto failures = static_cast<double>(breaker.window.failures(now));
  return tries >= settings_->min_tries &&
         failures > *settings_->failure_share * static_cast<double>(tries);
}

/// One may always be open; more only up to their share of the pool.
bool CircuitBreakers::may_open(PoolId pool) const {
  double targets = 0.0;
  double open = 0.0;
  for (const Breaker& each : breakers_) {
    if (!each.is_target || each.pool != pool) continue;
    targets += 1.0;
    open += each.state == State::open ? 1.0 : 0.0;
  }
  return open == 0.0 || open + 1.0 <= settings_->max_open_share * targets;
}

std::optional<Seconds> CircuitBreakers::open(Breaker& breaker, Seconds now) {
  const bool again = breaker.state == State::half_open;
  if (!again && !may_open(breaker.pool)) return std::nullopt;
  ++breaker.opened;
  double times = 1.0;
  if (settings_->open_growth == OpenGrowth::linear) times = breaker.opened;
  if (settings_->open_growth == OpenGrowth::exponential)
    for (std::uint32_t i = 1; i < std::min(breaker.opened, kMostDoublings); ++i) times *= 2.0;
  breaker.state = State::open;
  breaker.in_a_row = 0;
  breaker.successes = 0;
  breaker.window.clear();
  breaker.until = now + std::min(settings_->open * times, settings_->max_open);
  ++openings_;
  return breaker.until;
}

void CircuitBreakers::close(Breaker& breaker) {
  breaker.state = State::closed;
  breaker.in_a_row = 0;
  breaker.successes = 0;
  breaker.trying = 0;
  breaker.window.clear();
}

void CircuitBreakers::wake(BackendId target, Seconds now) {
  Breaker& breaker = breakers_[target.index()];
  if (breaker.state != State::open || breaker.until != now) return;
  if (settings_->half_open == HalfOpen::none) return close(breaker);
  breaker.state = State::half_open;
  breaker.trying = 0;
}

std::vector<CircuitBreakers::Opened> CircuitBreakers::sweep(Seconds now) {
  std::vector<Opened> opened;
  std::vector<BackendId> judged;
  const auto rate = [&](BackendId id) {
    const Breaker& b = breakers_[id.index()];
    return 1.0 - static_cast<double>(b.swept_failures) / static_cast<double>(b.swept_tries);
  };
  for (std::uint32_t b = 0; b < breakers_.size(); ++b)
    if (breakers_[b].is_target && breakers_[b].swept_tries >= settings_->deviation_min_tries)
      judged.push_back(BackendId{b});
  if (settings_->deviations && judged.size() >= settings_->deviation_min_targets) {
    const auto n = static_cast<double>(judged.size());
    double mean = 0.0;
    for (const BackendId id : judged) mean += rate(id) / n;
    double variance = 0.0;
    for (const BackendId id : judged) variance += (rate(id) - mean) * (rate(id) - mean) / n;
    const double distance = *settings_->deviations * *settings_->deviations * variance;
    for (const BackendId id : judged) {
      Breaker& breaker = breakers_[id.index()];
      const double below = mean - rate(id);  // compared as squares: no root to round
      if (breaker.state != State::closed || below <= 0.0 || below * below <= distance) continue;
      if (const auto until = open(breaker, now)) opened.push_back({id, *until});
    }
  }
  for (Breaker& breaker : breakers_) breaker.swept_tries = breaker.swept_failures = 0;
  return opened;
}

void CircuitBreakers::probe_answered(BackendId target) {
  if (settings_ && settings_->closes_on_probe && breakers_[target.index()].state == State::open)
    close(breakers_[target.index()]);
}

}  // namespace specroute::sim
