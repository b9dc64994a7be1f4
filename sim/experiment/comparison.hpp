/// @file
/// Gates against one of them, seed by seed: every gate meets the same requests and the same faults.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/comparison/flips.hpp"
#include "sim/comparison/paired_interval.hpp"
#include "sim/experiment/summary.hpp"

namespace specroute::sim {

/// A metric of one gate less that of the reference, over the seeds to which it applies under both.
struct MetricDifference {
  std::string name;
  PairedInterval difference;
};

/// What became of the same requests, over all seeds.
struct RequestDifference {
  FlipTable flips;
  double mcnemar_p = 1.0;
  /// Where to look first: the lowest seed with a difference, and its request.
  struct Where {
    std::uint64_t seed;
    std::uint64_t request;
  };
  std::optional<Where> first = {};
};

struct GateComparison {
  std::string label;
  std::string reference;
  std::vector<MetricDifference> metrics;  ///< in the order of the gate's summary
  /// Absent where requests cannot be told apart: users of a closed loop ask again when they are
  /// answered, so their requests follow the gate.
  std::optional<RequestDifference> requests = {};
};

/// Compares each gate but the reference. @param reference label of one of `gates`
[[nodiscard]] std::vector<GateComparison> compare_gates(const std::vector<GateSummary>& gates,
                                                        const std::string& reference);

}  // namespace specroute::sim
