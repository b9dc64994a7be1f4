/// @file
/// The four distributions of one position, from the token-pair model and who samples how.
#pragma once

#include <cstddef>
#include <vector>

#include "models/speculation/rules.hpp"
#include "models/speculation/sampling.hpp"
#include "models/speculation/token_pair.hpp"

namespace specroute::models {

/// Memory for one position after another. Only what a rule reads is computed.
class PositionColumns {
 public:
  explicit PositionColumns(std::size_t vocabulary)
      : wanted_(vocabulary), forwarded_(vocabulary), drafted_(vocabulary), believed_(vocabulary) {}

  /// Over the leading tokens that matter at `temperature` (`PairModel::relevant_tokens`). Equal
  /// parameters share a column, which also makes q^ = q exact. Valid until the next call.
  PositionDistributions fill(const PairModel& model, std::size_t position, VerificationRule rule,
                             const Situation& situation, double temperature);

  /// Entropy of p at the position that was filled last, nats.
  [[nodiscard]] double wanted_entropy() const { return wanted_entropy_; }

 private:
  std::vector<double> wanted_, forwarded_, drafted_, believed_;
  SamplingScratch scratch_;
  double wanted_entropy_ = 0.0;
};

}  // namespace specroute::models
