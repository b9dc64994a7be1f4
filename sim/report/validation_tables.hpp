/// @file
/// The cells of a validation, for terminal and Markdown alike.
#pragma once

#include <string>
#include <vector>

#include "sim/validation/comparison.hpp"

namespace specroute::sim {

/// The first line is the header.
using TextLines = std::vector<std::vector<std::string>>;

/// Fraction as "4.8 %", signed where `sign`.
[[nodiscard]] std::string percent_text(double fraction, bool sign = false);

/// Significant digits that a reader can compare: 4.
[[nodiscard]] std::string figure_text(double value);

/// One line per group, quantity and standing, and one more per quantity and standing that has
/// several groups.
[[nodiscard]] TextLines error_lines(const validation::Section& section);

/// One line per comparison.
[[nodiscard]] TextLines comparison_lines(const validation::Section& section);

/// One line per bound: what, measured, limit, "met" or "MISSED".
[[nodiscard]] TextLines bound_lines(const std::vector<validation::Bound>& bounds);

[[nodiscard]] TextLines table_lines(const validation::Table& table);

}  // namespace specroute::sim
