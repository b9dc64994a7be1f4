#include "models/speculation/rules.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include <specroute/vocab/check.hpp>

namespace specroute::models {
namespace {

double overlap_by_product(std::span<const double> a, std::span<const double> b) {
  double total = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) total += a[i] * b[i];
  return total;
}

double rejection_acceptance(double p, double q_believed) {
  if (p == 0.0) return 0.0;
  return p >= q_believed ? 1.0 : p / q_believed;
}

double verify_by_rejection(const PositionDistributions& position, std::span<double> emitted) {
  double accepted = 0.0;
  double residual_mass = 0.0;
  for (std::size_t i = 0; i < emitted.size(); ++i) {
    const double p = position.wanted[i];
    emitted[i] = position.drafted[i] * rejection_acceptance(p, position.believed[i]);
    accepted += emitted[i];
    residual_mass += std::max(0.0, p - position.believed[i]);
  }
  // With q^ = p nothing is left over; a token outside q^ can still be rejected, and p replaces it.
  const bool has_residual = residual_mass > 1e-15;
  const double rejected = std::max(0.0, 1.0 - accepted);
  for (std::size_t i = 0; i < emitted.size(); ++i) {
    const double p = position.wanted[i];
    emitted[i] +=
        rejected * (has_residual ? std::max(0.0, p - position.believed[i]) / residual_mass : p);
  }
  return accepted;
}

double total_variation(std::span<const double> a, std::span<const double> b) {
  double distance = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) distance += std::fabs(a[i] - b[i]);
  return 0.5 * distance;
}

// The rule emits exactly p, whatever the draft did: no need to add it up token by token.
bool is_lossless(VerificationRule rule, const Situation& situation) {
  switch (rule) {
    case VerificationRule::rejection:
      return same_distribution(situation.in_force, situation.believed);
    case VerificationRule::exact_match:
    case VerificationRule::one_hot:
      return true;
    case VerificationRule::forwarded_logits:
      return same_distribution(situation.in_force, situation.request);
  }
  check(false, "a verification rule is one of the enumerators");
  return false;
}

double largest_temperature(const Situation& situation) {
  return std::max({situation.request.temperature, situation.in_force.temperature,
                   situation.believed.temperature});
}

// Memory of one evaluation, one column per distribution.
struct Columns {
  std::vector<double> wanted, forwarded, drafted, believed, emitted;
  SamplingScratch scratch;
  double wanted_entropy = 0.0;

  explicit Columns(std::size_t vocabulary)
      : wanted(vocabulary),
        forwarded(vocabulary),
        drafted(vocabulary),
        believed(vocabulary),
        emitted(vocabulary) {}

  // Equal parameters share a column, which also makes q^ = q exact.
  PositionDistributions fill(const PairModel& model, std::size_t position, VerificationRule rule,
                             const Situation& situation) {
    const std::size_t tokens = model.relevant_tokens(position, largest_temperature(situation));
    const auto head = [tokens](std::vector<double>& column) {
      return std::span<double>{column.data(), tokens};
    };
    model.target_logits(position, head(wanted));
    wanted_entropy = sample_distribution(head(wanted), situation.request, scratch);
    model.draft_logits(position, head(drafted));
    sample_distribution(head(drafted), situation.in_force, scratch);
    PositionDistributions result{head(wanted), head(wanted), head(drafted), head(drafted)};
    if (rule == VerificationRule::forwarded_logits &&
        !same_distribution(situation.in_force, situation.request)) {
      model.target_logits(position, head(forwarded));
      sample_distribution(head(forwarded), situation.in_force, scratch);
      result.forwarded = head(forwarded);
    }
    if (rule == VerificationRule::rejection &&
        !same_distribution(situation.in_force, situation.believed)) {
      model.draft_logits(position, head(believed));
      sample_distribution(head(believed), situation.believed, scratch);
      result.believed = head(believed);
    }
    return result;
  }
};

}  // namespace

const char* to_string(VerificationRule rule) {
  switch (rule) {
    case VerificationRule::rejection:
      return "rejection";
    case VerificationRule::exact_match:
      return "exact_match";
    case VerificationRule::one_hot:
      return "one_hot";
    case VerificationRule::forwarded_logits:
      return "forwarded_logits";
  }
  check(false, "a verification rule is one of the enumerators");
  return "";
}

Situation healthy(const SamplingParameters& request) {
  return {request, request, request};
}

Situation stale_draft(const SamplingParameters& request, const SamplingParameters& in_force) {
  return {request, in_force, request};
}

double verify_position(VerificationRule rule, const PositionDistributions& position,
                       std::span<double> emitted) {
  const std::size_t tokens = emitted.size();
  check(position.wanted.size() == tokens && position.forwarded.size() == tokens &&
            position.drafted.size() == tokens && position.believed.size() == tokens,
        "the distributions of a position cover the same tokens");
  switch (rule) {
    case VerificationRule::rejection:
      return verify_by_rejection(position, emitted);
    case VerificationRule::exact_match:
    case VerificationRule::one_hot:
      // one_hot: q(y) p(y) + p(y) sum over x != y of q(x) (1 - p(x)) / (1 - p(x)) = p(y).
      std::copy(position.wanted.begin(), position.wanted.end(), emitted.begin());
      return overlap_by_product(position.wanted, position.drafted);
    case VerificationRule::forwarded_logits:
      std::copy(position.forwarded.begin(), position.forwarded.end(), emitted.begin());
      return overlap_by_product(position.forwarded, position.drafted);
  }
  check(false, "a verification rule is one of the enumerators");
  return 0.0;
}

RuleOutcome evaluate(const PairModel& model, VerificationRule rule, const Situation& situation) {
  const bool lossless = is_lossless(rule, situation);
  const std::size_t positions = model.table().positions();
  Columns columns{model.table().vocabulary()};
  RuleOutcome sums{};
  for (std::size_t i = 0; i < positions; ++i) {
    const PositionDistributions position = columns.fill(model, i, rule, situation);
    const std::span<double> emitted{columns.emitted.data(), position.wanted.size()};
    sums.acceptance += verify_position(rule, position, emitted);
    sums.bonus_entropy_nats += columns.wanted_entropy;
    sums.emitted_entropy_nats += lossless ? columns.wanted_entropy : entropy_nats(emitted);
    sums.total_variation += lossless ? 0.0 : total_variation(emitted, position.wanted);
  }
  const auto count = static_cast<double>(positions);
  return {.acceptance = std::min(1.0, sums.acceptance / count),
          .emitted_entropy_nats = sums.emitted_entropy_nats / count,
          .bonus_entropy_nats = sums.bonus_entropy_nats / count,
          .total_variation = sums.total_variation / count};
}

double argmax_agreement(const PairModel& model) {
  const PairParameters& pair = model.parameters();
  return model.table().agreement(pair.noise / (pair.fidelity * pair.sharpness));
}

}  // namespace specroute::models
