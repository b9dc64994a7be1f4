/// @file
/// How a class's requests come: by an open process, from users who wait, or from a trace file.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <specroute/vocab/units.hpp>

#include "models/workload/arrival_process.hpp"
#include "sim/traces/trace.hpp"

namespace specroute::sim {

/// Users of a closed loop: think, ask, wait for the end, think again.
struct ClosedLoop {
  enum class Think { fixed, exponential, lognormal };
  std::uint32_t users;
  Think think;
  Seconds mean_think;
  double cv;  ///< of a lognormal; else 0
};

/// A slice of a trace file, and how it is played.
struct TraceArrivals {
  std::string file;  ///< relative to the working directory, or absolute
  TraceFormat format;
  TraceSlice slice;
  Seconds start;                              ///< the run's time at which the slice begins
  double time_scale;                          ///< what times of the trace are multiplied by
  bool loop;                                  ///< begins again after `slice.to`, until the horizon
  std::optional<std::uint32_t> output_limit;  ///< none: each row's own length
  std::shared_ptr<const Trace> rows;          ///< null where the reader was not asked to read it
};

/// Bursts are part of `open`, which is of kind `none` beside the other two.
struct Arrivals {
  models::ArrivalSpec open;
  std::optional<ClosedLoop> closed_loop;
  std::optional<TraceArrivals> trace;
};

/// A Poisson process without bursts.
[[nodiscard]] inline Arrivals poisson_arrivals(double rate_per_s) {
  Arrivals arrivals;
  arrivals.open.kind = models::ArrivalKind::poisson;
  arrivals.open.rate_per_s = rate_per_s;
  return arrivals;
}

struct Tenant {
  std::string name;
  double weight;
};

}  // namespace specroute::sim
