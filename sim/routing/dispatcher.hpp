/// @file
/// Which target serves a request: the router's queue and its count of outstanding requests. The
/// choice itself is a rule of its own (dispatch_rule.hpp).
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include <specroute/vocab/id.hpp>

#include "sim/routing/dispatch_rule.hpp"
#include "sim/scenario/scenario.hpp"

namespace specroute::sim {

class Dispatcher {
 public:
  /// @param seed of the rules that draw; the same for every gate.
  explicit Dispatcher(const Scenario& scenario, models::Seed seed = {});

  /// The target starts or stops taking requests.
  void open(BackendId target, std::int64_t reward_ppm);
  void close(BackendId target);
  /// Keeps an open target from new requests, for as long as any reason does.
  enum class Bar : std::uint8_t { drain = 1, breaker = 2, quarantine = 4 };
  void bar(BackendId target, Bar reason, bool on);
  /// Whether the pool has open targets, and breakers alone keep requests from all of them.
  [[nodiscard]] bool is_broken(PoolId pool) const;
  /// Whether another target of its pool takes requests.
  [[nodiscard]] bool has_other_open(BackendId target) const;
  /// A lock rewards the target's pairing: with `weighted`, it draws more traffic.
  void reward(BackendId target, std::int64_t reward_ppm);

  /// The open target of the pool that takes the request, by the scenario's rule, unless the router
  /// misroutes it. Null where none is open and below the scenario's limit of outstanding requests.
  /// Counts the request as outstanding.
  [[nodiscard]] std::optional<DispatchChoice> choose(const DispatchRequest& request);
  /// For a request that the rule need not know.
  [[nodiscard]] std::optional<BackendId> choose(PoolId pool);
  /// A target's engine told of its prefix cache; it reaches the rules as of `at`.
  void on_cache_event(const CacheEvent& event, Seconds at);
  /// What `choose` sent has left its target.
  void ended(DispatchChoice where);
  /// Whether some open target of the pool may take one more.
  [[nodiscard]] bool has_room(PoolId pool) const;

  /// Requests that wait for a target. @return false where the queue is full.
  [[nodiscard]] bool enqueue(PoolId pool, std::uint32_t slot, bool in_front);
  [[nodiscard]] std::deque<std::uint32_t>& queue(PoolId pool) { return pools_[pool.index()].queue; }
  [[nodiscard]] std::uint64_t outstanding(BackendId target) const {
    return targets_[target.index()].outstanding;
  }

 private:
  struct PoolState {
    std::vector<BackendId> targets;
    std::deque<std::uint32_t> queue;
    std::unique_ptr<DispatchRule> rule;
  };
  [[nodiscard]] std::optional<BackendId> misrouted(const DispatchRequest& request) const;

  void settle(BackendId target);

  std::vector<Misrouting> misrouting_;
  bool sticky_;
  models::StreamKey misrouting_key_;
  std::size_t queue_limit_;
  std::vector<DispatchTarget> targets_;  ///< by backend id
  std::vector<PoolId> pool_of_;          ///< by backend id
  std::vector<PoolState> pools_;
  std::vector<std::uint8_t> opened_;  ///< by backend id: whether it would be open without bars
  std::vector<std::uint8_t> bars_;    ///< by backend id: the reasons
};

}  // namespace specroute::sim
