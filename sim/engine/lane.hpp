/// @file
/// The event lane: our event queue as a resource model of SimGrid, driven by SimGrid's main loop.
///
/// SimGrid asks every model "when is your next event?", takes the least answer, and tells every
/// model "it is now t". In the first phase nothing in SimGrid moves, so the lane may run its LOCAL
/// events that lie strictly before SimGrid's own next date (look-ahead), without a SimGrid round
/// for each. PLATFORM events stop the look-ahead and run when SimGrid's clock equals their date.
///
/// Rules that make look-ahead equal to lockstep (one SimGrid round per date), bit for bit:
/// 1. The lane registers after the platform is built, and refuses peers that are not idempotent
///    (ns-3): asking them for their next date would move them.
/// 2. A LOCAL handler touches the world's own state only. Whatever reads time-varying state of
///    SimGrid or changes it is PLATFORM, and its kind carries kPlatformBit (Platform checks it).
/// 3. now() is the lane's clock. SimGrid's may lag behind it in LOCAL handlers and equals it
///    exactly in PLATFORM handlers and flow callbacks.
/// 4. No state profiles, no run_until, no ns-3: look-ahead cannot see them. Failures, samplers and
///    ends are events of ours.
/// 5. Order is (date, sequence). At equal dates the lane's events come before flow completions,
///    and what a completion schedules for that same date comes after.
///    Cancel by a generation number in the world, not by searching the heap.
/// 6. Lockstep stays in the product as the oracle: both modes must give equal traces.
/// 7. The run ends when nothing is left, with SimGrid's clock where the lane's is.
///
/// The clock never more than doubles in one step while SimGrid has a date ahead: from at least
/// half of a date on, the difference to it is exact (Sterbenz), and so is the date of arrival.
/// Otherwise a flow's end would depend, in its last bit, on where the engine had stopped before.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>

#include <specroute/vocab/check.hpp>
#include <specroute/vocab/units.hpp>

#include "sim/engine/event_heap.hpp"

namespace specroute::sim {

class Platform;

enum class LaneMode {
  lockstep,  ///< one SimGrid round per date; slow, the oracle of look-ahead
  lookahead,
};

enum class RunEnd {
  drained,   ///< nothing was left to do
  stopped,   ///< the date of stop_at was reached, and its events have run
  livelock,  ///< too many events fired without the date advancing; see Lane::diagnosis
};

struct LaneOptions {
  LaneMode mode = LaneMode::lookahead;
  /// Events that may fire at one date before the run counts as livelocked.
  std::uint64_t stall_limit = 50'000'000;
};

class LaneDriver;

/// The lane. Build it after the Platform; it must not outlive it. `run` is called once.
class Lane {
 public:
  explicit Lane(Platform& platform, LaneOptions options = {});
  ~Lane();
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  /// The simulated date.
  [[nodiscard]] Seconds now() const { return now_; }

  /// Schedules an event at `date`, in [now(), infinity); anything else, NaN too, is a bug.
  void at(Seconds date, EventKind kind, std::uint32_t object) {
    check(date >= now_ && date < kNever, "an event is scheduled at a finite date, not in the past");
    heap_.push({date, next_sequence_++, kind, object});
  }

  /// Ends the run at `date` >= now(): the events and flow completions of that date still happen,
  /// later ones do not, and SimGrid's clock stops there. stop_at(now()) ends it with this date.
  /// A run that drains earlier ends there. The last call wins.
  void stop_at(Seconds date);

  /// Runs until the end. World offers `void on_local(const Event&)` and
  /// `void on_platform(const Event&)`; the loop over local events is compiled into the caller.
  template <class World>
  RunEnd run(World& world);

  [[nodiscard]] std::uint64_t rounds() const { return rounds_; }  ///< SimGrid rounds so far
  [[nodiscard]] std::uint64_t fired() const { return fired_; }    ///< events fired so far
  [[nodiscard]] std::size_t pending() const { return heap_.size(); }

  /// After a livelock: the date, the count, and the kinds and objects last fired. Else empty.
  [[nodiscard]] std::string diagnosis() const;

 private:
  template <class World>
  friend class WorldDriver;
  class Model;

  static constexpr Seconds kNever{std::numeric_limits<double>::infinity()};
  static constexpr std::size_t kRemembered = 16;

  RunEnd run_driver(LaneDriver& driver);

  /// Moves the clock to an event that is about to fire. False: it must not fire (livelock).
  bool advance_to(const Event& event) {
    if (event.date > now_) {
      now_ = event.date;
      stalled_ = 0;
    } else if (++stalled_ + kRemembered > options_.stall_limit) {
      return note_stall(event);
    }
    ++fired_;
    return true;
  }
  bool note_stall(const Event& event);

  LaneOptions options_;
  EventHeap heap_;
  Seconds now_{0.0};
  Seconds stop_ = kNever;
  Seconds bound_ = kNever;  ///< look-ahead runs strictly before it
  std::uint64_t next_sequence_ = 0;
  std::uint64_t rounds_ = 0;
  std::uint64_t fired_ = 0;
  std::uint64_t stalled_ = 0;  ///< events since the date last advanced
  std::array<Event, kRemembered> last_{};
  bool livelocked_ = false;
  bool has_run_ = false;
  Platform& platform_;
  bool& local_event_runs_;
  std::shared_ptr<Model> model_;
};

/// Fires events on behalf of SimGrid's model: one virtual call per round, none per event.
class LaneDriver {
 public:
  virtual ~LaneDriver() = default;
  /// Fires the local events at the head of the queue that lie strictly before the lane's bound.
  virtual void look_ahead() = 0;
  /// Fires all events up to and including `date`.
  virtual void fire_until(Seconds date) = 0;
};

/// The driver of one concrete world.
template <class World>
class WorldDriver final : public LaneDriver {
 public:
  WorldDriver(Lane& lane, World& world) : lane_(lane), world_(world) {}

  void look_ahead() override {
    auto& heap = lane_.heap_;
    lane_.local_event_runs_ = true;
    while (!heap.empty() && heap.top().date < lane_.bound_ && !is_platform(heap.top())) {
      const Event event = heap.take();
      const bool fires = lane_.advance_to(event);
      if (fires) world_.on_local(event);
      heap.settle();
      if (!fires) break;
    }
    lane_.local_event_runs_ = false;
  }

  void fire_until(Seconds date) override {
    auto& heap = lane_.heap_;
    while (!heap.empty() && heap.top().date <= std::min(date, lane_.stop_)) {
      const Event event = heap.pop();
      if (!lane_.advance_to(event)) return;
      if (is_platform(event)) {
        world_.on_platform(event);
      } else {
        lane_.local_event_runs_ = true;
        world_.on_local(event);
        lane_.local_event_runs_ = false;
      }
    }
  }

 private:
  Lane& lane_;
  World& world_;
};

template <class World>
RunEnd Lane::run(World& world) {
  WorldDriver<World> driver(*this, world);
  return run_driver(driver);
}

}  // namespace specroute::sim
