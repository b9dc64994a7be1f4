#include "sim/scenario/reader.hpp"

#include <gtest/gtest.h>

#include "tests/unit/sim_scenario/minimal.hpp"

namespace specroute::sim {
namespace {

TEST(ReadScenario, FillsInTheDefaultsOfTheSchema) {
  const auto result = parsed(minimal_text());
  ASSERT_TRUE(result.ok()) << faults_of(minimal_text());
  const Scenario& scenario = result.value();
  EXPECT_EQ(scenario.name, "minimal");
  EXPECT_EQ(scenario.drain_limit, Seconds{60});
  EXPECT_EQ(scenario.backends[0].tensor_parallel, 1U);
  EXPECT_EQ(scenario.backends[0].kv_block_tokens, 16U);
  EXPECT_EQ(scenario.backends[0].attention_mask, "causal");
  EXPECT_EQ(scenario.backends[0].memory_utilisation, 0.9);
  EXPECT_FALSE(scenario.backends[0].standby);
  EXPECT_EQ(scenario.profiles[0].sampling.top_p, 1.0);
  EXPECT_EQ(scenario.profiles[0].sampling.top_k, 0U);
  EXPECT_EQ(scenario.profiles[0].sampling.grammar, "");
  EXPECT_EQ(scenario.router.dispatch, Dispatch::least_outstanding);
  EXPECT_EQ(scenario.vocabulary_slice, 512U);
  EXPECT_FALSE(scenario.expect[0].every_seed);
  EXPECT_FALSE(scenario.expect[0].is_null);
}

// 100 Gbit/s = 100e9 / 8 = 1.25e10 B/s; 0.005 ms = 5e-6 s; 50 ms = 0.05 s.
TEST(ReadScenario, ConvertsUnits) {
  const auto result = parsed(minimal_text());
  ASSERT_TRUE(result.ok());
  EXPECT_DOUBLE_EQ(result.value().network.nic.value(), 1.25e10);
  EXPECT_DOUBLE_EQ(result.value().network.nic_latency.count(), 5e-6);
  EXPECT_DOUBLE_EQ(result.value().router.telemetry_period.count(), 0.05);
  EXPECT_DOUBLE_EQ(result.value().classes[0].ttft_slo.count(), 0.5);
}

TEST(ReadScenario, ResolvesNamesToPositions) {
  const auto result = parsed(minimal_text());
  ASSERT_TRUE(result.ok());
  const Scenario& scenario = result.value();
  EXPECT_EQ(scenario.pairings[0].target, BackendId{0});
  EXPECT_EQ(scenario.pairings[0].draft, BackendId{1});
  EXPECT_EQ(scenario.classes[0].pool, PoolId{0});
  EXPECT_EQ(scenario.faults[0].backend, BackendId{0});
  EXPECT_EQ(scenario.overrides[0].backend, BackendId{1});
}

TEST(ReadScenario, TellsAnOverrideThatIsAbsentFromOneThatIsZero) {
  const auto result =
      parsed(edited(R"("set": {"temperature": 0})", R"("set": {"top_k": 0, "grammar": null})"));
  ASSERT_TRUE(result.ok());
  const Override& override = result.value().overrides[0];
  EXPECT_FALSE(override.temperature.has_value());
  EXPECT_FALSE(override.seed.has_value());
  EXPECT_EQ(override.top_k, 0U);
  EXPECT_EQ(override.grammar, "");
  EXPECT_FALSE(override.replaces_block);
}

// A token is 4 bytes; the top 64 logits are 512.
TEST(ReadScenario, DefaultsTheForwardedBytesByWhatIsForwarded) {
  const auto tokens = parsed(minimal_text());
  const auto logits = parsed(edited(R"("forward": "tokens")", R"("forward": "logits")"));
  ASSERT_TRUE(tokens.ok() && logits.ok());
  EXPECT_EQ(tokens.value().pools[0].speculation.forwarded_per_position, Bytes{4});
  EXPECT_EQ(logits.value().pools[0].speculation.forwarded_per_position, Bytes{512});
}

TEST(ReadScenario, ResolvesOneNumberToOneSpelling) {
  const auto plain = parsed(minimal_text());
  for (const char* spelling : {"10.0", "1e1", "0.1E+2", "100e-1"}) {
    const auto other =
        parsed(edited("\"horizon_s\": 10", std::string("\"horizon_s\": ") + spelling));
    ASSERT_TRUE(other.ok()) << spelling;
    EXPECT_EQ(other.value().resolved_json, plain.value().resolved_json) << spelling;
  }
}

TEST(ReadScenario, WritesEachDefaultIntoTheResolvedText) {
  const std::string resolved = parsed(minimal_text()).value().resolved_json;
  for (const char* line : {"\"drain_limit_s\": 60", "\"kv_block_tokens\": 16",
                           "\"hazard_at_zero_entropy_per_token\": 0.00033", "\"grammar\": null",
                           "\"forwarded_bytes_per_position\": 4"})
    EXPECT_NE(resolved.find(line), std::string::npos) << line;
  EXPECT_EQ(resolved.find("until_s"), std::string::npos);
}

TEST(ReadScenario, RefusesAGateThatIsNeverToldWhatItJudgesBy) {
  const std::string gate = R"({"gate": "validity"})";
  for (const auto& [name, report] :
       {std::pair{"error_breaker", R"("health_report_ms": 1000)"},
        std::pair{"quality_probe", R"("quality_sampling": {"share": 0.5})"}}) {
    const std::string judging = R"({"gate": ")" + std::string(name) + R"("})";
    EXPECT_NE(faults_of(edited(gate, judging)).find("/gates/validity/gate"), std::string::npos);
    const std::string told = judging + R"(}, "router": {)" + report;
    EXPECT_EQ(faults_of(edited(gate, told)), "");
  }
}

TEST(ReadScenario, HandsEachGateToItsValidatorAndPlacesTheAnswer) {
  ReadOptions options = plain_options();
  std::string seen;
  options.validate_gate = [&](const std::string& label, const std::string& config) {
    seen = label + " " + config;
    return Diagnostics{{.file = {},
                        .place = "/gaet",
                        .expected = {},
                        .found = "an unknown key",
                        .nearest = "gate"}};
  };
  const auto text = edited(R"({"gate": "validity"})", R"({"gaet": "validity", "a": 1.50})");
  const auto result = parse_scenario(text, "x.json", options);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(seen, R"(validity {"a":1.50,"gaet":"validity"})");
  EXPECT_EQ(format_diagnostics(result.diagnostics()),
            "x.json: /gates/validity/gaet: found an unknown key; did you mean \"gate\"?\n");
}

TEST(ReadScenario, ChecksMetricsWhereTheyAreKnown) {
  ReadOptions options = plain_options();
  options.catalogue.metrics = {"completions", "detection_ms"};
  EXPECT_TRUE(parse_scenario(minimal_text(), "x.json", options).ok());
  const auto text = edited("\"metric\": \"completions\"", "\"metric\": \"completion\"");
  const auto result = parse_scenario(text, "x.json", options);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.diagnostics().front().nearest, "completions");
}

TEST(ReadScenario, ReadsTheIncident) {
  const auto result = read_scenario(
      std::string(SPECROUTE_SOURCE_DIR) + "/scenarios/incident-2026-11-06.json", plain_options());
  ASSERT_TRUE(result.ok()) << format_diagnostics(result.diagnostics());
  EXPECT_EQ(result.value().name, "incident-2026-11-06");
  EXPECT_TRUE(result.value().overrides[0].replaces_block);
  EXPECT_EQ(result.value().overrides[0].temperature, 0.0);
}

TEST(ReadScenario, SaysThatAFileIsNotThere) {
  const auto result = read_scenario("no-such-folder/x.json", plain_options());
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(format_diagnostics(result.diagnostics()),
            "no-such-folder/x.json: expected a file that can be read, found no such file\n");
  EXPECT_FALSE(read_scenario(SPECROUTE_SOURCE_DIR, plain_options()).ok());
}

TEST(FormatDiagnostics, SortsByPlaceAndKeepsEquals) {
  const auto fault = [](const char* place, const char* found) {
    return Diagnostic{.file = "f", .place = place, .expected = "e", .found = found, .nearest = {}};
  };
  EXPECT_EQ(format_diagnostics({fault("/a/10", "1"), fault("/a/9", "2"), fault("/a/9", "1")}),
            "f: /a/9: expected e, found 2\nf: /a/9: expected e, found 1\n"
            "f: /a/10: expected e, found 1\n");
}

}  // namespace
}  // namespace specroute::sim
