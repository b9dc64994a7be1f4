#include "tests/real_pair/rounds.hpp"

#include <gtest/gtest.h>

namespace specroute::real_pair {
namespace {

std::vector<Symbol> letters(const std::string& text) {
  std::vector<Symbol> symbols;
  for (const char letter : text) symbols.push_back(static_cast<Symbol>(letter));
  return symbols;
}

// (.5, .3, .2) squared is (.25, .09, .04) / .38.
TEST(ApplyTemperature, RaisesToOneOverT) {
  std::vector<double> p{0.5, 0.3, 0.2};
  apply_temperature(p, 0.5);
  EXPECT_NEAR(p[0], 0.25 / 0.38, 1e-15);
  EXPECT_NEAR(p[2], 0.04 / 0.38, 1e-15);
  std::vector<double> tie{0.4, 0.4, 0.2};
  apply_temperature(tie, 0.0);
  EXPECT_EQ(tie, (std::vector<double>{1.0, 0.0, 0.0}));
}

// "abcdefgh" five times: the copy of the second on is complete after 24 symbols more than the first
// unit, so symbol 32 is the first inside (the 24th that equals the one 8 before), and 9 are.
TEST(LoopingSymbols, BeginWhereAUnitWasSeenThreeTimes) {
  std::string text;
  for (int i = 0; i < 5; ++i) text += "abcdefgh";
  EXPECT_EQ(looping_symbols(letters(text), 0), 40U - 31U);
  EXPECT_EQ(looping_symbols(letters(text), 36), 4U);
  EXPECT_EQ(looping_symbols(letters("And God said, Let there be light: and there was light."), 0),
            0U);
}

TEST(LoopingSymbols, NeedTwoCopiesOfALongUnit) {
  const std::string unit = "the quick brown fox jumps over the lazy dogs, ";  // 46 symbols
  EXPECT_EQ(looping_symbols(letters(unit + unit), 0), 0U);
  EXPECT_EQ(looping_symbols(letters(unit + unit + unit), 0), 1U);
}

std::vector<Symbol> alternating() {
  std::vector<Symbol> text;
  for (int i = 0; i < 64; ++i) text.push_back(static_cast<Symbol>(i % 2));
  return text;
}

TEST(Generate, CountsRoundsSymbolsAndAcceptances) {
  const NgramModel model{alternating(), 2};
  const Cell cell{Rule::exact_match, 2, 1.0, 1.0};
  models::Stream stream = models::Seed{3}.stream("test");
  const auto sums = generate(model, cell, alternating(), stream);
  EXPECT_EQ(sums.reached[0], sums.rounds);
  double accepted = 0.0;
  for (std::size_t k = 0; k < kGamma; ++k) {
    accepted += sums.accepted[k];
    if (k + 1 < kGamma) {
      EXPECT_EQ(sums.reached[k + 1], sums.accepted[k]) << k;
    }
  }
  EXPECT_EQ(sums.symbols, sums.rounds + accepted);  // each round adds one of its own
  EXPECT_GE(sums.symbols, static_cast<double>(kCompletion));
  EXPECT_LE(sums.symbols, static_cast<double>(kCompletion + kGamma));
}

TEST(DecideAlong, DecidesOnceAfterEverySymbol) {
  const NgramModel model{alternating(), 2};
  models::Stream stream = models::Seed{3}.stream("test");
  const auto sums = decide_along(model, {Rule::rejection, 1, 1.0, 1.0}, alternating(), stream);
  EXPECT_EQ(sums.rounds, 64.0 - static_cast<double>(kFirstContext));
  EXPECT_EQ(sums.reached[0], sums.rounds);
  EXPECT_EQ(sums.reached[1], 0.0);
}

}  // namespace
}  // namespace specroute::real_pair
