/// @file
/// Counts and latencies of a whole run: what every request came to.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <specroute/vocab/units.hpp>

#include "models/statistics/occupancy.hpp"
#include "models/statistics/quantile.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/world/request_table.hpp"
#include "sim/world/run_result.hpp"

namespace specroute::sim {

/// One request's end as the client sees it.
struct Ending {
  const Sequence& sequence;
  ClassId request_class;
  EndState state;
  Seconds left;         ///< the system, where it ended
  Seconds at;           ///< at the client, network included
  Seconds first_token;  ///< at the client; NaN where none was emitted
  std::uint32_t retries;
};

class Totals {
 public:
  explicit Totals(const Scenario& scenario) : scenario_(scenario) {}

  void arrived(Seconds now) { in_system_.enter(now); }
  void ended(const Ending& ending);
  /// Whether a request was completed within every SLO of its class.
  [[nodiscard]] bool is_good(const Ending& ending) const {
    return ending.state == EndState::completed && meets_slo(ending);
  }
  void emission(Seconds gap, std::uint32_t sequences) {
    inter_token_.add_many(gap.count(), sequences);
  }

  [[nodiscard]] std::uint64_t count(EndState state) const {
    return ends_[static_cast<std::size_t>(state)];
  }
  [[nodiscard]] std::uint64_t arrived_count() const { return in_system_.entered(); }
  /// Requests from their arrival to their end, wherever they are meanwhile.
  [[nodiscard]] const models::Occupancy& in_system() const { return in_system_; }
  [[nodiscard]] std::uint64_t ended_count() const;
  [[nodiscard]] std::uint64_t tokens() const { return tokens_; }

  /// Appends requests.*, the three terms of Little's law over the run, degraded.*, latency.*,
  /// goodput and SLO attainment.
  void report(Metrics& metrics) const;

 private:
  void completed(const Ending& ending);
  void report_littles_law(Metrics& metrics) const;
  [[nodiscard]] bool meets_slo(const Ending& ending) const;

  const Scenario& scenario_;
  models::Occupancy in_system_;
  std::array<std::uint64_t, kEndStates> ends_{};
  std::uint64_t retries_ = 0;
  std::uint64_t tokens_ = 0;
  std::uint64_t degraded_ = 0;
  std::uint64_t looping_ = 0;
  std::uint64_t schema_ = 0;
  std::uint64_t corrupted_ = 0;
  std::uint64_t good_ = 0;
  std::uint64_t healthy_good_ = 0;
  models::QuantileSketch ttft_;
  models::QuantileSketch tpot_;
  models::QuantileSketch end_to_end_;
  models::QuantileSketch inter_token_;
};

/// Appends p50, p95 and p99 of a sketch of seconds, in milliseconds, under `path`.
void report_quantiles(Metrics& metrics, const std::string& path,
                      const models::QuantileSketch& sketch);

}  // namespace specroute::sim
