#include "sim/policy_test/config_check.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/unit/sim_policy_test/suite_text.hpp"

namespace specroute::sim {
namespace {

std::string config_faults_of(const std::string& text) {
  std::string lines;
  for (const Diagnostic& fault : config_text_faults(built_in(), text, "c.json"))
    lines += to_string(fault) + '\n';
  return lines;
}

TEST(ConfigCheck, TakesEveryGateByItsName) {
  const auto gates = gate_lines(built_in());
  ASSERT_EQ(gates.size(), 18U);
  for (const GateLine& gate : gates) {
    EXPECT_EQ(config_faults_of("{\"gate\": \"" + gate.name + "\"}"), "");
    EXPECT_NE(gate.sentence, "") << gate.name;
  }
}

TEST(ConfigCheck, TellsAllFaultsWithPlaceAndNearestSpelling) {
  EXPECT_EQ(config_faults_of("{\n  \"gate\": \"sprt\",\n  \"cool_down\": 3,\n  \"retry_s\": -1\n}"),
            "c.json: /cool_down (3:3): found an unknown key; did you mean \"cool_down_s\"?\n"
            "c.json: /retry_s (4:3): expected a number in [0.001, 1000000], found -1\n");
}

TEST(ConfigCheck, TellsOfAKeyThatTheGateNeverReads) {
  EXPECT_EQ(config_faults_of(R"({"gate": "none", "retry_s": 5})"),
            "c.json: /retry_s (1:18): expected no such key where \"gate\" is one of \"none\", "
            "\"cooldown_only\", \"bandit\", found 5\n");
}

// Without a gate each branch of the schema holds, and would bar the keys of the others.
TEST(ConfigCheck, OfAMissingGateTellsThatAlone) {
  const std::string faults = config_faults_of(R"({"retry_s": 5, "low_threshold": 0.3})");
  EXPECT_EQ(std::ranges::count(faults, '\n'), 1);
  EXPECT_EQ(faults.find("c.json: /gate (1:1): expected one of \"none\""), 0U);
}

TEST(ConfigCheck, TellsOfDuplicateKeysAndOfTextThatIsNoJson) {
  EXPECT_EQ(config_faults_of(R"({"gate": "none", "gate": "none"})"),
            "c.json: /gate (1:18): expected each key once, found the key again (first at 1:2)\n");
  EXPECT_EQ(config_faults_of("{\"gate\" \"none\"}").find("c.json: 1:9: expected ':'"), 0U);
}

// Values that the schema allows and that never act together: only the module knows.
TEST(ConfigCheck, AsksTheModuleWhatItsSchemaCannotSay) {
  const std::string faults = config_faults_of(R"({"gate": "outlier", "max_pairings": 3})");
  EXPECT_NE(faults.find("c.json: /max_pairings (1:21): "), std::string::npos) << faults;
  EXPECT_NE(faults.find("less than min_pairings, so none is ever judged"), std::string::npos);
  EXPECT_NE(faults.find("sqrt(max_pairings - 1) is the most"), std::string::npos);
}

TEST(ConfigCheck, KnowsAScenarioAndAFileOfTestsByTheirKeys) {
  EXPECT_NE(config_faults_of(R"({"fleet": {}, "gates": {}})").find("`specroute validate FILE`"),
            std::string::npos);
  EXPECT_NE(config_faults_of(R"({"tests": []})").find("`specroute policy test FILE`"),
            std::string::npos);
}

TEST(ConfigCheck, NamesEveryReasonOfTheModule) {
  const auto names = reason_names(built_in());
  EXPECT_EQ(names.size(), 51U);
  EXPECT_EQ(names.front(), "first_judged_window");
  EXPECT_EQ(names.back(), "off_profile");
}

// A module of somebody else may have a weak schema, and words without "byte".
TEST(ConfigCheck, PlacesTheComplaintOfAnotherModuleAtTheByteThatItNames) {
  srp_module other = built_in();
  static constexpr std::string_view kSchema = R"({"type": "object"})";
  other.config_schema = {kSchema.data(), kSchema.size()};
  other.validate = [](srp_str, srp_error* error) -> std::int32_t {
    constexpr std::string_view kText = "too hot";
    error->len = static_cast<std::uint32_t>(kText.copy(error->buf, error->cap));
    error->config_offset = 7;
    return SRP_E_CONFIG;
  };
  const auto faults = config_text_faults(other, R"({ "a": 1, "b": 2})", "c.json");
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(to_string(faults.front()),
            "c.json: /b (1:11): expected a configuration that the policy takes, found too hot");
}

TEST(ConfigCheck, TakesExpectedAndFoundFromTheWordsOfTheModule) {
  srp_module other = built_in();
  static constexpr std::string_view kSchema = R"({"type": "object"})";
  other.config_schema = {kSchema.data(), kSchema.size()};
  other.validate = [](srp_str, srp_error* error) -> std::int32_t {
    constexpr std::string_view kText = "byte 7: b: expected one of 3, 4, found 2";
    error->len = static_cast<std::uint32_t>(kText.copy(error->buf, error->cap));
    return SRP_E_CONFIG;
  };
  const auto faults = config_text_faults(other, R"({ "a": 1, "b": 2})", "c.json");
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(to_string(faults.front()), "c.json: /b (1:11): expected one of 3, 4, found 2");
}

}  // namespace
}  // namespace specroute::sim
