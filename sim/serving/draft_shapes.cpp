#include "sim/serving/draft_shapes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/random/portable_math.hpp"
#include "models/speculation/acceptance.hpp"
#include "models/speculation/acceptance_decay.hpp"
#include "models/speculation/request_spread.hpp"
#include "sim/serving/model_inputs.hpp"

namespace specroute::sim {

RowLayout row_layout(const std::vector<AcceptancePair>& pairs) {
  RowLayout layout;
  double low = std::numeric_limits<double>::infinity();
  double high = 0.0;
  for (const AcceptancePair& pair : pairs) {
    if (pair.correlation > 0.0) layout.quantiles = models::kRequestQuantiles;
    if (!pair.context_decay) continue;
    low = std::min(low, pair.context_decay->points.front().context_tokens);
    high = std::max(high, pair.context_decay->points.back().context_tokens);
  }
  if (high == 0.0) return layout;
  low = std::max(low, 1.0);
  for (std::uint32_t i = 0; i <= kContextRanges; ++i) {
    const double share = static_cast<double>(i) / kContextRanges;
    const double edge = low * models::portable::pow(high / low, share);
    const auto tokens = static_cast<std::uint32_t>(std::floor(edge + 0.5));
    if (layout.edges.empty() || tokens > layout.edges.back()) layout.edges.push_back(tokens);
  }
  return layout;
}

double representative_context(const RowLayout& layout, std::uint32_t range) {
  if (layout.edges.empty()) return 0.0;
  if (range == 0) return layout.edges.front();
  if (range == layout.edges.size()) return layout.edges.back();
  return std::sqrt(static_cast<double>(layout.edges[range - 1]) *
                   static_cast<double>(layout.edges[range]));
}

Result<DraftShapes> DraftShapes::create(const AcceptancePair& pair,
                                        const models::PairModel& model) {
  DraftShapes shapes;
  shapes.pair_ = &pair;
  if (!pair.per_position) return shapes;
  const auto parameters = sampling_parameters(pair.per_position->sampling);
  shapes.measured_alpha_ = models::evaluate(model, verification_rule(pair.per_position->rule),
                                            models::healthy(parameters))
                               .acceptance;
  if (shapes.measured_alpha_ > 0.0 && shapes.measured_alpha_ < 1.0) return shapes;
  return Diagnostic{.file = {},
                    .place = "/per_position",
                    .expected = "a measurement at which the pair's model accepts sometimes",
                    .found = shapes.measured_alpha_ == 0.0 ? "one at which it never accepts"
                                                           : "one at which it always accepts",
                    .nearest = {}};
}

std::vector<double> DraftShapes::mean_shape(double alpha, int draft_tokens) const {
  if (!pair_->per_position || draft_tokens == 0) return models::iid_shape(alpha, draft_tokens);
  return models::shape_at_level(
      models::extended_shape(pair_->per_position->conditional, draft_tokens), measured_alpha_,
      alpha);
}

std::vector<std::vector<double>> DraftShapes::shapes(std::span<const double> mean_shape,
                                                     double scale, const RowLayout& layout) const {
  std::vector<std::vector<double>> requests{{mean_shape.begin(), mean_shape.end()}};
  if (scale > 0.0) requests = models::spread_shapes(mean_shape, scale);
  requests.resize(layout.quantiles, requests.front());  // without a spread all kinds are alike
  std::vector<std::vector<double>> result;
  for (const auto& request : requests)
    for (std::uint32_t range = 0; range < layout.ranges(); ++range)
      result.push_back(pair_->context_decay
                           ? models::decayed_shape(*pair_->context_decay, request,
                                                   representative_context(layout, range))
                           : request);
  return result;
}

}  // namespace specroute::sim
