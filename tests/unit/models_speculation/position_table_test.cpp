#include "models/speculation/position_table.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "models/speculation/token_pair.hpp"

namespace specroute::models {
namespace {

TEST(PositionTable, SortsEveryPositionByTheTarget) {
  const PositionTable table{{64, 100}};
  for (std::size_t i = 0; i < table.positions(); ++i) {
    const auto g = table.target(i);
    ASSERT_TRUE(std::is_sorted(g.begin(), g.end(), std::greater<>{}));
  }
}

// Over P positions of V tokens the mean of normals has standard error 1 / sqrt(P V) if independent,
// their variance sqrt(2 / (P V)). Stratification can only lower both; five errors are allowed.
TEST(PositionTable, HoldsStandardNormals) {
  const auto& table = *PositionTable::standard();
  const auto entries = static_cast<double>(table.positions() * table.vocabulary());
  for (const bool target : {true, false}) {
    double sum = 0.0;
    double squares = 0.0;
    for (std::size_t i = 0; i < table.positions(); ++i)
      for (const double value : target ? table.target(i) : table.draft_noise(i)) {
        sum += value;
        squares += value * value;
      }
    EXPECT_NEAR(sum / entries, 0.0, 5.0 / std::sqrt(entries)) << target;
    EXPECT_NEAR(squares / entries, 1.0, 5.0 * std::sqrt(2.0 / entries)) << target;
  }
}

// The mean of the largest of 512 normals, by numerical integration of 1 - Phi(x)^512, is 3.0398;
// its standard deviation about 0.40. 512 independent draws would have error 0.018; stratified, far
// less.
TEST(PositionTable, PutsTheLargestOf512NormalsWhereTheyBelong) {
  const auto& table = *PositionTable::standard();
  const auto distribution = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
  double expected = 0.0;
  for (double x = -10.0; x < 10.0; x += 1e-3) {
    const double power = std::pow(distribution(x + 5e-4), 512.0);
    expected += 1e-3 * (x >= 0.0 ? 1.0 - power : -power);
  }
  double sum = 0.0;
  for (std::size_t i = 0; i < table.positions(); ++i) sum += table.target(i)[0];
  EXPECT_NEAR(sum / static_cast<double>(table.positions()), expected, 0.005);
}

// The critical ratios say the same as looking for the argmax of every position.
TEST(PositionTable, AgreesWithACountOfArgmaxes) {
  const PositionTable table{{256, 64}};
  for (const double ratio : {0.0, 0.01, 0.1, 0.5, 2.0}) {
    int agreeing = 0;
    for (std::size_t i = 0; i < table.positions(); ++i) {
      const auto g = table.target(i);
      const auto noise = table.draft_noise(i);
      std::size_t best = 0;
      for (std::size_t j = 1; j < g.size(); ++j)
        if (g[j] + ratio * noise[j] > g[best] + ratio * noise[best]) best = j;
      agreeing += best == 0 ? 1 : 0;
    }
    EXPECT_EQ(table.agreement(ratio), agreeing / 256.0) << ratio;
  }
}

TEST(PositionTable, InvertsTheAgreementToHalfAStep) {
  const auto& table = *PositionTable::standard();
  for (const double share : {0.05, 0.3, 0.82, 0.959, 1.0})
    EXPECT_NEAR(table.agreement(table.ratio_for_agreement(share)), share,
                0.5 / static_cast<double>(table.positions()) + 1e-12)
        << share;
}

// At temperature T a token k below the maximum weighs e^(-k / T); 37 T is the promise.
TEST(PairModel, KeepsEveryTokenThatCouldMatter) {
  const PairModel model{{.sharpness = 9.0, .noise = 2.0, .fidelity = 0.8}};
  std::vector<double> target(model.table().vocabulary());
  std::vector<double> draft(model.table().vocabulary());
  bool pruned = false;
  for (std::size_t i = 0; i < model.table().positions(); i += 7) {
    model.target_logits(i, target);
    model.draft_logits(i, draft);
    const std::size_t kept = model.relevant_tokens(i, 0.7);
    pruned = pruned || kept < target.size();
    const double best = *std::max_element(draft.begin(), draft.end());
    for (std::size_t j = kept; j < target.size(); ++j) {
      ASSERT_LT(target[j], target[0] - 37.0 * 0.7);
      ASSERT_LT(draft[j], best - 37.0 * 0.7);
    }
  }
  EXPECT_TRUE(pruned);
}

// The factor's mean over positions is exp(-spread^2 / 2) E exp(spread z) = 1.
TEST(PairModel, SpreadsSharpnessAboutItsMean) {
  const PairModel model{{.sharpness = 4.0, .noise = 0.1, .sharpness_spread = 0.3}};
  double sum = 0.0;
  for (std::size_t i = 0; i < model.table().positions(); ++i) sum += model.scale(i);
  EXPECT_NEAR(sum / static_cast<double>(model.table().positions()), 1.0, 2e-3);
  EXPECT_LT(model.scale(0), 0.5);
}

}  // namespace
}  // namespace specroute::models
