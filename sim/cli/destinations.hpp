/// @file
/// Where the results of a command go: a directory, a file or standard output, and the terminal.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include <specroute/vocab/result.hpp>

#include "sim/report/result_directory.hpp"

namespace specroute::sim {

struct Destinations {
  std::string out;     ///< result directory; empty: none
  std::string json;    ///< where the first file goes too; "-": standard output, empty: nowhere
  bool force = false;  ///< a directory with earlier results is replaced
  bool quiet = false;  ///< no report
};

/// What would be found out too late if it were found out when the results are there.
[[nodiscard]] Diagnostics check_destinations(const Destinations& where);

/// Hands the results out: `files`, the summary first, and the report to `out`. Diagnostics where
/// they did not reach the disk, or standard output has no room.
[[nodiscard]] Diagnostics hand_out(const Destinations& where, const std::vector<ResultFile>& files,
                                   const std::string& report, std::ostream& out);

}  // namespace specroute::sim
