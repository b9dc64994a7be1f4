/// @file
/// Traces from texts, and their diagnostics as lines.
#pragma once

#include <sstream>
#include <string>

#include "sim/traces/read_trace.hpp"

namespace specroute::sim {

inline Result<Trace> traced(const std::string& text, TraceFormat format,
                            const TraceSlice& slice = {}) {
  std::istringstream stream(text);
  return read_trace(stream, "t", format, slice);
}

/// The diagnostics, one a line; empty where the text is a trace.
inline std::string faults_of(const std::string& text, TraceFormat format,
                             const TraceSlice& slice = {}) {
  const auto trace = traced(text, format, slice);
  std::string lines;
  if (!trace)
    for (const Diagnostic& fault : trace.diagnostics()) lines += to_string(fault) + "\n";
  return lines;
}

}  // namespace specroute::sim
