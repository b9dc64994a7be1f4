/// @file
/// One draft against the target: every cell measured and predicted.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "tests/real_pair/prediction.hpp"

namespace specroute::real_pair {

/// The bound that predicted acceptances of drafts of order 3 to 5 are held to.
inline constexpr double kBound = 0.03;

struct Row {
  Cell cell;
  Measured measured;
  Predicted predicted;
  std::optional<Predicted> by_error;  ///< the model without evidence, with the same two figures
};

struct Study {
  int draft_order;
  Fitted fitted;
  models::PairParameters pair;
  std::vector<Row> held_out;
  std::vector<Row> generated;
};

/// @param stride every so many verses. @param with_error_model also predicts by `fit_error`.
[[nodiscard]] Study study_draft(const Laboratory& laboratory, int draft_order, std::size_t stride,
                                bool with_error_model);

/// Whether the rule emits exactly p in this cell, by the theory of the rule.
[[nodiscard]] bool emits_target(const Cell& cell);

}  // namespace specroute::real_pair
