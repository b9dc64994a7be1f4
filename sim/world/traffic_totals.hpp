/// @file
/// Counts by tenant, and what came of traces: only where a scenario has any.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/scenario/scenario.hpp"
#include "sim/world/class_arrivals.hpp"
#include "sim/world/run_result.hpp"

namespace specroute::sim {

/// What the requests of each tenant came to.
class TenantTotals {
 public:
  explicit TenantTotals(const Scenario& scenario);

  struct End {
    bool completed;
    bool good;  ///< completed within every SLO
    bool degraded;
    std::uint32_t output_tokens;
  };
  void ended(std::uint32_t tenant, const End& end);

  /// Appends tenant.NAME.requests, .completed, .degraded, .output_tokens and .slo_attainment.
  void report(Metrics& metrics) const;

  [[nodiscard]] const std::string& name(std::uint32_t tenant) const { return names_[tenant]; }

 private:
  struct Count {
    std::uint64_t requests = 0;
    std::uint64_t completed = 0;
    std::uint64_t good = 0;
    std::uint64_t degraded = 0;
    std::uint64_t output_tokens = 0;
  };
  std::vector<std::string> names_;
  std::vector<Count> counts_;
};

/// Appends what became of the rows of all traces: trace.rows, .kept, .zero_token_rows, .other_rows,
/// .out_of_slice_rows and .played. Nothing where no class plays one.
void report_traces(Metrics& metrics, const Scenario& scenario,
                   const std::vector<ClassArrivals>& arrivals);

/// The names of all these for a scenario.
[[nodiscard]] std::vector<std::string> traffic_metric_names(const Scenario& scenario);

/// Whether a metric is one of those that some scenarios have.
[[nodiscard]] bool names_traffic(std::string_view metric);

}  // namespace specroute::sim
