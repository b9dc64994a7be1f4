#include "models/speculation/position_columns.hpp"

#include <span>

namespace specroute::models {
namespace {

bool reads_belief(VerificationRule rule) {
  return rule == VerificationRule::rejection || rule == VerificationRule::synthetic;
}

}  // namespace

PositionDistributions PositionColumns::fill(const PairModel& model, std::size_t position,
                                            VerificationRule rule, const Situation& situation,
                                            double temperature) {
  const std::size_t tokens = model.relevant_tokens(position, temperature);
  const auto head = [tokens](std::vector<double>& column) {
    return std::span<double>{column.data(), tokens};
  };
  model.target_logits(position, head(wanted_));
  wanted_entropy_ = sample_distribution(head(wanted_), situation.request, scratch_);
  model.draft_logits(position, head(drafted_));
  sample_distribution(head(drafted_), situation.in_force, scratch_);
  PositionDistributions result{head(wanted_), head(wanted_), head(drafted_), head(drafted_)};
  if (rule == VerificationRule::forwarded_logits &&
      !same_distribution(situation.in_force, situation.request)) {
    model.target_logits(position, head(forwarded_));
    sample_distribution(head(forwarded_), situation.in_force, scratch_);
    result.forwarded = head(forwarded_);
  }
  if (reads_belief(rule) && !same_distribution(situation.in_force, situation.believed)) {
    model.draft_logits(position, head(believed_));
    sample_distribution(head(believed_), situation.believed, scratch_);
    result.believed = head(believed_);
  }
  return result;
}

}  // namespace specroute::models
