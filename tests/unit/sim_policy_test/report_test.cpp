#include "sim/policy_test/report.hpp"

#include <gtest/gtest.h>

#include "sim/json/json_text.hpp"
#include "tests/unit/sim_policy_test/suite_text.hpp"

namespace specroute::sim {
namespace {

/// One test that passes and one that fails, with a name that XML has to escape.
std::vector<SuiteOutcome> outcomes() {
  SuiteOutcome suite{
      .file = "t.json", .text = "{\"tests\": [\n{\"name\": 1},\n{\"never\": 2}]}", .tests = {}};
  suite.tests.push_back(
      {.name = "good", .pointer = "/tests/0", .events = 3, .decisions = 1, .failures = {}});
  suite.tests.push_back({.name = "a < b & \"c\"",
                         .pointer = "/tests/1",
                         .events = 2,
                         .decisions = 1,
                         .failures = {}});
  suite.tests.back().failures.push_back({.kind = TestFailure::Kind::barred,
                                         .pointer = "/tests/1/never",
                                         .number = 2,
                                         .at = 1'500'000'000,
                                         .event = "{\"type\":\"tick\"}",
                                         .expected = "never lock",
                                         .got = "{\"type\":\"lock\"}",
                                         .explain = "none: LOCK"});
  return {suite};
}

TEST(PolicyReport, ShowsEventExpectedGotAndExplanation) {
  EXPECT_EQ(failure_text(outcomes().front()),
            "FAIL \"a < b & \\\"c\\\"\"\n"
            "  t.json:3:2\n"
            "    event     event 2 at 1.5 s: {\"type\":\"tick\"}\n"
            "    expected  never lock\n"
            "    got       {\"type\":\"lock\"}\n"
            "    explain   none: LOCK\n");
  EXPECT_EQ(tally_text(tally_of(outcomes())), "1 passed, 1 failed");
}

TEST(PolicyReport, IsJson) {
  const auto parsed = parse_json(suites_json(outcomes()), "out");
  ASSERT_TRUE(parsed.ok());
  const JsonValue& root = parsed.value().root;
  EXPECT_EQ(root.find("schema")->text, "specroute-policy-tests/1");
  EXPECT_EQ(root.find("passed")->integer, 1);
  const JsonValue& test = root.find("files")->items.at(0).find("tests")->items.at(1);
  EXPECT_FALSE(test.find("passed")->boolean);
  EXPECT_EQ(test.find("line")->integer, 3);
  EXPECT_EQ(test.find("failures")->items.at(0).find("at_s")->number(), 1.5);
}

TEST(PolicyReport, IsJUnitXml) {
  const std::string xml = suites_junit(outcomes());
  EXPECT_NE(xml.find("<testsuites tests=\"2\" failures=\"1\">"), std::string::npos);
  EXPECT_NE(xml.find("name=\"a &lt; b &amp; &quot;c&quot;\" classname=\"t.json\""),
            std::string::npos);
  EXPECT_NE(xml.find("<failure type=\"barred\" message=\"never lock; got "), std::string::npos);
  EXPECT_EQ(xml.find("\"c\""), std::string::npos);
}

}  // namespace
}  // namespace specroute::sim
