/// @file
/// Reads a trace, or says which of its lines are no rows.
#pragma once

#include <istream>
#include <string>

#include <specroute/vocab/result.hpp>

#include "sim/traces/trace.hpp"

namespace specroute::sim {

/// Diagnostics of one file; beyond them, one more says how many were left out.
inline constexpr std::size_t kMostLineFaults = 20;

/// Reads all of `stream`, keeps the rows of the slice, and counts the others. Each malformed line
/// is a diagnostic at "line:column" (columns in bytes): fields that are no numbers, too few of
/// them, a time before that of the row above. A slice without a row fails too.
/// @param file names the stream in diagnostics
[[nodiscard]] Result<Trace> read_trace(std::istream& stream, const std::string& file,
                                       TraceFormat format, const TraceSlice& slice);

}  // namespace specroute::sim
