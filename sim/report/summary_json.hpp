/// @file
/// summary.json: every metric of every gate, with its interval, and the expectations.
#pragma once

#include <string>
#include <vector>

#include "sim/experiment/summary.hpp"
#include "sim/scenario/scenario.hpp"

namespace specroute::sim {

/// All that a report says about one campaign. It borrows; the campaign outlives it.
struct Report {
  const Scenario& scenario;
  const Campaign& campaign;
  const std::vector<GateSummary>& gates;
  const std::vector<ExpectationOutcome>& expectations;
};

/// The document, pretty-printed and ended by a line break. Keys have one order, a number is the
/// shortest text that reads back as the same double, and what does not apply is null.
[[nodiscard]] std::string summary_json(const Report& report);

}  // namespace specroute::sim
