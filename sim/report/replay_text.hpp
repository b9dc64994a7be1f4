/// @file
/// A replay on the terminal.
#pragma once

#include <string>

#include "sim/replay/replay.hpp"

namespace specroute::sim {

/// Decisions by gate, the first of each after every fail-over, where gates differ, and how the
/// files were read: bad lines with their places, names that nobody knows, engines that nobody
/// claims.
[[nodiscard]] std::string replay_report(const Replay& replay);

/// Of that, how the files were read.
[[nodiscard]] std::string replay_reading(const Replay& replay);

}  // namespace specroute::sim
