/// @file
/// What models/speculation says about the real pair, from two of its figures.
#pragma once

#include <optional>

#include "models/speculation/token_pair.hpp"
#include "tests/real_pair/measurement.hpp"

namespace specroute::real_pair {

/// The two figures that are fitted, for each draft: what its healthy pair accepts on held-out text
/// at T = 1, accepted / drafted at gamma = 1.
struct Fitted {
  Estimate exact_match;
  Estimate rejection;
};

[[nodiscard]] Fitted measure_fitted(const Laboratory& laboratory, int draft_order,
                                    std::size_t stride);

/// The pair that differs by information. A refusal is a bug here.
[[nodiscard]] models::PairParameters fit(const Fitted& figures);
/// The pair that differs by error (kappa = 1, no spread): the model without evidence. Nothing where
/// no such pair has the figures.
[[nodiscard]] std::optional<models::PairParameters> fit_error(const Fitted& figures);

struct Predicted {
  double rate;
  double mean_length;
  double acceptance;
  double total_variation;
  double entropy;
};

/// What models/speculation expects of a cell. On held-out text nothing drifts.
[[nodiscard]] Predicted predict(models::PairParameters pair, const Cell& cell, Text text);

/// Share of generated symbols inside a loop: each symbol enters one with the hazard, none leaves
/// it, over kCompletion symbols. The second is the inverse.
[[nodiscard]] double looping_share(double hazard);
[[nodiscard]] double hazard_of_looping_share(double share);

}  // namespace specroute::real_pair
