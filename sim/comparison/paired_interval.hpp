/// @file
/// Whether a metric differs between two gates, over seeds that both ran.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "models/statistics/interval.hpp"

namespace specroute::sim {

/// The mean difference, second less first, and two intervals for it.
struct PairedInterval {
  models::Interval student;  ///< of the differences by seed, as if they were normal
  /// 2.5 % and 97.5 % quantiles of the means of 2,000 resamples of the seeds. Absent below ten
  /// seeds, where resampling a handful of values says less than it seems to: Student's then stands.
  std::optional<std::pair<double, double>> bootstrap;
};

inline constexpr std::size_t kFewestForBootstrap = 10;

/// @param differences one per seed, in the order of the seeds. A seed is the cluster: its requests
/// share arrivals and faults, and are resampled together. The resamples are drawn from a stream of
/// their own, so the same differences give the same interval.
/// @source Efron, "Bootstrap methods: another look at the jackknife", Ann. Statist. 7(1), 1979.
[[nodiscard]] PairedInterval paired_interval(std::span<const double> differences);

}  // namespace specroute::sim
