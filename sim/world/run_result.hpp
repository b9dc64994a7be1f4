/// @file
/// What one replication of one gate leaves behind.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <specroute/policy_abi.h>

#include "sim/comparison/outcomes.hpp"

namespace specroute::sim {

/// Metrics by dotted path, in a fixed order. Absent means "does not apply", never 0.
using Metrics = std::vector<std::pair<std::string, std::optional<double>>>;

/// A decision with what the simulator alone knows of the pairing it was about: a policy's, or a
/// bind that the router made by itself (its `decision` then has no type, and `reason` is its
/// cause).
struct DecisionEntry {
  double at_s = 0.0;
  std::string target;
  std::string draft;        ///< empty: the target served alone
  std::string overrides;    ///< truth: in force on either side; empty: none
  std::string reason;       ///< the module's name of the reason, or the bind's cause
  std::string explanation;  ///< the module's sentence, or the router's
  bool harmful = false;     ///< truth: the pairing could degrade completions
  srp_decision decision{};
  [[nodiscard]] bool is_bind() const { return decision.h.type == 0; }
};

/// "HOLD", "LOCK", ...; "BIND" for 0, which is no policy's decision.
[[nodiscard]] std::string decision_type_name(std::uint16_t type);

struct RunResult {
  Metrics metrics;
  std::vector<DecisionEntry> decisions;
  std::string timeseries_csv;  ///< rows only, one per pairing and second
  std::string requests_csv;    ///< rows only; empty unless asked for
  Outcomes outcomes;           ///< empty unless asked for
  std::uint64_t digest = 0;    ///< of every completion and decision, in order
  std::string failure;         ///< a diagnosis where the run got stuck; else empty
};

/// Bytes for a pipe, and back. Reading text that `to_bytes` did not write is a bug.
[[nodiscard]] std::string to_bytes(const RunResult& result);
[[nodiscard]] RunResult from_bytes(const std::string& bytes);

}  // namespace specroute::sim
