/// @file
/// The terminal's view of a campaign: what each gate let through, and what it cost.
#pragma once

#include <string>
#include <vector>

#include "sim/report/summary_json.hpp"
#include "sim/scenario/fixed_text.hpp"

namespace specroute::sim {

/// Lines of cells as text: columns aligned (the first to the left, others to the right), two spaces
/// between, a rule under the first line. Every line has as many cells as the first.
[[nodiscard]] std::string aligned(const std::vector<std::vector<std::string>>& lines);

/// Title, two tables of at most 120 columns (with labels of at most 20), and the expectations.
/// Means over the seeds; +- is the half width of the 95 % interval.
[[nodiscard]] std::string terminal_report(const Report& report);

/// A table of the wall time that each policy took over its events, in all its replications.
[[nodiscard]] std::string policy_times(const Campaign& campaign);

}  // namespace specroute::sim
