#include "tests/real_pair/ngram_model.hpp"

#include <numeric>

#include <gtest/gtest.h>

#include "models/random/stream.hpp"

namespace specroute::real_pair {
namespace {

std::vector<double> distribution(const NgramModel& model, const std::vector<Symbol>& history,
                                 int order) {
  std::vector<double> probabilities(model.alphabet());
  model.distribution(history, order, probabilities);
  return probabilities;
}

// N-grams are counted from the eighth symbol on, where the longest context is whole. In
// 0101010 | 0 1 1 the symbols counted are 0, 1, 1, with the contexts 0, 0 and 1 before them.
// Order 1: C(0) = 1, C(1) = 2, N = 2 over 3 counts, P_0 = 1/2:
//   P(1) = (2 + 2 x 1/2) / (3 + 2) = 3/5, P(0) = (1 + 1) / 5 = 2/5.
// Order 2, after 0: C(0 0) = 1, C(0 1) = 1, N = 2: P(1 | 0) = (1 + 2 x 3/5) / (2 + 2) = 11/20.
// Order 2, after 1: C(1 1) = 1, N = 1: P(1 | 1) = (1 + 1 x 3/5) / (1 + 1) = 4/5.
TEST(NgramModel, IsWittenBellByHand) {
  const NgramModel model{{0, 1, 0, 1, 0, 1, 0, 0, 1, 1}, 2};
  EXPECT_NEAR(distribution(model, {}, 1)[1], 3.0 / 5.0, 1e-15);
  EXPECT_NEAR(distribution(model, {1, 0}, 1)[1], 3.0 / 5.0, 1e-15);
  EXPECT_NEAR(distribution(model, {1, 0}, 2)[1], 11.0 / 20.0, 1e-15);
  EXPECT_NEAR(distribution(model, {0, 1}, 2)[1], 4.0 / 5.0, 1e-15);
}

// The same by three: of 0 1 2 0 1 2 0 | 1 2 0 1 every context of two symbols has one successor.
// Unigrams: C = (1, 2, 1), N = 3, P_0 = 1/3: P(1) = (2 + 1) / 7 = 3/7.
// After 0: C(0 1) = 2, N = 1: P(1 | 0) = (2 + 3/7) / 3 = 17/21.
// After 2 0: P(1 | 2 0) = (2 + 17/21) / 3 = 59/63. After 1 0, never seen, it is P(1 | 0).
TEST(NgramModel, BacksOffFromContextsThatItNeverSaw) {
  const NgramModel model{{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1}, 3};
  EXPECT_NEAR(distribution(model, {2, 0}, 2)[1], 17.0 / 21.0, 1e-15);
  EXPECT_NEAR(distribution(model, {2, 0}, 3)[1], 59.0 / 63.0, 1e-15);
  EXPECT_NEAR(distribution(model, {1, 0}, 3)[1], 17.0 / 21.0, 1e-15);
  EXPECT_NEAR(distribution(model, {0}, 8)[1], 17.0 / 21.0, 1e-15);
}

// A pseudo-random text with some structure: symbol i mostly repeats symbol i - 3.
std::vector<Symbol> text_of(std::size_t length) {
  models::Stream stream = models::Seed{11}.stream("text");
  std::vector<Symbol> text;
  for (std::size_t i = 0; i < length; ++i)
    text.push_back(i >= 3 && stream.uniform() < 0.7 ? text[i - 3]
                                                    : static_cast<Symbol>(stream.uniform() * 20.0));
  return text;
}

TEST(NgramModel, SumsToOneAndLeavesNothingOut) {
  const auto text = text_of(5000);
  const NgramModel model{text, 20};
  for (std::size_t i = 0; i < text.size(); i += 7)
    for (int order = 1; order <= kMaxOrder; ++order) {
      const auto p =
          distribution(model, {text.begin(), text.begin() + static_cast<long>(i)}, order);
      ASSERT_NEAR(std::accumulate(p.begin(), p.end(), 0.0), 1.0, 1e-12);
      for (const double one : p) ASSERT_GT(one, 0.0);
    }
}

// What the tree of contexts counts is what a look through the text counts.
TEST(NgramModel, CountsAsALookThroughTheTextDoes) {
  const auto text = text_of(600);
  const NgramModel model{text, 20};
  for (std::size_t at = 100; at < 600; at += 37) {
    const std::vector<Symbol> history(text.begin(), text.begin() + static_cast<long>(at));
    std::vector<double> expected(20, 1.0 / 20.0);
    for (std::size_t length = 0; length < 4; ++length) {
      std::vector<double> counts(20, 0.0);
      for (std::size_t i = 7; i < text.size(); ++i)
        if (std::equal(text.begin() + static_cast<long>(i - length),
                       text.begin() + static_cast<long>(i),
                       history.end() - static_cast<long>(length)))
          counts[text[i]] += 1.0;
      const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
      const auto kinds = static_cast<double>(
          std::count_if(counts.begin(), counts.end(), [](double c) { return c > 0.0; }));
      if (total == 0.0) break;
      for (std::size_t x = 0; x < 20; ++x)
        expected[x] = (counts[x] + kinds * expected[x]) / (total + kinds);
    }
    const auto found = distribution(model, history, 4);
    for (std::size_t x = 0; x < 20; ++x) ASSERT_NEAR(found[x], expected[x], 1e-14) << at;
  }
}

}  // namespace
}  // namespace specroute::real_pair
