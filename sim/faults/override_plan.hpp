/// @file
/// Overrides as data: what sampling parameters a backend would really apply, at any date.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include <specroute/vocab/id.hpp>
#include <specroute/vocab/units.hpp>

#include "sim/faults/lifetime.hpp"
#include "sim/scenario/scenario.hpp"

namespace specroute::sim {

/// What the owner of a copied override is called by, after the owner of the original.
inline constexpr std::string_view kCopied = " (copied from the primary)";

/// The overrides of a scenario, the copies made of them, and the restarts that wiped them.
class OverridePlan {
 public:
  explicit OverridePlan(const std::vector<Override>& overrides);

  /// What `backend` applies at `now` to a request that asks for `requested`. The override set last
  /// wins; of two set at one date, the later in the list. It is what the backend would tell of
  /// itself: a batch that runs under its last request's parameters does not show in it.
  [[nodiscard]] Sampling applied(BackendId backend, const Sampling& requested, Seconds now) const;

  /// The override that decides at `now`, or null. It is stale once its owner is gone.
  [[nodiscard]] const Override* in_force(BackendId backend, Seconds now) const;

  /// Whether the batch of `backend` runs under the parameters of the request that joined it last.
  [[nodiscard]] bool shares_last_request(BackendId backend, Seconds now) const;

  /// Someone copies what is in force on `from` onto `to`. A copy is nobody's to clear: it ends
  /// where the original is kept in no configuration with the process, and else never. What `to`
  /// has from an earlier copy, or gave away itself, is not copied again: its owner may have set
  /// something else since, which comes later.
  void copy(BackendId from, BackendId to, Seconds now);

  /// Dates at which what a backend applies may change, sorted, without repeats.
  [[nodiscard]] std::vector<ConditionChange> changes() const;

  /// A restarted process has lost what was set on it before.
  void restarted(BackendId backend, Seconds at) { restarts_.add(backend, at); }

 private:
  struct Held : Override {
    std::size_t source;  ///< in the scenario's list; of a copy: of what it is a copy of
  };

  std::vector<Held> held_;  ///< by date
  Restarts restarts_;
};

}  // namespace specroute::sim
