#include "models/speculation/rules.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include <specroute/vocab/check.hpp>

#include "models/random/portable_math.hpp"
#include "models/speculation/coupled_match.hpp"

namespace specroute::models {
namespace {

constexpr double kNoMass = 1e-15;  // what rounding leaves of a residual that is empty

double overlap_by_product(std::span<const double> a, std::span<const double> b) {
  double total = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) total += a[i] * b[i];
  return total;
}

void emit(std::span<const double> distribution, std::span<double> emitted) {
  std::copy(distribution.begin(), distribution.end(), emitted.begin());
}

double rejection_acceptance(double p, double q_believed) {
  if (p == 0.0) return 0.0;
  return p >= q_believed ? 1.0 : p / q_believed;
}

// Adds what replaces a rejected token: max(0, p - l q^) renormalised. With q^ = p nothing is left
// over; a token outside q^ can still be rejected, and p replaces it.
void add_residual(const PositionDistributions& position, double lenience, double rejected,
                  std::span<double> emitted) {
  double mass = 0.0;
  for (std::size_t i = 0; i < emitted.size(); ++i)
    mass += std::max(0.0, position.wanted[i] - lenience * position.believed[i]);
  const bool has_residual = mass > kNoMass;
  for (std::size_t i = 0; i < emitted.size(); ++i) {
    const double p = position.wanted[i];
    emitted[i] +=
        rejected * (has_residual ? std::max(0.0, p - lenience * position.believed[i]) / mass : p);
  }
}

double verify_by_rejection(const PositionDistributions& position, double lenience,
                           std::span<double> emitted) {
  double accepted = 0.0;
  for (std::size_t i = 0; i < emitted.size(); ++i) {
    const double q = position.drafted[i];  // a stale greedy draft has one token: spare the others
    emitted[i] =
        q == 0.0 ? 0.0
                 : q * rejection_acceptance(position.wanted[i], lenience * position.believed[i]);
    accepted += emitted[i];
  }
  add_residual(position, lenience, std::max(0.0, 1.0 - accepted), emitted);
  return accepted;
}

double verify_by_typicality(const Verifier& verifier, const PositionDistributions& position,
                            std::span<double> emitted) {
  const double threshold =
      std::min(verifier.posterior_threshold,
               verifier.posterior_alpha * portable::exp(-entropy_nats(position.wanted)));
  double accepted = 0.0;
  for (std::size_t i = 0; i < emitted.size(); ++i) {
    emitted[i] = position.wanted[i] > threshold ? position.drafted[i] : 0.0;
    accepted += emitted[i];
  }
  const auto argmax = std::max_element(position.wanted.begin(), position.wanted.end());
  emitted[static_cast<std::size_t>(argmax - position.wanted.begin())] +=
      std::max(0.0, 1.0 - accepted);
  return accepted;
}

// A rejected x is replaced by y with p(y) / (1 - p(x)), so y gets p(y) (W - w(y)) with
// w(x) = q(x) (1 - a(x)) / (1 - p(x)) and W its sum.
double verify_by_threshold(const Verifier& verifier, const PositionDistributions& position,
                           std::span<double> emitted) {
  const auto acceptance = [&](double p) {
    return p >= verifier.threshold_single ? 1.0 : std::min(1.0, p / verifier.threshold_acc);
  };
  const auto replaced = [&](std::size_t i) {
    const double p = position.wanted[i];
    return p < 1.0 ? position.drafted[i] * (1.0 - acceptance(p)) / (1.0 - p) : 0.0;
  };
  double accepted = 0.0;
  double replacements = 0.0;
  for (std::size_t i = 0; i < emitted.size(); ++i) {
    emitted[i] = position.drafted[i] * acceptance(position.wanted[i]);
    accepted += emitted[i];
    replacements += replaced(i);
  }
  for (std::size_t i = 0; i < emitted.size(); ++i)
    emitted[i] += position.wanted[i] * std::max(0.0, replacements - replaced(i));
  return accepted;
}

double verify_synthetically(double share, const PositionDistributions& position,
                            std::span<double> emitted) {
  for (std::size_t i = 0; i < emitted.size(); ++i) emitted[i] = share * position.drafted[i];
  add_residual(position, 1.0, 1.0 - share, emitted);
  return share;
}

void check_verifier(const Verifier& verifier) {
  const auto in_unit = [](double value) { return value > 0.0 && value <= 1.0; };
  check(in_unit(verifier.lenience), "a lenience lies in (0, 1]");
  check(in_unit(verifier.posterior_threshold) && in_unit(verifier.posterior_alpha),
        "the parameters of typical acceptance lie in (0, 1]");
  check(in_unit(verifier.threshold_single) && in_unit(verifier.threshold_acc),
        "acceptance thresholds lie in (0, 1]");
  check(verifier.synthetic_share >= 0.0 && verifier.synthetic_share <= 1.0,
        "a share of accepted tokens lies in [0, 1]");
}

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
    case VerificationRule::coupled_match:
      return "coupled_match";
    case VerificationRule::typical:
      return "typical";
    case VerificationRule::threshold:
      return "threshold";
    case VerificationRule::synthetic:
      return "synthetic";
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

bool is_lossless(const Verifier& verifier, const Situation& situation) {
  switch (verifier.rule) {
    case VerificationRule::rejection:
      return verifier.lenience == 1.0 && same_distribution(situation.in_force, situation.believed);
    case VerificationRule::exact_match:
    case VerificationRule::one_hot:
    case VerificationRule::coupled_match:
      return true;
    case VerificationRule::forwarded_logits:
      return same_distribution(situation.in_force, situation.request);
    case VerificationRule::threshold:
      return verifier.threshold_single == 1.0 && verifier.threshold_acc == 1.0;
    case VerificationRule::typical:
    case VerificationRule::synthetic:
      return false;
  }
  check(false, "a verification rule is one of the enumerators");
  return false;
}

Verifier effective(Verifier verifier, const Situation& situation) {
  if (verifier.rule == VerificationRule::coupled_match &&
      situation.in_force.seed != situation.request.seed)
    verifier.rule = VerificationRule::exact_match;
  return verifier;
}

double verify_position(const Verifier& verifier, const PositionDistributions& position,
                       std::span<double> emitted) {
  const std::size_t tokens = emitted.size();
  check(position.wanted.size() == tokens && position.forwarded.size() == tokens &&
            position.drafted.size() == tokens && position.believed.size() == tokens,
        "the distributions of a position cover the same tokens");
  check_verifier(verifier);
  switch (verifier.rule) {
    case VerificationRule::rejection:
      return verify_by_rejection(position, verifier.lenience, emitted);
    case VerificationRule::exact_match:
    case VerificationRule::one_hot:
      // one_hot: q(y) p(y) + p(y) sum over x != y of q(x) (1 - p(x)) / (1 - p(x)) = p(y).
      emit(position.wanted, emitted);
      return overlap_by_product(position.wanted, position.drafted);
    case VerificationRule::forwarded_logits:
      emit(position.forwarded, emitted);
      return overlap_by_product(position.forwarded, position.drafted);
    case VerificationRule::coupled_match:
      emit(position.wanted, emitted);
      return coupled_acceptance(position.wanted, position.drafted);
    case VerificationRule::typical:
      return verify_by_typicality(verifier, position, emitted);
    case VerificationRule::threshold:
      return verify_by_threshold(verifier, position, emitted);
    case VerificationRule::synthetic:
      return verify_synthetically(verifier.synthetic_share, position, emitted);
  }
  check(false, "a verification rule is one of the enumerators");
  return 0.0;
}

}  // namespace specroute::models
