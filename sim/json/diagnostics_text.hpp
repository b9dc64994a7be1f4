/// @file
/// Diagnostics in order and as text.
#pragma once

#include <string>

#include <specroute/vocab/result.hpp>

namespace specroute::sim {

/// Sorts by file, then by place as people count (index 2 before 10); equals keep their order.
void sort_by_place(Diagnostics& faults);

/// One line per diagnostic, sorted by place, each ended by a line break.
std::string format_diagnostics(const Diagnostics& faults);

}  // namespace specroute::sim
