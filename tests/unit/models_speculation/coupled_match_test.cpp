#include "models/speculation/coupled_match.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "models/random/distributions.hpp"
#include "models/random/stream.hpp"

namespace specroute::models {
namespace {

using Distribution = std::vector<double>;

// The definition, pair by pair.
double by_definition(const Distribution& p, const Distribution& q) {
  double acceptance = 0.0;
  for (std::size_t x = 0; x < p.size(); ++x) {
    if (p[x] == 0.0 || q[x] == 0.0) continue;
    double sum = 0.0;
    for (std::size_t y = 0; y < p.size(); ++y) sum += std::max(p[y] / p[x], q[y] / q[x]);
    acceptance += 1.0 / sum;
  }
  return acceptance;
}

Distribution random_distribution(Stream& stream, std::size_t tokens, double zeros) {
  Distribution weights;
  for (std::size_t i = 0; i < tokens; ++i)
    weights.push_back(stream.uniform() < zeros ? 0.0
                                               : std::pow(exponential_unit(stream.uniform()), 3.0));
  weights.front() += 1e-3;
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight /= total;
  return weights;
}

// p = (.7, .3), q = (.4, .6): 1 / max-sum of the first is 1 / (1 + max(3/7, 3/2)) = 2/5, of the
// second 1 / (1 + max(7/3, 2/3)) = 3/10: .7 = sum min(p, q), as two tokens always reach it.
TEST(CoupledAcceptance, OfTwoTokensIsTheOverlap) {
  EXPECT_NEAR(coupled_acceptance(Distribution{0.7, 0.3}, Distribution{0.4, 0.6}), 0.7, 1e-15);
}

// p = (1/2, 1/4, 1/4), q = (1/4, 1/4, 1/2).
// first: 1 / (1 + max(1/2, 1) + max(1/2, 2)) = 1/4; second: 1 / (max(2, 1) + 1 + max(1, 2)) = 1/5;
// third: 1/4 by symmetry. In all .7, where sum p q = 5/16 and sum min(p, q) = 3/4.
TEST(CoupledAcceptance, OfThreeTokensFallsShortOfTheOverlap) {
  const Distribution p = {0.5, 0.25, 0.25};
  const Distribution q = {0.25, 0.25, 0.5};
  EXPECT_NEAR(coupled_acceptance(p, q), 0.7, 1e-15);
}

TEST(CoupledAcceptance, IsOneForEqualSidesAndTheTargetsShareOfACertainDraft) {
  const Distribution p = {0.5, 0.3, 0.2, 0.0};
  EXPECT_NEAR(coupled_acceptance(p, p), 1.0, 1e-15);
  EXPECT_NEAR(coupled_acceptance(p, Distribution{0.0, 1.0, 0.0, 0.0}), 0.3, 1e-15);
  EXPECT_NEAR(coupled_acceptance(Distribution{0.0, 0.0, 1.0, 0.0}, p), 0.2, 1e-15);
  EXPECT_EQ(coupled_acceptance(p, Distribution{0.0, 0.0, 0.0, 1.0}), 0.0);
}

TEST(CoupledAcceptance, IsItsDefinitionWithinItsBounds) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    auto stream = Seed{seed}.stream("coupled");
    const std::size_t tokens = 1 + seed % 97;
    const auto p = random_distribution(stream, tokens, 0.2);
    const auto q = random_distribution(stream, tokens, 0.2);
    double product = 0.0;
    double overlap = 0.0;
    for (std::size_t i = 0; i < tokens; ++i) {
      product += p[i] * q[i];
      overlap += std::min(p[i], q[i]);
    }
    const double acceptance = coupled_acceptance(p, q);
    ASSERT_NEAR(acceptance, by_definition(p, q), 1e-8) << "seed " << seed;
    ASSERT_GE(acceptance, product - 1e-12) << "seed " << seed;
    ASSERT_LE(acceptance, overlap + 1e-12) << "seed " << seed;
    ASSERT_GE(acceptance, overlap / (2.0 - overlap) - 1e-12) << "seed " << seed;
  }
}

}  // namespace
}  // namespace specroute::models
