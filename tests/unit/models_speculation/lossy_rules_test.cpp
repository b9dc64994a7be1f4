// Rules that do not keep the target's distribution, by hand.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "models/speculation/rules.hpp"

namespace specroute::models {
namespace {

using Rule = VerificationRule;
using Distribution = std::vector<double>;

struct Decision {
  double acceptance;
  Distribution emitted;
};

Decision decide(const Verifier& verifier, const Distribution& p, const Distribution& q) {
  Decision decision{0.0, Distribution(p.size())};
  decision.acceptance = verify_position(verifier, {p, p, q, q}, decision.emitted);
  return decision;
}

void expect_emitted(const Decision& got, const Distribution& expected) {
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(got.emitted[i], expected[i], 1e-15);
}

// p = (.5, .3, .2), q = (.2, .2, .6), l = 1/2: min(p / l, q) = (.2, .2, .4) = .8 accepted, where
// l = 1 accepts .2 + .2 + .2 = .6. Residual p - q / 2 = (.4, .2, 0) of .6: the rejected .2 go to
// (.1333, .0667, 0).
TEST(Lenience, BuysAcceptanceWithBias) {
  const Distribution p = {0.5, 0.3, 0.2};
  const Distribution q = {0.2, 0.2, 0.6};
  const auto strict = decide({.rule = Rule::rejection}, p, q);
  EXPECT_NEAR(strict.acceptance, 0.6, 1e-15);
  expect_emitted(strict, p);
  const auto lenient = decide({.rule = Rule::rejection, .lenience = 0.5}, p, q);
  EXPECT_NEAR(lenient.acceptance, 0.8, 1e-15);
  expect_emitted(lenient, {0.2 + 0.4 / 3.0, 0.2 + 0.2 / 3.0, 0.4});
}

// Leviathan, A.5: no token comes out more often than p / l.
TEST(Lenience, EmitsNoTokenMoreOftenThanItsShareOverTheLenience) {
  const Distribution p = {0.5, 0.3, 0.15, 0.05};
  for (const Distribution& q : {Distribution{0.1, 0.1, 0.1, 0.7}, Distribution{0.9, 0.0, 0.1, 0.0}})
    for (const double lenience : {0.1, 0.3, 0.5, 0.9}) {
      const auto got = decide({.rule = Rule::rejection, .lenience = lenience}, p, q);
      for (std::size_t i = 0; i < p.size(); ++i)
        EXPECT_LE(got.emitted[i], p[i] / lenience + 1e-15) << lenience;
    }
}

// H(.8, .15, .05) = .6127: delta e^-H = .3 x .5419 = .1626 > .09, so the threshold is .09: tokens
// 1 and 2 pass, 3 is replaced by the argmax. q = (.5, .3, .2): accepted .8, emitted (.7, .3, 0).
TEST(Typical, AcceptsAboveEpsilonWhereTheTargetIsSure) {
  const auto got = decide({.rule = Rule::typical}, {0.8, 0.15, 0.05}, {0.5, 0.3, 0.2});
  EXPECT_NEAR(got.acceptance, 0.8, 1e-15);
  expect_emitted(got, {0.7, 0.3, 0.0});
}

// Ten equal tokens: H = log 10, delta e^-H = .03 < .09, and p = .1 passes either way; at
// delta = 1 and epsilon = .2 the threshold is .1, which p = .1 does not exceed: all rejected, and
// the argmax, lowest on ties, comes out for certain.
TEST(Typical, LowersTheThresholdByEntropyAndIsStrict) {
  const Distribution flat(10, 0.1);
  EXPECT_NEAR(decide({.rule = Rule::typical}, flat, flat).acceptance, 1.0, 1e-15);
  const Distribution even = {0.25, 0.25, 0.25, 0.25};  // e^-H = 1/4
  const auto got = decide(
      {.rule = Rule::typical, .posterior_threshold = 0.25, .posterior_alpha = 1.0}, even, even);
  EXPECT_EQ(got.acceptance, 0.0);
  EXPECT_EQ(got.emitted, (Distribution{1.0, 0.0, 0.0, 0.0}));
}

// p = (.5, .3, .2), q = (0, .5, .5), acc = .5: a = (1, .6, .4), accepted .3 + .2 = .5. A rejected
// second (.2) becomes .5 : .2 of .7, a rejected third (.3) becomes .5 : .3 of .8.
TEST(Threshold, DividesTheCoinByAcc) {
  const auto got =
      decide({.rule = Rule::threshold, .threshold_acc = 0.5}, {0.5, 0.3, 0.2}, {0.0, 0.5, 0.5});
  EXPECT_NEAR(got.acceptance, 0.5, 1e-15);
  expect_emitted(got,
                 {0.2 * 0.5 / 0.7 + 0.3 * 0.5 / 0.8, 0.3 + 0.3 * 0.3 / 0.8, 0.2 + 0.2 * 0.2 / 0.7});
}

// single = .3 takes tokens 1 and 2 for certain, token 3 with its p = .2.
TEST(Threshold, TakesATokenAboveSingleWithoutACoin) {
  const auto got =
      decide({.rule = Rule::threshold, .threshold_single = 0.3}, {0.5, 0.3, 0.2}, {0.0, 0.5, 0.5});
  EXPECT_NEAR(got.acceptance, 0.6, 1e-15);
  expect_emitted(got, {0.4 * 0.5 / 0.8, 0.5 + 0.4 * 0.3 / 0.8, 0.1});
}

TEST(Threshold, IsOneHotAtItsDefaults) {
  const Distribution p = {0.5, 0.3, 0.2, 0.0};
  const Distribution q = {0.1, 0.2, 0.3, 0.4};
  const auto got = decide({.rule = Rule::threshold}, p, q);
  EXPECT_NEAR(got.acceptance, decide({.rule = Rule::one_hot}, p, q).acceptance, 1e-15);
  expect_emitted(got, p);
}

TEST(Threshold, SurvivesACertainTarget) {
  const auto got =
      decide({.rule = Rule::threshold, .threshold_acc = 0.5}, {1.0, 0.0}, {0.25, 0.75});
  EXPECT_NEAR(got.acceptance, 0.25, 1e-15);
  expect_emitted(got, {1.0, 0.0});
}

// Half of the drafts pass whatever they are: (.2, .3) of q; the others come from p - q = (.3, 0).
TEST(Synthetic, AcceptsWhateverTheTargetThinks) {
  const auto got =
      decide({.rule = Rule::synthetic, .synthetic_share = 0.5}, {0.7, 0.3}, {0.4, 0.6});
  EXPECT_NEAR(got.acceptance, 0.5, 1e-15);
  expect_emitted(got, {0.2 + 0.5, 0.3});
  const auto impossible =
      decide({.rule = Rule::synthetic, .synthetic_share = 1.0}, {1.0, 0.0}, {0.0, 1.0});
  EXPECT_EQ(impossible.emitted, (Distribution{0.0, 1.0}));
}

TEST(IsLossless, SaysWhichRulesKeepTheTarget) {
  const auto sane = healthy({.temperature = 0.7});
  const auto stale = stale_draft({.temperature = 0.7}, {.temperature = 0.0});
  EXPECT_TRUE(is_lossless({.rule = Rule::rejection}, sane));
  EXPECT_FALSE(is_lossless({.rule = Rule::rejection}, stale));
  EXPECT_FALSE(is_lossless({.rule = Rule::rejection, .lenience = 0.9}, sane));
  EXPECT_TRUE(is_lossless({.rule = Rule::coupled_match}, stale));
  EXPECT_TRUE(is_lossless({.rule = Rule::threshold}, stale));
  EXPECT_FALSE(is_lossless({.rule = Rule::threshold, .threshold_single = 0.5}, sane));
  EXPECT_FALSE(is_lossless({.rule = Rule::typical}, sane));
  EXPECT_FALSE(is_lossless({.rule = Rule::synthetic}, sane));
  EXPECT_FALSE(is_lossless({.rule = Rule::forwarded_logits}, stale));
}

}  // namespace
}  // namespace specroute::models
