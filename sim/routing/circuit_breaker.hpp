/// @file
/// Circuit breakers: a router stops sending to a target that fails, for a while.
///
/// One state machine covers the public ones (docs/faults.md has their presets): closed -> open by
/// failures in a row, by their share within a window, or by a success rate far below the others';
/// open -> half-open or closed after a time that may grow; half-open -> closed by successes, open
/// by a failure. It sees answers and timeouts of its own tries, as a real one does.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <specroute/vocab/id.hpp>
#include <specroute/vocab/units.hpp>

#include "sim/scenario/scenario.hpp"

namespace specroute::sim {

/// What became of a try. `nothing`: taken back by the router, which says nothing of the target.
enum class TryOutcome : std::uint8_t { success, failure, client_error, timeout, nothing };

/// Counts over the latest `window` whole seconds.
class TryWindow {
 public:
  explicit TryWindow(std::uint32_t window_s) : slots_(window_s) {}
  void add(bool failed, Seconds now);
  void clear();
  [[nodiscard]] std::uint64_t tries(Seconds now);
  [[nodiscard]] std::uint64_t failures(Seconds now);

 private:
  struct Slot {
    std::int64_t second = -1;
    std::uint64_t tries = 0;
    std::uint64_t failures = 0;
  };
  void forget(Seconds now);

  std::vector<Slot> slots_;  ///< by second, modulo their number
};

class CircuitBreakers {
 public:
  /// No settings: every breaker stays closed.
  explicit CircuitBreakers(const Scenario& scenario);

  [[nodiscard]] bool admits(BackendId target) const;
  void sent(BackendId target);
  /// @return the date at which to call `wake`, where the target's breaker opens now.
  std::optional<Seconds> settled(BackendId target, TryOutcome outcome, Seconds now);
  /// The time open is over. Ignored where that is no longer so.
  void wake(BackendId target, Seconds now);
  struct Opened {
    BackendId target;
    Seconds until;
  };
  /// Compares success rates over all targets since the last sweep; opens the outliers'.
  std::vector<Opened> sweep(Seconds now);
  /// A health probe was answered: closes the breaker where the settings say so.
  void probe_answered(BackendId target);

  [[nodiscard]] std::uint64_t openings() const { return openings_; }

 private:
  enum class State : std::uint8_t { closed, open, half_open };
  struct Breaker {
    explicit Breaker(std::uint32_t window_s) : window(window_s) {}
    State state = State::closed;
    PoolId pool;
    bool is_target = false;
    std::uint32_t in_a_row = 0;
    std::uint32_t successes = 0;  ///< while half-open
    std::uint32_t trying = 0;     ///< tries sent while half-open
    std::uint32_t opened = 0;     ///< times, that no success came between
    Seconds until{0.0};
    TryWindow window;
    std::uint64_t swept_tries = 0;
    std::uint64_t swept_failures = 0;
  };
  [[nodiscard]] bool fails(TryOutcome outcome) const;
  [[nodiscard]] bool trips(Breaker& breaker, Seconds now) const;
  [[nodiscard]] bool may_open(PoolId pool) const;
  std::optional<Seconds> open(Breaker& breaker, Seconds now);
  static void close(Breaker& breaker);

  std::optional<BreakerSettings> settings_;
  std::vector<Breaker> breakers_;  ///< by backend
  std::uint64_t openings_ = 0;
};

}  // namespace specroute::sim
