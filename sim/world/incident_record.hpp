/// @file
/// The story of the first fail-over of a target: before it, the spike, the gate's answer, after it.
///
/// t0 is the bind of the pairing that replaces the lost one. "Before" is the 60 s before the fault;
/// "after" is t0 to the commit of the policy's re-bind, or t0 + 300 s. Latency after is of requests
/// that arrive from t0 + 10 s on while the pairing that serves them is locked.
#pragma once

#include <cstdint>
#include <optional>

#include <specroute/policy_abi.h>
#include <specroute/vocab/id.hpp>
#include <specroute/vocab/units.hpp>

#include "models/statistics/quantile.hpp"
#include "sim/world/run_result.hpp"

namespace specroute::sim {

/// Draft tokens as a pairing's counters have them.
struct DraftCounts {
  std::uint64_t drafted = 0;
  std::uint64_t accepted = 0;
  std::uint64_t steps = 0;
  friend DraftCounts operator-(DraftCounts a, DraftCounts b) {
    return {a.drafted - b.drafted, a.accepted - b.accepted, a.steps - b.steps};
  }
  [[nodiscard]] std::optional<double> rate() const {
    if (drafted == 0) return std::nullopt;
    return static_cast<double>(accepted) / static_cast<double>(drafted);
  }
  /// 1 + accepted / drafts: the bonus token included.
  [[nodiscard]] std::optional<double> mean_length() const {
    if (steps == 0) return std::nullopt;
    return 1.0 + static_cast<double>(accepted) / static_cast<double>(steps);
  }
};

/// A completion, as far as this story needs it.
struct CompletionFacts {
  BackendId target;
  Seconds arrival;
  Seconds at;
  Seconds latency;
  Seconds ttft;
  bool loop;
  bool schema;
  bool during_lock;  ///< arrived while its pairing was locked
};

class IncidentRecord {
 public:
  static constexpr Seconds kBefore{60.0};
  static constexpr Seconds kWatched{300.0};
  static constexpr Seconds kSettled{10.0};
  static constexpr double kSpike = 0.25;  ///< the seed's threshold, as a definition here
  static constexpr std::uint64_t kJudged =
      200;  ///< drafted tokens in a window, for its rate to count

  /// @param fault date of the first crash of a target that serves; none: nothing applies.
  explicit IncidentRecord(std::optional<Seconds> fault, BackendId lost)
      : fault_(fault), target_(lost) {}

  // Marks in time, called by the world with the counters of the pairing in question.
  void minute_before(PairingId pairing, DraftCounts counts) {
    before_pairing_ = pairing;
    minute_before_ = counts;
  }
  /// Where another pairing serves by then, all that it did since its bind lies within the minute.
  void fault_strikes(PairingId pairing, DraftCounts counts) {
    before_ = pairing == before_pairing_ ? counts - minute_before_ : counts;
  }
  void detected_by_probes(BackendId backend, Seconds now);
  void failed_over(PairingId pairing, BackendId target, Seconds now);
  void rebound(PairingId replaced, DraftCounts replaced_counts, PairingId pairing, BackendId target,
               Seconds now);
  void watch_ends(PairingId serving, DraftCounts counts);

  void window(PairingId pairing, std::uint64_t drafted, std::uint64_t accepted, Seconds now);
  void decided(PairingId pairing, const srp_decision& decision, Seconds now);
  void completed(const CompletionFacts& facts);

  [[nodiscard]] std::optional<Seconds> t0() const { return t0_; }

  [[nodiscard]] BackendId target() const { return target_; }

  void report(Metrics& metrics) const;

 private:
  std::optional<Seconds> fault_;
  std::optional<Seconds> probes_noticed_;
  std::optional<Seconds> t0_;
  std::optional<Seconds> spike_;
  std::optional<Seconds> detection_;
  std::optional<Seconds> rebound_at_;
  BackendId target_;   ///< that serves the traffic of the lost pairing
  PairingId pairing_;  ///< the one bound at t0, then the one that replaced it
  PairingId first_;    ///< the one bound at t0
  PairingId before_pairing_;
  DraftCounts minute_before_;
  DraftCounts before_;
  DraftCounts after_failover_;
  std::optional<DraftCounts> after_rebind_;
  std::uint64_t watched_ = 0;
  std::uint64_t watched_loops_ = 0;
  std::uint64_t watched_schema_ = 0;
  models::QuantileSketch ttft_outage_;  ///< of requests that arrived between fault and t0
  models::QuantileSketch latency_before_;
  models::QuantileSketch latency_after_;
};

}  // namespace specroute::sim
