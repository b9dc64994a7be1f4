/// @file
/// The Pareto front: what cannot be bettered in one objective without losing in another.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace specroute::sim {

/// What a point costs, one entry per objective, each to be made small (turn the sign of what should
/// be large). Absent: the objective does not apply, and the point is not judged.
using Costs = std::vector<std::optional<double>>;

/// Indices of the points that no other point beats, ascending. One point beats another where it
/// costs no more in every objective and less in at least one; equals stand side by side.
[[nodiscard]] std::vector<std::size_t> pareto_front(const std::vector<Costs>& points);

}  // namespace specroute::sim
