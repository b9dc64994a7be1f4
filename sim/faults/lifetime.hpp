/// @file
/// When a change to a backend is in force: from a date or a restart, until a date or a restart.
#pragma once

#include <compare>
#include <optional>
#include <utility>
#include <vector>

#include <specroute/vocab/id.hpp>
#include <specroute/vocab/units.hpp>

namespace specroute::sim {

struct Lifetime {
  Seconds from;
  std::optional<Seconds> until;
  bool at_restart;        ///< begins with the first restart from `from` on
  bool survives_restart;  ///< else it ends with the process that it began in
};

/// A date at which what a backend is, or applies, may change.
struct ConditionChange {
  Seconds date;
  BackendId backend;
  auto operator<=>(const ConditionChange&) const = default;
};

/// Sorted, without repeats.
[[nodiscard]] std::vector<ConditionChange> in_order(std::vector<ConditionChange> changes);

/// When the conditions of a list begin and end, restarts aside; sorted, without repeats.
template <class Condition>
std::vector<ConditionChange> changes_of(const std::vector<Condition>& conditions) {
  std::vector<ConditionChange> changes;
  for (const Condition& one : conditions) {
    if (!one.at_restart) changes.push_back({one.from, one.backend});
    if (one.until) changes.push_back({*one.until, one.backend});
  }
  return in_order(std::move(changes));
}

/// The restarts of one run so far: what a lifetime is measured against.
class Restarts {
 public:
  void add(BackendId backend, Seconds at) { list_.push_back({backend, at}); }

  /// Whether a condition, which has a backend and the members of a `Lifetime`, is in force on `id`.
  template <class Condition>
  [[nodiscard]] bool in_force(const Condition& one, BackendId id, Seconds now) const {
    return one.backend == id &&
           active({one.from, one.until, one.at_restart, one.survives_restart}, id, now);
  }
  [[nodiscard]] bool active(const Lifetime& life, BackendId backend, Seconds now) const;

 private:
  struct Restart {
    BackendId backend;
    Seconds at;
  };
  std::vector<Restart> list_;
};

}  // namespace specroute::sim
