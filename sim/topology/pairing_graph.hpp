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
/// allows (a pool that the target draws on, its devices if co-located, equal tokenizer by what the
/// router takes for it, KV block size and mask), weighted by how far the two are from each other.
class PairingGraph {
 public:
  explicit PairingGraph(const Scenario& scenario);
  ~PairingGraph();
  PairingGraph(PairingGraph&&) noexcept;
  PairingGraph& operator=(PairingGraph&&) = delete;

  static constexpr double kSameDevices = 0.0;  ///< co-located
  static constexpr double kSameNode = 1.0;
  static constexpr double kSameRack = 2.0;
  static constexpr double kOtherRack = 3.0;

  struct Candidate {
    BackendId backend;
    double cost;  ///< one of the four below
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
