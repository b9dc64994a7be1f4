/// @file
/// A draft engine: a device that runs one pass at a time, first come first served.
///
/// Passes of all the target engines that it drafts for queue on it, in the order of their sending.
/// What it has done by a date is counted of the queue as it stands then: a pass that the end of the
/// run or of the process cuts off counts with its time so far, and its work not at all.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>

#include <specroute/vocab/units.hpp>

#include "models/devices/step_time.hpp"
#include "sim/serving/slow_start.hpp"

namespace specroute::sim {

struct DraftPass {
  Seconds time{0.0};
  models::WorkDone work = {};
};

class DraftEngine {
 public:
  explicit DraftEngine(const models::StepModel& step_model = {}) : step(step_model) {}

  models::StepModel step;
  double slowdown = 1.0;  ///< of every pass that begins from now on
  SlowStart slow = {};

  /// A pass in the queue, by the number of those before it over the engine's life.
  struct Queued {
    std::uint64_t number = 0;
    Seconds ends{0.0};
  };
  /// Puts a pass behind all others. @param arrives >= now, when its request is here.
  Queued queue(const DraftPass& pass, Seconds arrives, Seconds now) {
    while (!queue_.empty() && queue_.front().ends <= now) complete_first();
    const Seconds begins = std::max(arrives, free_at_);
    free_at_ = begins + pass.time;
    queue_.push_back({.begins = begins, .ends = free_at_, .work = pass.work});
    return {.number = completed_ + queue_.size() - 1, .ends = free_at_};
  }
  /// Whether that pass is still under way, or waits. A pass that the engine lost is not.
  [[nodiscard]] bool holds(std::uint64_t number, Seconds now) const {
    return number >= completed_ && number - completed_ < queue_.size() &&
           queue_[number - completed_].ends > now;
  }
  /// The process died: its passes under way and in line are lost.
  void stop(Seconds now) {
    busy_ = busy_by(now);
    work_ = work_by(now);
    completed_ += queue_.size();
    queue_.clear();
    free_at_ = now;
  }
  /// It stood still and begins nothing before `date`.
  void begin_from(Seconds date) { free_at_ = std::max(free_at_, date); }

  /// Time in passes up to `now`, which never goes back: at most `now`.
  [[nodiscard]] Seconds busy_by(Seconds now) const {
    Seconds busy = busy_;
    for (const Pass& pass : queue_)
      busy += std::max(std::min(pass.ends, now) - pass.begins, Seconds{0.0});
    return busy;
  }
  /// Of the passes that ended by `now`.
  [[nodiscard]] models::WorkDone work_by(Seconds now) const {
    models::WorkDone work = work_;
    for (const Pass& pass : queue_)
      if (pass.ends <= now) work.add(pass.work);
    return work;
  }

 private:
  struct Pass {
    Seconds begins;
    Seconds ends;
    models::WorkDone work;
  };
  void complete_first() {
    busy_ += queue_.front().ends - queue_.front().begins;
    work_.add(queue_.front().work);
    queue_.pop_front();
    ++completed_;
  }

  Seconds free_at_{0.0};
  std::deque<Pass> queue_;
  std::uint64_t completed_ = 0;  ///< or lost
  Seconds busy_{0.0};
  models::WorkDone work_;
};

}  // namespace specroute::sim
