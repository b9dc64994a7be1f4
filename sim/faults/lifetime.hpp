/// @file
/// When a change to a backend is in force: from a date or a restart, until a date or a restart.
#pragma once

#include <optional>
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

/// The restarts of one run so far: what a lifetime is measured against.
class Restarts {
 public:
  void add(BackendId backend, Seconds at) { list_.push_back({backend, at}); }

  [[nodiscard]] bool active(const Lifetime& life, BackendId backend, Seconds now) const;

 private:
  struct Restart {
    BackendId backend;
    Seconds at;
  };
  std::vector<Restart> list_;
};

}  // namespace specroute::sim
