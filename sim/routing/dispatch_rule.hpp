/// @file
/// How one pool's requests choose among its targets. One rule per file, named in
/// `make_dispatch_rule`; each is deterministic, and ties go to the lowest id.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <specroute/vocab/id.hpp>
#include <specroute/vocab/units.hpp>

#include "models/random/stream.hpp"
#include "models/workload/prefix_blocks.hpp"
#include "sim/scenario/scenario.hpp"

namespace specroute::sim {

/// What the router knows of a request that it sends.
struct DispatchRequest {
  PoolId pool;
  RequestId request = {};
  std::uint64_t session = 0;  ///< from 1; 0: none
  std::uint32_t prompt_tokens = 0;
  std::span<const models::BlockHash> prefix = {};
  Seconds now{0.0};
  std::optional<BackendId> misrouted_to = {};  ///< of a rule that chooses once for a session
};

/// What the router knows of a target.
struct DispatchTarget {
  bool open = false;
  std::uint64_t outstanding = 0;
  std::uint64_t most = std::numeric_limits<std::uint64_t>::max();  ///< outstanding at once
  std::int64_t reward_ppm = 0;
  std::vector<std::uint64_t> by_engine = {};  ///< outstanding on each that a rule named
  [[nodiscard]] bool has_room() const { return open && outstanding < most; }
};

/// A pool's targets in order of id, and the state of every backend.
struct DispatchPool {
  std::span<const BackendId> targets;
  std::span<const DispatchTarget> states;  ///< by backend id
  [[nodiscard]] const DispatchTarget& operator[](BackendId target) const {
    return states[target.index()];
  }
};

struct DispatchChoice {
  BackendId target;
  std::optional<std::uint32_t> engine = {};  ///< of the target; none: its own balancer decides
};

/// A change of one engine's prefix cache, as its events tell the router.
struct CacheEvent {
  BackendId target;
  std::uint32_t engine = 0;
  models::BlockHash hash = 0;
  enum class Kind : std::uint8_t { cached, evicted, cleared } kind = Kind::cached;
};

class DispatchRule {
 public:
  DispatchRule() = default;
  DispatchRule(const DispatchRule&) = delete;
  DispatchRule& operator=(const DispatchRule&) = delete;
  virtual ~DispatchRule() = default;
  /// @return some target with room wherever there is one.
  [[nodiscard]] virtual std::optional<DispatchChoice> choose(const DispatchRequest& request,
                                                             const DispatchPool& pool) = 0;
  virtual void on_cache_event(const CacheEvent& /*event*/, Seconds /*at*/) {}
};

/// The rule that the scenario names, for one pool.
[[nodiscard]] std::unique_ptr<DispatchRule> make_dispatch_rule(const Scenario& scenario,
                                                               PoolId pool, models::Seed seed);

std::unique_ptr<DispatchRule> make_round_robin();
std::unique_ptr<DispatchRule> make_least_outstanding();
std::unique_ptr<DispatchRule> make_weighted_by_reward();
std::unique_ptr<DispatchRule> make_power_of_two(models::Stream draws);
std::unique_ptr<DispatchRule> make_prefix_aware(const Scenario& scenario);
std::unique_ptr<DispatchRule> make_session_sticky(const SessionRouting& settings,
                                                  models::Stream draws);

/// The target with room and the fewest outstanding requests; the lowest id of several.
[[nodiscard]] std::optional<BackendId> least_outstanding(const DispatchPool& pool);

/// Targets with room, in order of id.
[[nodiscard]] std::vector<BackendId> with_room(const DispatchPool& pool);

}  // namespace specroute::sim
