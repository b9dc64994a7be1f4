/// @file
/// Roots of up to three equations in as many unknowns, by few evaluations.
///
/// Broyden's method: a matrix of slopes, corrected after every step by what the step has shown.
/// Steps are at most 1 along an axis and are halved while they do not help.
/// @source Broyden, "A class of methods for solving nonlinear simultaneous equations", Mathematics
/// of Computation 19, 1965.
#pragma once

#include <array>
#include <cstddef>
#include <functional>

namespace specroute::models {

inline constexpr std::size_t kMaxUnknowns = 3;
using Unknowns = std::array<double, kMaxUnknowns>;
using Slopes = std::array<Unknowns, kMaxUnknowns>;  ///< [equation][unknown]

/// What is to be 0, and how many of the entries count.
struct EquationSystem {
  std::size_t size;  ///< 1 to kMaxUnknowns
  std::function<Unknowns(const Unknowns&)> residual;
};

/// Largest magnitude among the first `size` entries.
[[nodiscard]] double largest(const Unknowns& vector, std::size_t size);

/// Slopes at x by steps of 1e-3. @param residual at x.
[[nodiscard]] Slopes slopes_at(const EquationSystem& system, const Unknowns& x,
                               const Unknowns& residual);

struct Approach {
  Unknowns x;
  double error;  ///< largest residual there
};

/// Goes from x towards a root until the largest residual is within `tolerance`, or 24 evaluations
/// are spent, or steps vanish; gives the best place. @param slopes to begin with.
[[nodiscard]] Approach approach_root(const EquationSystem& system, const Unknowns& x, Slopes slopes,
                                     double tolerance);

}  // namespace specroute::models
