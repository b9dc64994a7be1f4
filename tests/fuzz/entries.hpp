/// @file
/// What a fuzzer throws bytes at, and what must hold whatever they are. A broken promise aborts.
#pragma once

#include <string_view>

#include "sim/traces/trace.hpp"

namespace specroute::fuzz {

/// A scenario is read, or refused with words. What was read resolves to a text that reads back as
/// itself: no default is left to fill, no number changes on the way.
void scenario(std::string_view bytes);

/// A trace is read, or refused line by line. What was read has columns of one length, times that do
/// not fall, every row in exactly one count, and the hash of the bytes.
void trace(sim::TraceFormat format, std::string_view bytes);

}  // namespace specroute::fuzz
