/// @file
/// Counts and latencies of a whole run: what every request came to.
#pragma once

#include <cstdint>
#include <vector>

#include <specroute/vocab/id.hpp>
#include <specroute/vocab/units.hpp>

#include "models/statistics/occupancy.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/world/class_record.hpp"
#include "sim/world/run_result.hpp"

namespace specroute::sim {

class Totals {
 public:
  explicit Totals(const Scenario& scenario)
      : scenario_(scenario), classes_(scenario.classes.size()) {}

  void arrived(ClassId request_class, Seconds now) {
    in_system_.enter(now);
    ++classes_[request_class.index()].arrived;
  }
  void ended(const Ending& ending);
  /// Whether a request was completed within every SLO of its class.
  [[nodiscard]] bool is_good(const Ending& ending) const {
    return meets_objectives(ending, scenario_.classes[ending.request_class.index()]);
  }
  void emission(ClassId request_class, Seconds gap, std::uint32_t sequences) {
    classes_[request_class.index()].inter_token.add_many(gap.count(), sequences);
  }

  [[nodiscard]] std::uint64_t arrived_count() const { return in_system_.entered(); }
  /// Requests from their arrival to their end, wherever they are meanwhile.
  [[nodiscard]] const models::Occupancy& in_system() const { return in_system_; }
  [[nodiscard]] std::uint64_t ended_count() const { return ended_; }
  [[nodiscard]] std::uint64_t tokens() const { return tokens_; }
  [[nodiscard]] const std::vector<ClassRecord>& classes() const { return classes_; }

  /// Appends requests.*, the three terms of Little's law over the run, degraded.*, latency.*,
  /// goodput and SLO attainment, of all classes together.
  void report(Metrics& metrics) const;
  /// Appends class.NAME.*.
  void report_classes(Metrics& metrics) const;

 private:
  void report_littles_law(Metrics& metrics) const;

  const Scenario& scenario_;
  models::Occupancy in_system_;
  std::vector<ClassRecord> classes_;
  std::uint64_t ended_ = 0;
  std::uint64_t tokens_ = 0;
};

}  // namespace specroute::sim
