/// @file
/// All token-pair models that meet a set of acceptances, where no closed order of solving helps.
///
/// Unknowns are log s, and log(epsilon / (kappa s)) and log kappa where they are not given: as many
/// as there are readings. A scan of the box on a coarse table finds the cells in which every
/// reading passes its wanted value; Broyden's method goes from each cell to the root on the coarse
/// table, and from there to the root on the full one. Roots are distinct where they differ by 3 %.
/// Limit: two roots inside one cell (a factor of about 1.6 in s) may be taken for one.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "models/speculation/sampling.hpp"
#include "models/speculation/token_pair.hpp"

namespace specroute::models {

/// An acceptance that both sides have while they apply `parameters`, which sample.
struct Reading {
  bool rejection;  ///< E sum min(p, q); else E sum p q
  double alpha;
  SamplingParameters parameters;
};

struct SearchProblem {
  std::vector<Reading> readings;
  std::optional<double> ratio;     ///< epsilon / (kappa s), where an agreement gives it
  std::optional<double> fidelity;  ///< kappa, where it is given
  double sharpness_spread = 0.0;
  std::shared_ptr<const PositionTable> table;
};

struct SearchResult {
  std::vector<PairParameters> roots;
  /// Without a root: the first reading that cannot be had together with those before it, and about
  /// which range of alpha is possible.
  std::size_t impossible = 0;
  double lowest = 0.0;
  double highest = 0.0;
};

/// @param problem with one to three readings, and as many unknowns.
[[nodiscard]] SearchResult search_pairs(const SearchProblem& problem);

}  // namespace specroute::models
