#include "sim/routing/circuit_breaker.hpp"

#include <algorithm>
#include <map>

namespace specroute::sim {
namespace {

constexpr std::uint32_t kMostDoublings = 32;

}  // namespace

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

CircuitBreakers::Epoch CircuitBreakers::sent(BackendId target) {
  if (!settings_) return 0;
  Breaker& breaker = breakers_[target.index()];
  if (breaker.state == State::half_open) ++breaker.trying;
  return breaker.epoch;
}

bool CircuitBreakers::fails(TryOutcome outcome) const {
  return outcome == TryOutcome::failure || outcome == TryOutcome::timeout ||
         (outcome == TryOutcome::client_error && settings_->counts_client_errors);
}

std::optional<Seconds> CircuitBreakers::settled(BackendId target, Epoch sent_in, TryOutcome outcome,
                                                Seconds now) {
  if (!settings_) return std::nullopt;
  Breaker& breaker = breakers_[target.index()];
  const bool of_now = sent_in == breaker.epoch;
  if (of_now && breaker.trying > 0) --breaker.trying;
  if (outcome == TryOutcome::nothing) return std::nullopt;
  const bool failed = fails(outcome);
  breaker.recent_tries.add(now);
  if (failed) breaker.recent_failures.add(now);
  ++breaker.swept_tries;
  breaker.swept_failures += failed;
  breaker.in_a_row = failed ? breaker.in_a_row + 1 : 0;
  if (breaker.state == State::half_open)  // an older try tells of the target as it was
    return of_now ? tried(breaker, failed, now) : std::nullopt;
  const bool forgives = settings_->open_growth != OpenGrowth::linear;  // which only sweeps do there
  if (breaker.state == State::closed && !failed && forgives) breaker.opened = 0;
  if (breaker.state == State::open || !failed || !trips(breaker, now)) return std::nullopt;
  return open(breaker, now);
}

std::optional<Seconds> CircuitBreakers::tried(Breaker& breaker, bool failed, Seconds now) {
  if (failed) return open(breaker, now);
  if (++breaker.successes >= settings_->successes_to_close) enter(breaker, State::closed);
  return std::nullopt;
}

bool CircuitBreakers::trips(const Breaker& breaker, Seconds now) const {
  if (settings_->consecutive_failures > 0 && breaker.in_a_row >= settings_->consecutive_failures)
    return true;
  if (!settings_->failure_share) return false;
  const std::uint64_t tries = breaker.recent_tries.at(now);
  const auto failures = static_cast<double>(breaker.recent_failures.at(now));
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
  if (settings_->open_growth != OpenGrowth::linear ||
      settings_->open * breaker.opened < settings_->max_open + settings_->open)
    ++breaker.opened;  // a longer wait than the longest would take sweeps to forget
  double times = 1.0;
  if (settings_->open_growth == OpenGrowth::linear) times = breaker.opened;
  if (settings_->open_growth == OpenGrowth::exponential)
    for (std::uint32_t i = 1; i < std::min(breaker.opened, kMostDoublings); ++i) times *= 2.0;
  enter(breaker, State::open);
  breaker.until = now + std::min(settings_->open * times, settings_->max_open);
  ++openings_;
  return breaker.until;
}

void CircuitBreakers::enter(Breaker& breaker, State state) {
  breaker.state = state;
  ++breaker.epoch;
  breaker.in_a_row = 0;
  breaker.successes = 0;
  breaker.trying = 0;
  breaker.recent_tries.clear();
  breaker.recent_failures.clear();
}

void CircuitBreakers::wake(BackendId target, Seconds now) {
  Breaker& breaker = breakers_[target.index()];
  if (breaker.state != State::open || breaker.until != now) return;
  enter(breaker, settings_->half_open == HalfOpen::none ? State::closed : State::half_open);
}

bool CircuitBreakers::sweeps() const {
  return settings_ && (settings_->deviations || settings_->open_growth == OpenGrowth::linear);
}

std::vector<CircuitBreakers::Opened> CircuitBreakers::sweep(Seconds now) {
  if (settings_->open_growth == OpenGrowth::linear)
    for (Breaker& breaker : breakers_)
      if (breaker.state == State::closed && breaker.opened > 0) --breaker.opened;
  std::map<PoolId, std::vector<BackendId>> judged;
  for (std::uint32_t b = 0; b < breakers_.size(); ++b)
    if (breakers_[b].is_target && breakers_[b].swept_tries >= settings_->deviation_min_tries)
      judged[breakers_[b].pool].push_back(BackendId{b});
  std::vector<Opened> opened;
  for (const auto& [pool, targets] : judged)
    for (const BackendId id : outliers(targets))
      if (const auto until = open(breakers_[id.index()], now)) opened.push_back({id, *until});
  for (Breaker& breaker : breakers_) breaker.swept_tries = breaker.swept_failures = 0;
  return opened;
}

/// Closed ones alone: an open one cannot open.
std::vector<BackendId> CircuitBreakers::outliers(const std::vector<BackendId>& targets) const {
  std::vector<BackendId> result;
  if (!settings_->deviations || targets.size() < settings_->deviation_min_targets) return result;
  const auto rate = [&](BackendId id) {
    const Breaker& b = breakers_[id.index()];
    return 1.0 - static_cast<double>(b.swept_failures) / static_cast<double>(b.swept_tries);
  };
  const auto n = static_cast<double>(targets.size());
  double mean = 0.0;
  for (const BackendId id : targets) mean += rate(id) / n;
  double variance = 0.0;
  for (const BackendId id : targets) variance += (rate(id) - mean) * (rate(id) - mean) / n;
  const double distance = *settings_->deviations * *settings_->deviations * variance;
  for (const BackendId id : targets) {
    const double below = mean - rate(id);  // compared as squares: no root to round
    if (breakers_[id.index()].state == State::closed && below > 0.0 && below * below > distance)
      result.push_back(id);
  }
  return result;
}

void CircuitBreakers::probe_answered(BackendId target) {
  if (settings_ && settings_->closes_on_probe && breakers_[target.index()].state == State::open)
    enter(breakers_[target.index()], State::closed);
}

}  // namespace specroute::sim
