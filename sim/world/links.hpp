/// @file
/// Which paths of the network are cut, each direction for itself.
#pragma once

#include <algorithm>
#include <vector>

#include <specroute/vocab/id.hpp>

namespace specroute::sim {

/// No backend stands for the router.
class Links {
 public:
  void cut(BackendId from, BackendId to) { cuts_.push_back({from, to}); }
  void mend(BackendId from, BackendId to) {
    const auto found = std::ranges::find(cuts_, Path{from, to});
    if (found != cuts_.end()) cuts_.erase(found);
  }
  [[nodiscard]] bool is_cut(BackendId from, BackendId to) const {
    return !cuts_.empty() && std::ranges::find(cuts_, Path{from, to}) != cuts_.end();
  }
  /// Whether a question from `a` to `b` and its answer get through.
  [[nodiscard]] bool answers(BackendId a, BackendId b) const {
    return !is_cut(a, b) && !is_cut(b, a);
  }

 private:
  struct Path {
    BackendId from;
    BackendId to;
    bool operator==(const Path&) const = default;
  };
  std::vector<Path> cuts_;
};

}  // namespace specroute::sim
