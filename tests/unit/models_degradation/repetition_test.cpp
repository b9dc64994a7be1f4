#include "models/degradation/repetition.hpp"

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "models/random/stream.hpp"

namespace specroute::models {
namespace {

using Tokens = std::vector<std::uint32_t>;

/// `before` distinct tokens, then `copies` times a pattern of `period` distinct ones.
Tokens loop_text(std::uint32_t before, std::uint32_t period, std::uint32_t copies) {
  Tokens tokens;
  for (std::uint32_t i = 0; i < before; ++i) tokens.push_back(1000 + i);
  for (std::uint32_t copy = 0; copy < copies; ++copy)
    for (std::uint32_t i = 0; i < period; ++i) tokens.push_back(i);
  return tokens;
}

/// One token per blank-separated word: close enough to a tokenizer for what a detector sees.
Tokens words(const std::string& text) {
  static std::map<std::string, std::uint32_t> known;
  std::istringstream in(text);
  Tokens tokens;
  for (std::string word; in >> word;)
    tokens.push_back(
        known.try_emplace(word, static_cast<std::uint32_t>(known.size())).first->second);
  return tokens;
}

std::string times(std::uint32_t count, const std::string& part) {
  std::string text;
  for (std::uint32_t i = 0; i < count; ++i) text += part;
  return text;
}

constexpr PatternDetector kPattern{.min_pattern = 1, .max_pattern = 20, .min_count = 4};
constexpr GramDetector kGram{};  // 4 tokens, 8 times, in 256

// Period 3, 4 copies: 12 tokens. Period 5 with patterns of at least 8: the least multiple is 10, so
// 40 tokens; of at least 16 within 20: 20, so 80. Period 21 exceeds 20.
TEST(TokensToDetection, CountTheLeastMultipleOfThePeriod) {
  EXPECT_EQ(tokens_to_detection(kPattern, 3), 12U);
  EXPECT_EQ(tokens_to_detection(kPattern, 1), 4U);
  EXPECT_EQ(tokens_to_detection(PatternDetector{8, 20, 4}, 5), 40U);
  EXPECT_EQ(tokens_to_detection(PatternDetector{16, 20, 4}, 5), 80U);
  EXPECT_EQ(tokens_to_detection(PatternDetector{16, 19, 4}, 5), std::nullopt);
  EXPECT_EQ(tokens_to_detection(kPattern, 21), std::nullopt);
}

// A gram of 4 recurs every n tokens: 4 + 7 n <= 256 up to n = 36.
TEST(TokensToDetection, OfAGramEndWithItsWindow) {
  EXPECT_EQ(tokens_to_detection(kGram, 8), 60U);
  EXPECT_EQ(tokens_to_detection(kGram, 36), 256U);
  EXPECT_EQ(tokens_to_detection(kGram, 37), std::nullopt);
}

// The formula against the detector itself, for every period and several places of entry.
TEST(FirstDetection, ComesWhenTheFormulaSaysForEveryPeriod) {
  for (const std::uint32_t before : {0U, 1U, 30U})
    for (std::uint32_t period = 1; period <= 40; ++period) {
      const Tokens text = loop_text(before, period, 300 / period + 1);
      const auto expect = [&](const auto& detector, const char* name) {
        const auto tokens = tokens_to_detection(detector, period);
        const auto found = first_detection(detector, text);
        ASSERT_EQ(found.has_value(), tokens.has_value()) << name << ", period " << period;
        if (!tokens) return;
        EXPECT_EQ(*found, before + *tokens) << name << ", period " << period;
        // The loop is entered where its second copy begins.
        EXPECT_EQ(*found, detected_at(before + period, period, *tokens));
      };
      expect(kPattern, "patterns of 1 to 20");
      expect(PatternDetector{7, 20, 3}, "patterns of 7 to 20");
      expect(kGram, "grams");
    }
}

// A loop entered at the third output token repeats the prompt: the detector reads the output only.
TEST(DetectedAt, NeedsAllCopiesInTheOutput) {
  EXPECT_EQ(detected_at(100, 8, 32), 124U);
  EXPECT_EQ(detected_at(8, 8, 32), 32U);
  EXPECT_EQ(detected_at(2, 8, 32), 32U);
}

// Growing prefixes one by one, by comparing copies, and the running counts agree on random text of
// two letters, in which short repetitions are common.
TEST(FirstDetection, IsTheFirstPrefixThatFires) {
  auto draws = Seed{5}.stream("letters");
  std::size_t detected = 0;
  for (int text = 0; text < 200; ++text) {
    Tokens tokens;
    for (int i = 0; i < 60; ++i) tokens.push_back(draws.uniform() < 0.5 ? 1 : 2);
    for (const PatternDetector detector : {PatternDetector{1, 6, 4}, PatternDetector{3, 9, 3}}) {
      const auto found = first_detection(detector, tokens);
      for (std::size_t size = 1; size <= tokens.size(); ++size) {
        const bool fired = fires(detector, std::span(tokens).first(size));
        if (found && size == *found) {
          EXPECT_TRUE(fired);
        }
        if (!found || size < *found) {
          EXPECT_FALSE(fired) << "text " << text << ", " << size << " tokens";
        }
      }
      detected += found.has_value();
    }
  }
  EXPECT_GT(detected, 20U);
  EXPECT_LT(detected, 380U);
}

TEST(Detectors, AreSilentOnTextWithoutRepetition) {
  EXPECT_EQ(first_detection(kPattern, loop_text(500, 1, 1)), std::nullopt);
  EXPECT_EQ(first_detection(kGram, loop_text(500, 1, 1)), std::nullopt);
  EXPECT_FALSE(fires(kPattern, {}));
  EXPECT_FALSE(fires(kGram, {}));
}

// Legitimate repetition: a Markdown rule of five columns is four copies of "| ---".
TEST(FalsePositives, ComeFromTablesUnlessPatternsAreLong) {
  const Tokens table = words("| name | h100 | a10g | l40s | total | " + times(5, "| --- ") +
                             "| x | 0 | 0 | 0 | 0 |");
  EXPECT_EQ(first_detection(kPattern, table), 11U + 8U);
  EXPECT_EQ(
      first_detection(PatternDetector{.min_pattern = 4, .max_pattern = 20, .min_count = 4}, table),
      std::nullopt);
  EXPECT_EQ(first_detection(kGram, table), std::nullopt) << "a gram in five cells stands twice";
}

// A JSON array of zeros is one pattern of two tokens; nothing about it is degenerate.
TEST(FalsePositives, ComeFromArraysUnderEitherDetector) {
  const Tokens zeros = words("{ weights : [ " + times(64, "0 , ") + "] }");
  EXPECT_EQ(first_detection(kPattern, zeros), 4U + 8U);
  EXPECT_EQ(first_detection(kGram, zeros), 4U + 4U + 7U * 2U);
  // Only a long pattern many times over tells it from a loop, and sees real loops later still.
  const PatternDetector patient{.min_pattern = 16, .max_pattern = 64, .min_count = 9};
  EXPECT_EQ(first_detection(patient, zeros), std::nullopt);
  EXPECT_EQ(tokens_to_detection(patient, 8), 144U);
}

// Twelve tests that differ by a literal: alike, but no pattern of theirs repeats as a whole.
TEST(FalsePositives, SpareCodeThatOnlyLooksAlike) {
  std::string code;
  for (int i = 0; i < 12; ++i)
    code += "TEST ( Sum , Case" + std::to_string(i) + " ) { EXPECT_EQ ( sum ( " +
            std::to_string(i) + " ) , expected ) ; } ";
  EXPECT_EQ(first_detection(kPattern, words(code)), std::nullopt);
  // The gram detector counts "TEST ( Sum ," and stops the eighth: 7 x 18 tokens and these 4.
  EXPECT_EQ(first_detection(kGram, words(code)), 7U * 18U + 4U);
}

}  // namespace
}  // namespace specroute::models
