// Each rule as an engine runs it, token by token with coins and noise, against its closed form.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "models/random/distributions.hpp"
#include "models/random/stream.hpp"
#include "models/speculation/rules.hpp"

namespace specroute::models {
namespace {

using Rule = VerificationRule;
using Distribution = std::vector<double>;

constexpr int kDraws = 60'000;

Distribution spiky_distribution(Stream& stream, std::size_t tokens) {
  Distribution weights;
  for (std::size_t i = 0; i < tokens; ++i)
    weights.push_back(std::pow(exponential_unit(stream.uniform()), 2.0));
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight /= total;
  return weights;
}

std::size_t draw(const Distribution& weights, Stream& stream) {
  double left = stream.uniform() * std::accumulate(weights.begin(), weights.end(), 0.0);
  for (std::size_t i = 0; i + 1 < weights.size(); ++i)
    if ((left -= weights[i]) < 0.0) return i;
  return weights.size() - 1;
}

struct Sides {
  Distribution p, forwarded, q, believed;
};

struct Step {
  bool accepted;
  std::size_t token;
};

Distribution residual(const Distribution& p, const Distribution& subtracted, double factor) {
  Distribution left(p.size());
  for (std::size_t i = 0; i < p.size(); ++i) left[i] = std::max(0.0, p[i] - factor * subtracted[i]);
  return left;
}

Distribution without(Distribution p, std::size_t token) {
  p[token] = 0.0;
  return p;
}

std::size_t noisy_argmax(const Distribution& weights, const Distribution& noise) {
  std::size_t best = 0;
  double highest = -1e300;
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (const double value = std::log(weights[i]) + noise[i]; value > highest) {
      highest = value;
      best = i;
    }
  return best;
}

Step coupled_step(const Sides& sides, Stream& stream) {
  Distribution noise(sides.p.size());
  for (double& gumbel : noise) gumbel = -std::log(-std::log(stream.uniform_open()));
  const std::size_t y = noisy_argmax(sides.p, noise);
  return {noisy_argmax(sides.q, noise) == y, y};
}

Step step(const Verifier& verifier, const Sides& sides, Stream& stream) {
  if (verifier.rule == Rule::coupled_match) return coupled_step(sides, stream);
  const Distribution& p = sides.p;
  const std::size_t x = draw(sides.q, stream);
  const double coin = stream.uniform();
  const auto or_else = [&](bool accepted, const Distribution& replacement) {
    return Step{accepted, accepted ? x : draw(replacement, stream)};
  };
  switch (verifier.rule) {
    case Rule::rejection:
      return or_else(coin * verifier.lenience * sides.believed[x] < p[x],
                     residual(p, sides.believed, verifier.lenience));
    case Rule::exact_match: {
      const std::size_t y = draw(p, stream);
      return {x == y, y};
    }
    case Rule::one_hot:
      return or_else(coin < p[x], without(p, x));
    case Rule::forwarded_logits: {
      const std::size_t y = draw(sides.forwarded, stream);
      return {x == y, y};
    }
    case Rule::typical: {
      double entropy = 0.0;
      for (const double share : p) entropy -= share * std::log(share);
      Distribution greedy(p.size(), 0.0);
      greedy[static_cast<std::size_t>(std::max_element(p.begin(), p.end()) - p.begin())] = 1.0;
      const double threshold =
          std::min(verifier.posterior_threshold, verifier.posterior_alpha * std::exp(-entropy));
      return or_else(p[x] > threshold, greedy);
    }
    case Rule::threshold:
      return or_else(coin <= p[x] / verifier.threshold_acc || p[x] >= verifier.threshold_single,
                     without(p, x));
    default:
      return or_else(coin < verifier.synthetic_share, residual(p, sides.believed, 1.0));
  }
}

const std::vector<Verifier>& verifiers() {
  static const std::vector<Verifier> all = {
      {.rule = Rule::rejection},
      {.rule = Rule::rejection, .lenience = 0.4},
      {.rule = Rule::exact_match},
      {.rule = Rule::coupled_match},
      {.rule = Rule::one_hot},
      {.rule = Rule::forwarded_logits},
      {.rule = Rule::typical, .posterior_threshold = 0.15, .posterior_alpha = 0.6},
      {.rule = Rule::threshold, .threshold_single = 0.3, .threshold_acc = 0.5},
      {.rule = Rule::synthetic, .synthetic_share = 0.7},
  };
  return all;
}

// 4.5 standard errors: about 1 in 150,000 for each of the 400 comparisons.
double tolerance(double share) {
  return 4.5 * std::sqrt(share * (1.0 - share) / kDraws) + 1e-9;
}

TEST(RuleMechanism, AgreesWithTheSumsOverTokens) {
  for (std::uint64_t seed = 0; seed < 4; ++seed)
    for (const Verifier& verifier : verifiers()) {
      auto stream = Seed{seed}.stream("mechanism");
      Sides sides{spiky_distribution(stream, 6), spiky_distribution(stream, 6),
                  spiky_distribution(stream, 6), spiky_distribution(stream, 6)};
      if (seed % 2 == 0) sides.believed = sides.q;
      int accepted = 0;
      Distribution counted(6, 0.0);
      for (int i = 0; i < kDraws; ++i) {
        const Step one = step(verifier, sides, stream);
        accepted += one.accepted ? 1 : 0;
        counted[one.token] += 1.0 / kDraws;
      }
      Distribution emitted(6);
      const double acceptance =
          verify_position(verifier, {sides.p, sides.forwarded, sides.q, sides.believed}, emitted);
      const std::string what =
          std::string{to_string(verifier.rule)} + ", seed " + std::to_string(seed);
      EXPECT_NEAR(static_cast<double>(accepted) / kDraws, acceptance, tolerance(acceptance))
          << what;
      for (std::size_t i = 0; i < emitted.size(); ++i)
        EXPECT_NEAR(counted[i], emitted[i], tolerance(emitted[i])) << what << ", token " << i;
    }
}

}  // namespace
}  // namespace specroute::models
