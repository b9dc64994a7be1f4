/// @file
/// Which draft may serve which target, and at what network cost: the graph of claimed-consistent
/// pairings. Built from configuration alone; what is live is asked at bind time.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include <specroute/vocab/id.hpp>

#include "sim/scenario/scenario.hpp"

namespace specroute::sim {

/// A bipartite graph: targets and drafts are vertices, an edge is a pairing that configuration
/// allows (one pool, equal tokenizer by what the router takes for it, KV block size and mask),
/// weighted by network hops.
class PairingGraph {
 public:
  explicit PairingGraph(const Scenario& scenario);
  ~PairingGraph();
  PairingGraph(PairingGraph&&) noexcept;
  PairingGraph& operator=(PairingGraph&&) = delete;

  struct Candidate {
    BackendId backend;
    double cost;  ///< 0 in one rack, 1 across racks
    auto operator<=>(const Candidate&) const = default;
  };
  using Filter = std::function<bool(BackendId)>;

  /// Backends of the other side that `kept` may be paired with and that `allowed` lets through,
  /// cheapest first, ties by lowest id.
  [[nodiscard]] std::vector<Candidate> partners(BackendId kept, const Filter& allowed) const;

 private:
  struct Graph;
  std::unique_ptr<Graph> graph_;
};

}  // namespace specroute::sim
