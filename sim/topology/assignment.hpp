/// @file
/// Who drafts for whom after failures: a capacitated assignment by minimum-cost flow.
///
/// Needs are served one pairing each; whatever serves today is not touched. The flow is
///   source -> need -> target -> draft -> sink,
/// one unit through every need and every target, at most `room` units through a draft. It serves
/// as many needs as can be served, and among those ways takes the cheapest:
///   cost of a pairing = 1000 x targets on the draft per draft engine, itself included
///                       + network cost of the pair (PairingGraph::Candidate);
/// the load of a draft grows with every target that it takes, so load spreads. Where a need has
/// several targets, each place down its list costs ten loads more. Between equal costs earlier
/// needs are served before later ones, earlier needs take lower targets, and lower targets take
/// lower drafts.
///
/// @source Ahuja, Magnanti and Orlin, "Network Flows", 1993, chapter 9 (successive shortest paths;
/// convex costs as parallel arcs of section 14.4). Murota, "Discrete Convex Analysis", 2003, on
/// valuated matroids: why ties between needs are exact.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <specroute/vocab/id.hpp>

#include "sim/topology/pairing_graph.hpp"

namespace specroute::sim {

/// A pairing that is wanted: any of `targets` will do. A target without a draft is its own only
/// candidate; a lost target may be replaced by any on standby, the preferred ones first.
struct PairingNeed {
  std::vector<BackendId> targets;
};

/// What a draft can still take.
struct DraftRoom {
  BackendId draft;
  std::uint32_t room = 1;     ///< targets
  std::uint32_t bound = 0;    ///< targets that it serves already
  std::uint32_t engines = 1;  ///< >= 1
};

struct AssignedPairing {
  BackendId target;
  BackendId draft;
  auto operator<=>(const AssignedPairing&) const = default;
};

/// One answer per need, in their order; none where a need goes unserved.
using Assignment = std::vector<std::optional<AssignedPairing>>;

/// Which pairings the needs allow: (need, target, draft). The policy's constraint comes in here.
/// Where needs share a target, the flow pairs it only as each of them allows.
using PairingFilter = std::function<bool(std::size_t, BackendId, BackendId)>;

/// By minimum-cost flow. @param needs, drafts each backend at most once among the drafts
[[nodiscard]] Assignment assign_by_flow(const PairingGraph& graph,
                                        const std::vector<PairingNeed>& needs,
                                        const std::vector<DraftRoom>& drafts,
                                        const PairingFilter& allowed);

/// Each need in turn takes the lowest target that finds a draft, and its cheapest. What a router
/// without foresight does; it may leave a later need unserved that the flow serves.
[[nodiscard]] Assignment assign_greedily(const PairingGraph& graph,
                                         const std::vector<PairingNeed>& needs,
                                         const std::vector<DraftRoom>& drafts,
                                         const PairingFilter& allowed);

}  // namespace specroute::sim
