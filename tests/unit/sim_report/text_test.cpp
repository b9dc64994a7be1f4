#include <gtest/gtest.h>

#include <algorithm>

#include <specroute/policy_abi.h>

#include "sim/digest/sha256.hpp"
#include "sim/report/build_info.hpp"
#include "sim/report/comma_separated.hpp"
#include "sim/report/decisions_jsonl.hpp"
#include "sim/report/gate_names.hpp"
#include "sim/report/hex.hpp"
#include "sim/report/json_layout.hpp"
#include "sim/report/table.hpp"

namespace specroute::sim {
namespace {

// FIPS 180-4's own example.
TEST(Sha256, MatchesTheStandardsExample) {
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Hex, KeepsLeadingZeros) {
  EXPECT_EQ(hex_digits(0xbeefU), "000000000000beef");
}

TEST(JsonLayout, GivesALineToMembersOfWhatHoldsObjects) {
  EXPECT_EQ(laid_out(R"({"a":1,"b":{"c":[1,2],"d":"x,{\"y"},"e":[]})"),
            "{\n  \"a\": 1,\n  \"b\": {\"c\": [1, 2], \"d\": \"x,{\\\"y\"},\n  \"e\": []\n}");
  EXPECT_EQ(laid_out(R"([{"a":{"b":null}}])"), "[\n  {\n    \"a\": {\"b\": null}\n  }\n]");
}

TEST(CommaSeparated, QuotesWhatWouldSplitAField) {
  EXPECT_EQ(csv_field("plain"), "plain");
  EXPECT_EQ(csv_field("a,\"b\""), "\"a,\"\"b\"\"\"");
}

TEST(CommaSeparated, PrefixesEveryRow) {
  EXPECT_EQ(prefix_rows("g", "1,2\n3,4\n"), "g,1,2\ng,3,4\n");
  EXPECT_EQ(prefix_rows("g", ""), "");
}

TEST(Table, AlignsByCharactersNotBytes) {
  EXPECT_EQ(aligned({{"a", "value"}, {"long", "1 ± 2"}, {"b", "10"}}),
            "a     value\n-----------\nlong  1 ± 2\nb        10\n");
}

TEST(Table, ShowsWhatDoesNotApplyAsADash) {
  EXPECT_EQ(fixed_text(std::nullopt, 2), "-");
  EXPECT_EQ(fixed_text(1.005, 1), "1.0");
  EXPECT_EQ(fixed_text(-0.001, 1), "0.0");
  EXPECT_EQ(fixed_text(-0.06, 1), "-0.1");
}

TEST(DecisionLine, NamesWhatThePolicyDecided) {
  DecisionEntry entry;
  entry.at_s = 1.5;
  entry.target = "t";
  entry.reason = "hash_differs";
  entry.decision.h.type = SRP_REBIND;
  entry.decision.to.replace = SRP_REPLACE_DRAFT;
  entry.decision.to.match = SRP_FP_PARAMS;
  const std::string line = decision_line({"g", 7, 3}, entry);
  EXPECT_EQ(
      line.find(
          R"({"gate":"g","seed":7,"index":3,"at_s":1.5,"type":"REBIND","target":"t","draft":null)"),
      0U);
  EXPECT_NE(line.find(R"("valid_until_s":null)"), std::string::npos);
  EXPECT_NE(line.find(R"("to":{"replace":"draft","match":["params"])"), std::string::npos);
  EXPECT_EQ(line.find('\n'), line.size() - 1);
}

TEST(DecisionLine, CallsARoutersOwnBindSo) {
  DecisionEntry entry;
  entry.target = "t";
  entry.draft = "d";
  entry.reason = "target_lost";
  const std::string line = decision_line({"g", 1, 0}, entry);
  EXPECT_NE(line.find(R"("type":"BIND","target":"t","draft":"d","reason":"target_lost")"),
            std::string::npos);
}

TEST(DecisionLine, SaysForeverInWords) {
  DecisionEntry entry;
  entry.decision.h.type = SRP_NO_DRAFT;
  entry.decision.valid_until = SRP_FOREVER;
  EXPECT_NE(decision_line({"g", 1, 0}, entry).find(R"("valid_until_s":"forever")"),
            std::string::npos);
}

TEST(GateNames, AreThoseOfThePolicyModule) {
  const auto names = gate_names(*srp_module_get(SRP_ABI_V1));
  EXPECT_NE(std::ranges::find(names, "params_hash"), names.end());
  EXPECT_NE(std::ranges::find(names, "validity"), names.end());
}

TEST(BuildInfo, KnowsWhatItWasBuiltWith) {
  EXPECT_FALSE(build_info().version.empty());
  EXPECT_FALSE(build_info().commit.empty());
  EXPECT_EQ(build_info().simgrid.find("3."), 0U);
}

}  // namespace
}  // namespace specroute::sim
