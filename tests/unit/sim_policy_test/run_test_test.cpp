#include "sim/policy_test/run_test.hpp"

#include <gtest/gtest.h>

#include "sim/policy_test/play.hpp"
#include "tests/unit/sim_policy_test/suite_text.hpp"

namespace specroute::sim {
namespace {

const std::string kCooldown = R"({"gate": "cooldown_only", "cool_down_s": 25})";
const std::string kWindow = R"("input": [{"type": "window", "pairing": "pair", "accepted": 940}])";

PlayedTest play_of(const std::string& text) {
  const PolicySuite suite = suite_of(text);
  return play(suite.tests.at(0), built_in());
}

TEST(RunTest, SendsATickWhenADecisionAsksForOne) {
  const std::string lock = R"(, "until_s": 30, "expect": [{"at_s": 25, "type": "lock"}])";
  EXPECT_TRUE(outcome_of(suite_about(kCooldown, kWindow + lock)).passed());
  EXPECT_FALSE(outcome_of(suite_about(kCooldown, kWindow + lock + R"(, "ticks": false)")).passed());
}

TEST(RunTest, GoesOnUntilTheLastExpectation) {
  EXPECT_TRUE(
      outcome_of(suite_about(kCooldown, kWindow + R"(, "expect": [{"at_s": 25, "type": "lock"}])"))
          .passed());
  EXPECT_TRUE(outcome_of(suite_about(kCooldown, kWindow + R"(, "never": ["lock"])")).passed());
}

TEST(RunTest, NumbersWhatItSendsTicksIncluded) {
  const PlayedTest played = play_of(suite_about(
      kCooldown,
      R"("input": [{"type": "window", "pairing": "pair", "accepted": 940}, {"at_s": 30, "type": "tick"}],
         "exactly": true)"));
  ASSERT_EQ(played.events.size(), 4U);
  for (std::size_t i = 0; i < played.events.size(); ++i)
    EXPECT_EQ(played.events[i].record.head().seq, i + 1);
  EXPECT_EQ(played.events[2].record.head().now, 25'000'000'000U);
  EXPECT_EQ(played.events[2].pointer, "");
  EXPECT_EQ(played.events[3].pointer, "/tests/0/input/1");
}

// A refused quarantine is withdrawn; one that nobody speaks of lasts.
TEST(RunTest, TellsThePolicyOutcomesWhereTheTestSaysSo) {
  const std::string failing =
      R"("input": [{"type": "health", "side": "target", "requests": 10, "errors": 9}],
         "expect": [{"at_s": 10, "type": "hold", "reason": "quarantine_declined"}])";
  const std::string gate = R"({"gate": "error_breaker"})";
  EXPECT_TRUE(
      outcome_of(suite_about(gate, failing + R"(, "outcomes": "declined_no_capacity")")).passed());
  EXPECT_FALSE(outcome_of(suite_about(gate, failing)).passed());
  EXPECT_FALSE(outcome_of(suite_about(gate, failing + R"(, "outcomes": "done")")).passed());
}

TEST(RunTest, TakesAnOutcomeForThatOfTheLatestDecision) {
  EXPECT_TRUE(outcome_of(suite_about(R"({"gate": "error_breaker"})", R"("input": [
      {"type": "health", "side": "target", "requests": 10, "errors": 9},
      {"at_s": 12, "type": "outcome", "pairing": "pair", "result": "declined_no_capacity"}],
      "expect": [{"at_s": 12, "type": "hold", "reason": "quarantine_declined"}])"))
                  .passed());
  const TestOutcome none = outcome_of(
      suite_about(R"({"gate": "none"})",
                  R"("input": [{"type": "outcome", "result": "done"}], "exactly": true)"));
  ASSERT_EQ(none.failures.size(), 1U);
  EXPECT_EQ(none.failures[0].kind, TestFailure::Kind::refused);
  EXPECT_EQ(none.failures[0].got, "there is no decision yet that this could be the outcome of");
}

TEST(RunTest, DoesNotJudgeWhatIsSaidOfTheGiven) {
  const std::string given =
      R"("given": [{"type": "bind", "pairing": "pair"}, {"type": "window", "pairing": "pair", "accepted": 1}], )";
  EXPECT_TRUE(
      outcome_of(
          suite_about(R"({"gate": "none"})",
                      given + R"("input": [{"type": "tick"}], "never": ["lock"], "exactly": true)"))
          .passed());
}

TEST(RunTest, GivesOneDecisionToOneExpectation) {
  const std::string twice =
      R"(, "expect": [{"at_s": 10, "type": "lock"}, {"at_s": 10, "type": "lock"}])";
  const TestOutcome outcome = outcome_of(suite_about(R"({"gate": "none"})", kWindow + twice));
  ASSERT_EQ(outcome.failures.size(), 1U);
  EXPECT_EQ(outcome.failures[0].pointer, "/tests/0/expect/1");
  EXPECT_EQ(outcome.failures[0].got, "no decision");
}

TEST(RunTest, GivesDatedExpectationsTheirDecisionFirst) {
  EXPECT_TRUE(
      outcome_of(suite_about(R"({"gate": "none", "cool_down_s": 5})",
                             R"("input": [{"type": "window", "pairing": "pair", "accepted": "5x2"}],
      "expect": [{"type": "lock"}, {"at_s": 10, "type": "lock"}], "exactly": true)"))
          .passed());
}

TEST(RunTest, TellsEventExpectedGotAndWhatThePolicySays) {
  const TestOutcome outcome = outcome_of(suite_about(
      R"({"gate": "none"})",
      kWindow +
          R"(, "expect": [{"at_s": 10, "type": "lock", "reward_ppm": 1, "reason": "genuine_gain"}])"));
  ASSERT_EQ(outcome.failures.size(), 1U);
  const TestFailure& failure = outcome.failures[0];
  EXPECT_EQ(failure.kind, TestFailure::Kind::missing);
  EXPECT_EQ(failure.number, 2U);
  EXPECT_EQ(failure.at, 10'000'000'000U);
  EXPECT_EQ(failure.event.find(R"({"type":"window","now_s":10,"pairing":"pair","from_s")"),
            std::string::npos);
  EXPECT_EQ(failure.event.find(
                R"({"type":"window","now_s":10,"pairing":"pair","to_s":10,"drafted":1000)"),
            0U)
      << failure.event;
  EXPECT_EQ(failure.expected,
            R"({"at_s":10,"type":"lock","reward_ppm":1,"reason":"genuine_gain"})");
  EXPECT_NE(failure.got.find(R"("reward_ppm":940000)"), std::string::npos);
  EXPECT_TRUE(failure.got.ends_with("; differs in reward_ppm, reason")) << failure.got;
  EXPECT_EQ(failure.explain.find("none: LOCK pairing 1"), 0U);
}

TEST(RunTest, ShowsTheDecisionThatMustNeverCome) {
  const TestOutcome outcome = outcome_of(
      suite_about(R"({"gate": "none"})",
                  kWindow + R"(, "never": ["rebind", {"type": "lock", "pairing": "pair"}])"));
  ASSERT_EQ(outcome.failures.size(), 1U);
  EXPECT_EQ(outcome.failures[0].kind, TestFailure::Kind::barred);
  EXPECT_EQ(outcome.failures[0].pointer, "/tests/0/never/1");
  EXPECT_EQ(outcome.failures[0].expected, R"(never {"type":"lock","pairing":"pair"})");
  EXPECT_NE(outcome.failures[0].explain, "");
}

TEST(RunTest, BarsADecisionWithinItsTimeAlone) {
  const auto barred = [](const std::string& span) {
    return !outcome_of(suite_about(R"({"gate": "none"})",
                                   kWindow + R"(, "never": [{"type": "lock", )" + span + "}]"))
                .passed();
  };
  EXPECT_TRUE(barred(R"("from_s": 10, "until_s": 10)"));
  EXPECT_FALSE(barred(R"("from_s": 10.000000001)"));
  EXPECT_FALSE(barred(R"("until_s": 9.999999999)"));
}

TEST(RunTest, FindsWhatNobodyExpectedWhereTheTestIsExact) {
  const TestOutcome outcome =
      outcome_of(suite_about(R"({"gate": "none"})", kWindow + R"(, "exactly": true)"));
  ASSERT_EQ(outcome.failures.size(), 1U);
  EXPECT_EQ(outcome.failures[0].kind, TestFailure::Kind::unexpected);
  EXPECT_NE(outcome.failures[0].got.find("\"type\":\"lock\""), std::string::npos);
}

TEST(RunTest, EndsWhereThePolicyRefusesAnEvent) {
  const TestOutcome outcome = outcome_of(suite_about(
      R"({"gate": "none"})", R"("input": [{"type": "bind", "pairing": "pair"}], "exactly": true)"));
  ASSERT_EQ(outcome.failures.size(), 1U);
  EXPECT_EQ(outcome.failures[0].kind, TestFailure::Kind::refused);
  EXPECT_EQ(outcome.failures[0].pointer, "/tests/0/input/0");
  EXPECT_EQ(outcome.failures[0].number, 2U);
  EXPECT_NE(outcome.failures[0].got.find("SRP_E_STATE"), std::string::npos);
}

TEST(RunTest, ComparesAnyMemberOfADecision) {
  const auto passes = [](const std::string& member) {
    return outcome_of(suite_about(R"({"gate": "none", "mode": "shadow"})",
                                  kWindow + R"(, "expect": [{"type": "lock", )" + member + "}]"))
        .passed();
  };
  for (const char* right :
       {R"("pairing": 1)", R"("prefer_pairing": "pair")", R"("profile": "chat")",
        R"("dry_run": true)", R"("valid_until_s": 310.0)", R"("wake_at_s": null)", R"("id": 1)",
        R"("gate": 1)", R"("arg": [940000, 1000, 0, 0])",
        R"("explain": "the first window that could be judged")"})
    EXPECT_TRUE(passes(right)) << right;
  for (const char* wrong :
       {R"("pairing": 2)", R"("prefer_pairing": 0)", R"("profile": 2)", R"("dry_run": false)",
        R"("valid_until_s": 310.000000001)", R"("valid_until_s": "forever")", R"("wake_at_s": 3)",
        R"("id": 2)", R"("gate": 2)", R"("arg": [940000, 1000, 0])",
        R"("explain": "the last window")", R"("to": {"replace": "draft"})"})
    EXPECT_FALSE(passes(wrong)) << wrong;
}

TEST(RunTest, ComparesWhoMayTakeTheReplacedSide) {
  const auto passes = [](const std::string& to) {
    return outcome_of(suite_about(R"({"gate": "hash_only"})", R"(
        "input": [{"type": "window", "pairing": "pair", "accepted": 1, "draft": {"parameters": "stale"}}],
        "expect": [{"type": "rebind", "to": {)" + to + "}}]"))
        .passed();
  };
  EXPECT_TRUE(passes(R"("replace": "draft", "exclude": ["draft"], "keep_backend": "target")"));
  EXPECT_TRUE(
      passes(R"("match": ["tokenizer", "params"], "required": "wanted", "params_version": 1)"));
  EXPECT_FALSE(passes(R"("replace": "target")"));
  EXPECT_FALSE(passes(R"("exclude": [])"));
  EXPECT_FALSE(passes(R"("required": "stale")"));
}

}  // namespace
}  // namespace specroute::sim
