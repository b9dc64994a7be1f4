/// @file
/// Diagnostics in order and as text.
#pragma once

#include <string>
#include <string_view>

#include <specroute/vocab/result.hpp>

namespace specroute::sim {

/// "/gate (2:3)": a pointer and where it stands.
std::string marked_place(std::string_view pointer, std::string_view line_column);

/// Sorts by file, then by place as people count (index 2 before 10), marked or not; equals keep
/// their order.
void sort_by_place(Diagnostics& faults);

/// One line per diagnostic, sorted by place, each ended by a line break.
std::string format_diagnostics(const Diagnostics& faults);

}  // namespace specroute::sim
