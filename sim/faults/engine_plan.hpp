/// @file
/// Engine changes as data: what a backend really is, at any date, against its configuration.
#pragma once

#include <string>
#include <vector>

#include "sim/faults/lifetime.hpp"
#include "sim/faults/override_plan.hpp"
#include "sim/scenario/scenario.hpp"

namespace specroute::sim {

class EnginePlan {
 public:
  EnginePlan() = default;
  explicit EnginePlan(const std::vector<EngineChange>& changes);

  /// The backend with the changes in force at `now`; the one that began last wins.
  [[nodiscard]] Backend live(BackendId id, const Backend& configured, Seconds now) const;
  /// How pairings of this target speculate: its pool's way, but for a rule that has changed.
  [[nodiscard]] Speculation speculation(BackendId target, const Speculation& configured,
                                        Seconds now) const;
  /// The causes of all changes in force, for the record; empty where there are none.
  [[nodiscard]] std::string causes(BackendId id, Seconds now) const;

  /// Dates at which a backend may become another, restarts aside; sorted, without repeats.
  [[nodiscard]] std::vector<ConditionChange> changes() const;
  void restarted(BackendId backend, Seconds at) { restarts_.add(backend, at); }

 private:
  std::vector<EngineChange> changes_;  ///< by date
  Restarts restarts_;
};

}  // namespace specroute::sim
