/// @file
/// From the acceptance of one position to that of a draft, for every kind of request and range of
/// context: what the token-pair model leaves to measurement.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <specroute/vocab/result.hpp>

#include "models/speculation/rules.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/serving/row_layout.hpp"

namespace specroute::sim {

/// Ranges of context between the first and the last point of all curves, in equal ratios.
inline constexpr std::uint32_t kContextRanges = 16;

/// The layout that a scenario's acceptance pairs need: kinds of request where one has a
/// correlation, ranges of context where one has a curve.
[[nodiscard]] RowLayout row_layout(const std::vector<AcceptancePair>& pairs);

/// Context that stands for a range: its geometric mean, or its only end.
[[nodiscard]] double representative_context(const RowLayout& layout, std::uint32_t range);

/// The shapes of one acceptance pair.
class DraftShapes {
 public:
  /// Fails where `per_position` was measured with an acceptance of 0 or 1, from which no level can
  /// be told.
  static Result<DraftShapes> create(const AcceptancePair& pair, const models::PairModel& model);

  /// Conditional acceptances of a draft of the mean request at the shortest context, where a
  /// position of the token-pair model is accepted with `alpha`.
  [[nodiscard]] std::vector<double> mean_shape(double alpha, int draft_tokens) const;

  /// All shapes, [quantile x ranges + range].
  /// @param scale of the spread of requests, see models/speculation/request_spread.hpp
  [[nodiscard]] std::vector<std::vector<double>> shapes(std::span<const double> mean_shape,
                                                        double scale,
                                                        const RowLayout& layout) const;

 private:
  const AcceptancePair* pair_ = nullptr;
  double measured_alpha_ = 0.0;
};

}  // namespace specroute::sim
