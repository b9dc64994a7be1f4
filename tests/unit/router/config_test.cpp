#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <specroute/router/policy.hpp>
#include <string>
#include <string_view>

namespace specroute::router {
namespace {

struct Refusal {
  std::int32_t code = SRP_OK;
  std::uint32_t offset = 0;
  std::string text;
};

Refusal validate(std::string_view json) {
  std::array<char, 1024> text{};
  srp_error error{};
  error.struct_size = sizeof error;
  error.cap = static_cast<std::uint32_t>(text.size());
  error.buf = text.data();
  Refusal refusal;
  refusal.code = linked_module().validate({json.data(), json.size()}, &error);
  refusal.offset = error.config_offset;
  refusal.text.assign(text.data(), error.len);
  return refusal;
}

/// Refused, at the place of `at` in the text, in words that hold `words`.
void expect_refused(std::string_view json, std::string_view at, std::string_view words) {
  const auto refusal = validate(json);
  EXPECT_EQ(refusal.code, SRP_E_CONFIG) << json;
  EXPECT_EQ(refusal.offset, json.find(at)) << json << "\n" << refusal.text;
  EXPECT_NE(refusal.text.find(words), std::string::npos) << refusal.text;
}

TEST(Config, NamesTheNearestKeyAndItsByte) {
  expect_refused(R"({"gate": "validity", "cooldown_s": 3})", R"("cooldown_s")",
                 R"(did you mean "cool_down_s"?)");
}

TEST(Config, RefusesADuplicateKey) {
  expect_refused(R"({"gate": "none", "gate" : "validity"})", R"("gate" :)", "duplicate key");
}

TEST(Config, NeverConvertsInSilence) {
  expect_refused(R"({"gate": "none", "min_drafted": 3.7})", "3.7", "an integer in [1,");
  expect_refused(R"({"gate": "none", "min_drafted": 200.0})", "200.0", "an integer");
  expect_refused(R"({"gate": "none", "min_drafted": true})", "true", "an integer");
  expect_refused(R"({"gate": "none", "min_drafted": -1})", "-1", "found -1");
  expect_refused(R"({"gate": "none", "min_drafted": "200"})", "\"200\"", "an integer");
  expect_refused(R"({"gate": "none", "cool_down_s": {"s": 1}})", "{\"s\"", "found an object");
  expect_refused(R"({"gate": "validity", "params_hash_version": 1.0})", "1.0", "one of 1, 2");
}

TEST(Config, RefusesAThresholdThatCanNeverBePassed) {
  expect_refused(R"({"gate": "validity", "delta_threshold": 1})", "1}", "[0, 1)");
}

// The farthest that one of n can be below their mean is sqrt(n - 1) sigma: of five 2, of
// 1024 31.98.
TEST(Config, RefusesAnOutlierThatCanNeverBe) {
  expect_refused(R"({"gate": "outlier", "max_pairings": 4, "ejection_sigma": 1.7})",
                 R"("max_pairings")", "less than min_pairings");
  expect_refused(R"({"gate": "outlier", "min_pairings": 1025})", R"("min_pairings")",
                 "less than min_pairings");
  expect_refused(R"({"gate": "outlier", "max_pairings": 5, "ejection_sigma": 2})",
                 R"("ejection_sigma")", "sqrt(max_pairings - 1)");
  expect_refused(R"({"gate": "outlier", "min_pairings": 2, "max_pairings": 4})",
                 R"("max_pairings")", "ejection_sigma");
  expect_refused(R"({"gate": "outlier", "ejection_sigma": 32})", R"("ejection_sigma")",
                 "sqrt(max_pairings - 1)");
  EXPECT_EQ(validate(R"({"gate": "outlier", "max_pairings": 5, "ejection_sigma": 1.999})").code,
            SRP_OK);
  EXPECT_EQ(validate(R"({"gate": "outlier", "ejection_sigma": 31.9})").code, SRP_OK);
  EXPECT_EQ(validate(R"({"gate": "none", "max_pairings": 1})").code, SRP_OK);
}

TEST(Config, RefusesALongestQuarantineBelowTheFirst) {
  for (const std::string gate : {"outlier", "error_breaker", "quality_probe"}) {
    const std::string start = R"({"gate": ")" + gate + R"(", )";
    expect_refused(start + R"("quarantine_s": 30, "max_quarantine_s": 29.9})",
                   R"("max_quarantine_s")", "less than quarantine_s");
    expect_refused(start + R"("quarantine_s": 301})", R"("quarantine_s")",
                   "less than quarantine_s");
    EXPECT_EQ(validate(start + R"("quarantine_s": 30, "max_quarantine_s": 30})").code, SRP_OK);
  }
}

TEST(Config, RefusesAKnobThatTheGateNeverReads) {
  expect_refused(R"({"gate": "none", "delta_threshold": 0.3})", R"("delta_threshold")",
                 "never reads");
  expect_refused(R"({"rebind": "match_draft", "gate": "delta_only"})", R"("rebind")",
                 "never reads");
}

TEST(Config, SuggestsTheNearestGate) {
  expect_refused(R"({"gate": "validty"})", "\"validty\"", R"(did you mean "validity"?)");
  expect_refused("{}", "{", "\"gate\" is required");
}

TEST(Config, SurvivesWhatIsNoConfiguration) {
  expect_refused(R"({"gate": "none",})", "}", "not JSON");
  expect_refused("[1]", "[", "expected an object");
  expect_refused("7", "7", "expected an object");
  EXPECT_EQ(validate("").code, SRP_E_CONFIG);
  EXPECT_EQ(validate("\xff\xfe").code, SRP_E_CONFIG);
  EXPECT_EQ(validate(R"({"gate": "none", "\"quoted\"": 1e999})").code, SRP_E_CONFIG);
  EXPECT_EQ(validate("{\"a\":" + std::string(5000, '[')).code, SRP_E_CONFIG);
  EXPECT_EQ(linked_module().validate({nullptr, 0}, nullptr), SRP_E_ARG);
}

TEST(Config, ReportsEveryFaultAndTheOffsetOfTheFirst) {
  const auto refusal = validate(R"({"min_drafted": 0, "gate": "nope", "x": 1})");
  EXPECT_EQ(refusal.offset, 16U);
  EXPECT_EQ(std::count(refusal.text.begin(), refusal.text.end(), '\n'), 2);
}

TEST(Config, SchemaNamesTypeRangeAndDefaultOfEveryKey) {
  const auto text = linked_module().config_schema;
  const auto schema = nlohmann::json::parse(text.ptr, text.ptr + text.len);
  for (const auto& [key, rule] : schema["properties"].items()) {
    EXPECT_TRUE(rule.contains("type") && rule.contains("description")) << key;
    EXPECT_TRUE(rule.contains("enum") || rule.contains("minimum")) << key;
    EXPECT_TRUE(rule.contains("default") || key == "gate") << key;
  }
}

TEST(Config, EveryGateTakesEveryKeyThatItReadsAtItsDefault) {
  const auto text = linked_module().config_schema;
  const auto schema = nlohmann::json::parse(text.ptr, text.ptr + text.len);
  std::size_t gates = 0;
  for (const auto& branch : schema["allOf"]) {
    for (const auto& gate : branch["if"]["properties"]["gate"]["enum"]) {
      ++gates;
      nlohmann::json config;
      for (const auto& key : branch["then"]["propertyNames"]["enum"])
        config[key.get<std::string>()] =
            key == "gate" ? gate : schema["properties"][key.get<std::string>()]["default"];
      const auto refusal = validate(config.dump());
      EXPECT_EQ(refusal.code, SRP_OK) << refusal.text;
    }
  }
  EXPECT_EQ(gates, schema["properties"]["gate"]["enum"].size());
}

TEST(Config, DefaultsSpelledOutMakeTheSamePolicy) {
  const auto& module = linked_module();
  auto bare = Policy::create(module, R"({"gate": "validity"})").value().digest();
  auto spelled = Policy::create(module, R"({"gate": "validity", "delta_threshold": 0.25,
      "cool_down_s": 300, "min_drafted": 200, "baseline_window_s": 60,
      "rebind": "replace_stale_side", "params_hash_version": 1, "mode": "active"})");
  EXPECT_EQ(bare, spelled.value().digest());
  auto other = Policy::create(module, R"({"gate": "validity", "min_drafted": 201})");
  EXPECT_NE(bare, other.value().digest());
}

}  // namespace
}  // namespace specroute::router
