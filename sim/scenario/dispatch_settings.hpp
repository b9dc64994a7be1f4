/// @file
/// How a router spreads requests over the targets of a pool.
#pragma once

#include <cstdint>
#include <vector>

#include <specroute/vocab/id.hpp>
#include <specroute/vocab/units.hpp>

namespace specroute::sim {

enum class Dispatch {
  round_robin,
  least_outstanding,
  weighted_by_reward,
  power_of_two,
  prefix_aware,
  session_sticky,
};

/// Of prefix_aware. Defaults in the schema are those of the SGLang gateway's `cache_aware`.
struct PrefixRouting {
  Seconds staleness{0.0};  ///< the router sees caches as they were so long ago
  double match_threshold = 0.3;
  std::uint64_t balance_difference = 64;  ///< outstanding requests, most - least
  double balance_ratio = 1.5;             ///< most over least
};

/// Of session_sticky: who takes a session that has no target yet.
enum class SessionAssignment { random, least_outstanding };

struct SessionRouting {
  SessionAssignment assignment = SessionAssignment::random;
  Seconds idle_limit{14400.0};  ///< a session unseen for so long is forgotten
};

/// From `from` on, a share of the choices among targets goes to `target`, which no request belongs
/// to: it takes nothing else.
struct Misrouting {
  Seconds from;
  double share;
  BackendId target;
};

struct DispatchSettings {
  PrefixRouting prefix;
  SessionRouting session;
  std::vector<Misrouting> misrouting;  ///< rising in time
};

}  // namespace specroute::sim
