#include "tests/real_pair/corpus.hpp"

#include <gtest/gtest.h>

namespace specroute::real_pair {
namespace {

TEST(Corpus, DropsReferencesAndKeepsNewlines) {
  const Corpus corpus = split_verses("Ge1:1 In the beginning.\nGe1:2 And the earth.\n\n");
  EXPECT_EQ(corpus.train, "In the beginning.\nAnd the earth.\n");
  EXPECT_TRUE(corpus.held_out.empty());
}

TEST(Corpus, TakesALastLineWithoutItsNewline) {
  EXPECT_EQ(split_verses("Ge1:1 In the").train, "In the");
}

TEST(Corpus, HoldsOutTheLastHundredOfEveryThousand) {
  std::string printed;
  for (int i = 0; i < 2000; ++i) printed += "Ge1:1 v" + std::to_string(i) + "\n";
  const Corpus corpus = split_verses(printed);
  ASSERT_EQ(corpus.held_out.size(), 200U);
  EXPECT_EQ(corpus.held_out.front(), "v900\n");
  EXPECT_EQ(corpus.held_out[99], "v999\n");
  EXPECT_EQ(corpus.held_out[100], "v1900\n");
  EXPECT_EQ(corpus.train.find("v900\n"), std::string::npos);
}

TEST(Alphabet, NumbersItsBytesInAscendingOrder) {
  const Alphabet alphabet{"banana"};
  EXPECT_EQ(alphabet.size(), 3U);
  EXPECT_EQ(alphabet.encode("ban"), (std::vector<Symbol>{1, 0, 2}));
  EXPECT_EQ(alphabet.decode({2, 0, 1}), "nab");
}

}  // namespace
}  // namespace specroute::real_pair
