/// @file
/// Circuit breakers: a router stops sending to a target that fails, for a while.
///
/// One state machine covers the public ones (docs/faults.md has their presets): closed -> open by
/// failures in a row, by their share within a window, or by a success rate far below the others';
/// open -> half-open or closed after a time that may grow; half-open -> closed by successes, open
/// by a failure. Only tries sent while half-open decide it: the answers to older ones tell of the
/// target as it was. Where the time grows linearly it shrinks by one step with each sweep that
/// finds the breaker closed, as Envoy's multiplier does; where it doubles, a success ends the
/// doubling. The breaker sees answers and timeouts of its own tries, as a real one does.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <specroute/vocab/id.hpp>
#include <specroute/vocab/units.hpp>

#include "sim/routing/recent_count.hpp"
#include "sim/scenario/scenario.hpp"

namespace specroute::sim {

/// What became of a try. `nothing`: taken back by the router, which says nothing of the target.
enum class TryOutcome : std::uint8_t { success, failure, client_error, timeout, nothing };

class CircuitBreakers {
 public:
  /// No settings: every breaker stays closed.
  explicit CircuitBreakers(const Scenario& scenario);

  [[nodiscard]] bool admits(BackendId target) const;
  /// Between two changes of a breaker's state; 0 without breakers.
  using Epoch = std::uint32_t;
  /// @return what `settled` is to be told of this try.
  Epoch sent(BackendId target);
  /// @return the date at which to call `wake`, where the target's breaker opens now.
  std::optional<Seconds> settled(BackendId target, Epoch sent_in, TryOutcome outcome, Seconds now);
  /// The time open is over. Ignored where that is no longer so.
  void wake(BackendId target, Seconds now);
  struct Opened {
    BackendId target;
    Seconds until;
  };
  /// Whether there is anything for `sweep` to do.
  [[nodiscard]] bool sweeps() const;
  /// Compares success rates since the last sweep, within each pool; opens the outliers'.
  std::vector<Opened> sweep(Seconds now);
  /// A health probe was answered: closes the breaker where the settings say so.
  void probe_answered(BackendId target);

  [[nodiscard]] std::uint64_t openings() const { return openings_; }

 private:
  enum class State : std::uint8_t { closed, open, half_open };
  struct Breaker {
    explicit Breaker(std::uint32_t window_s) : recent_tries(window_s), recent_failures(window_s) {}
    State state = State::closed;
    PoolId pool;
    bool is_target = false;
    std::uint32_t in_a_row = 0;
    std::uint32_t successes = 0;  ///< while half-open
    Epoch epoch = 0;
    std::uint32_t trying = 0;  ///< of the tries sent since it is half-open, those under way
    std::uint32_t opened = 0;  ///< times, less what successes or sweeps made up for
    Seconds until{0.0};
    RecentCount recent_tries;
    RecentCount recent_failures;
    std::uint64_t swept_tries = 0;
    std::uint64_t swept_failures = 0;
  };
  [[nodiscard]] bool fails(TryOutcome outcome) const;
  /// A try of the half-open breaker ended.
  std::optional<Seconds> tried(Breaker& breaker, bool failed, Seconds now);
  [[nodiscard]] bool trips(const Breaker& breaker, Seconds now) const;
  [[nodiscard]] bool may_open(PoolId pool) const;
  std::optional<Seconds> open(Breaker& breaker, Seconds now);
  static void enter(Breaker& breaker, State state);
  [[nodiscard]] std::vector<BackendId> outliers(const std::vector<BackendId>& targets) const;

  std::optional<BreakerSettings> settings_;
  std::vector<Breaker> breakers_;  ///< by backend
  std::uint64_t openings_ = 0;
};

}  // namespace specroute::sim
