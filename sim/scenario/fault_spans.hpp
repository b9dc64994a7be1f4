/// @file
/// The faults of a file taken apart into elementary ones: racks, nodes and pools into backends;
/// flapping, bounces and sequences into single faults with absolute dates. What is not well formed
/// is left out, so that rules may run on a file that the schema rejects.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sim/json/json_node.hpp"

namespace specroute::sim {

/// One elementary fault of one backend, or one direction of a partition.
struct FaultSpan {
  std::string kind;     ///< crash, hang, slow, errors, partition, drain or wrong_tokens
  std::string backend;  ///< of a partition: empty
  std::string from;     ///< of a partition: a backend, or "router"
  std::string to;
  double at_s = 0.0;            ///< absolute
  std::optional<double> until;  ///< absolute; none: it does not end
  JsonNode source;              ///< that it comes from, for its parameters and for diagnostics
};

/// A scenario may have as many.
inline constexpr std::size_t kMostFaultSpans = 20'000;

/// What the expansion needs to know of a backend.
struct FaultSubject {
  std::string name;
  std::string role;
  std::string pool;
  std::string rack;
  std::string node;   ///< empty: one of its own
  std::string owner;  ///< of a co-located draft: the target on whose devices it stands
};

struct FaultSpans {
  std::vector<FaultSpan> spans;  ///< in the file's order, then the backends'
  bool too_many = false;         ///< and the rest left out
};

/// @param faults the array of a scenario.
[[nodiscard]] FaultSpans fault_spans(const std::vector<JsonNode>& faults,
                                     const std::vector<FaultSubject>& backends);

/// The backends that a fault of `kind` names by `backend`, `rack`, `node` or `pool`, in order.
/// Kinds that only a target can have leave out drafts of a rack, node or pool. What befalls devices
/// (slow, random) befalls them once: a co-located draft is left out where its target is named, and
/// has none of its own to fail at a rate.
[[nodiscard]] std::vector<std::string> fault_subjects(const JsonNode& fault,
                                                      const std::vector<FaultSubject>& backends);

/// Whether only a target can have it: a draft answers no request and takes none.
[[nodiscard]] bool only_targets_have(const std::string& kind);

/// The backends of a resolved file, each replica for itself.
[[nodiscard]] std::vector<FaultSubject> subjects_of(const JsonNode& root);

}  // namespace specroute::sim
