/// @file
/// Who is to blame for a degraded completion: the pairing, the override in force, the decision.
///
/// A circumstance is one stretch of a pairing's service: the override owners on either side and the
/// decision that let it go on serving stay the same. Each completion carries the circumstance of
/// the step that degraded it first, so the blame goes to the earliest cause, and every count by
/// pairing, by override or by decision sums to the degraded completions.
///
/// The decision that lets a pairing serve is the bind that made it (the router's own, or the
/// policy's decision that asked for it), then the latest LOCK or HOLD about it. A rejection lets
/// nothing happen: until it is carried out, what went before it counts.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <specroute/vocab/id.hpp>

#include "sim/serving/sequence.hpp"
#include "sim/world/run_result.hpp"

namespace specroute::sim {

/// What a completion was degraded under.
struct Circumstance {
  PairingId pairing;
  std::uint32_t owners = 0;    ///< index of the owners' text
  std::uint32_t decision = 0;  ///< index in decisions.jsonl, within its gate
};

class Attribution {
 public:
  /// A pairing begins to serve, or goes on under other circumstances.
  /// @param owners of the overrides in force, truth; empty: none
  [[nodiscard]] CircumstanceId open(PairingId pairing, const std::string& owners,
                                    std::uint32_t decision);
  /// The same as `now`, but for what an override changed.
  [[nodiscard]] CircumstanceId with_owners(CircumstanceId now, const std::string& owners);
  /// The same as `now`, but for a further decision.
  [[nodiscard]] CircumstanceId with_decision(CircumstanceId now, std::uint32_t decision);

  /// A completion has ended; one that is not degraded counts nowhere.
  void completed(const Sequence& sequence);

  [[nodiscard]] const Circumstance& operator[](CircumstanceId id) const {
    return circumstances_[id.index()];
  }
  /// "none" where no override was in force.
  [[nodiscard]] const std::string& owners(CircumstanceId id) const {
    return owner_texts_[(*this)[id].owners];
  }

  /// Appends degraded.by_cause.* (the first of each completion), by_pairing.*, by_override.* and
  /// by_decision.*, of what happened only.
  /// @param pairing_names by pairing
  void report(Metrics& metrics, const std::vector<std::string>& pairing_names,
              const std::vector<DecisionEntry>& decisions) const;

 private:
  [[nodiscard]] std::uint32_t owners_index(const std::string& owners);
  [[nodiscard]] CircumstanceId add(const Circumstance& circumstance);

  std::vector<Circumstance> circumstances_;
  std::vector<std::string> owner_texts_;
  std::map<CircumstanceId, std::uint64_t> degraded_;
  std::map<DegradationCause, std::uint64_t> by_cause_;
};

/// How a decision is counted: "LOCK", or "BIND.target_lost" for one of the router's own.
[[nodiscard]] std::string decision_kind(const DecisionEntry& entry);

}  // namespace specroute::sim
