/// @file
/// Which target serves a request: the router's queue and its count of outstanding requests.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <vector>

#include <specroute/vocab/id.hpp>

#include "sim/scenario/scenario.hpp"

namespace specroute::sim {

class Dispatcher {
 public:
  explicit Dispatcher(const Scenario& scenario);

  /// The target starts or stops taking requests.
  void open(BackendId target, std::int64_t reward_ppm);
  void close(BackendId target);
  /// A lock rewards the target's pairing: with `weighted`, it draws more traffic.
  void reward(BackendId target, std::int64_t reward_ppm);

  /// The open target of the pool that takes the next request, by the scenario's rule; ties by
  /// lowest id. Null where none is open and below the scenario's limit of outstanding requests.
  /// Counts the request as outstanding.
  [[nodiscard]] std::optional<BackendId> choose(PoolId pool);
  void ended(BackendId target);
  /// Whether some open target of the pool may take one more.
  [[nodiscard]] bool has_room(PoolId pool) const;

  /// Requests that wait for a target. @return false where the queue is full.
  [[nodiscard]] bool enqueue(PoolId pool, std::uint32_t slot, bool in_front);
  [[nodiscard]] std::deque<std::uint32_t>& queue(PoolId pool) { return pools_[pool.index()].queue; }
  [[nodiscard]] std::uint64_t outstanding(BackendId target) const {
    return targets_[target.index()].outstanding;
  }

 private:
  struct Target {
    bool open = false;
    std::uint64_t outstanding = 0;
    std::uint64_t most = std::numeric_limits<std::uint64_t>::max();  ///< outstanding at once
    [[nodiscard]] bool has_room() const { return open && outstanding < most; }
    std::int64_t reward_ppm = 0;
  };
  struct PoolState {
    std::vector<BackendId> targets;
    std::deque<std::uint32_t> queue;
    std::size_t next = 0;  ///< round robin's place in `targets`
  };
  [[nodiscard]] std::optional<BackendId> next_in_turn(PoolState& pool) const;
  [[nodiscard]] std::optional<BackendId> least_loaded(const PoolState& pool, bool weighted) const;

  Dispatch rule_;
  std::size_t queue_limit_;
  std::vector<Target> targets_;  ///< by backend id
  std::vector<PoolState> pools_;
};

}  // namespace specroute::sim
