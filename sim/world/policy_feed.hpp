/// @file
/// What the router gathers for its policy from requests as it sees them: how tries end, and what a
/// detector finds that reads a share of the completions. It reads texts, not causes: a loop is one
/// that the text still repeats at its end, a schema violation is a text that does not parse, and
/// wrong tokens that read well are nothing to it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "models/random/philox.hpp"
#include "models/random/stream.hpp"
#include "sim/routing/circuit_breaker.hpp"
#include "sim/routing/policy_reports.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/serving/sequence.hpp"

namespace specroute::sim {

class PolicyFeed {
 public:
  PolicyFeed(const Scenario& scenario, models::Seed seed);

  /// A try of a target came to its end.
  void settled(BackendId target, Seconds sent, TryOutcome outcome);
  /// A quarantine of the target ended: older tries tell of it as it was, and are not reported.
  void released(BackendId target, Seconds now);
  /// A completion reached the router. Whether the detector reads it is the request's own draw, so
  /// that it is the same under every gate.
  void completed(PairingId pairing, ProfileId profile, const Sequence& completion);

  using Verdicts = std::map<std::pair<std::uint32_t, std::uint32_t>, QualityReport>;
  /// Since the last call: by backend, zeros where nothing was settled.
  [[nodiscard]] std::vector<HealthReport> take_health();
  /// Since the last call: by pairing and profile, in their order.
  [[nodiscard]] Verdicts take_quality();

 private:
  std::optional<QualitySampling> sampling_;
  models::StreamKey sampling_key_;
  std::vector<HealthReport> health_;
  std::vector<Seconds> released_;  ///< by backend, at the latest
  Verdicts quality_;
};

}  // namespace specroute::sim
