// The validation library gives the verdict and our reporter the words; here they must agree, on the
// invalid suite and on scenarios broken at random.
#include <gtest/gtest.h>

#include <filesystem>

#include "sim/json/json_text.hpp"
#include "sim/json/schema_report.hpp"
#include "sim/scenario/schema.hpp"
#include "tests/unit/sim_json/broken_document.hpp"
#include "tests/unit/sim_scenario/minimal.hpp"

namespace specroute::sim {
namespace {

constexpr JsonLayout kLine{.sorted_keys = false, .indentation = 0};
constexpr std::uint64_t kSeed = 20261106;

const std::vector<std::string> kKeys = {
    "cv",      "calibrate", "kind",    "parameters", "temperature", "seed",
    "grammar", "name",      "is_null", "engines",    "x",           "",
    "a/b",     "min",       "router",  "why",        "rack",        "forwarded_bytes_per_position"};

TEST(SchemaReport, AgreesWithTheLibraryOnTheInvalidSuite) {
  int documents = 0;
  const auto folder = std::filesystem::path(SPECROUTE_SOURCE_DIR) / "scenarios" / "invalid";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    const auto text = file_text("scenarios/invalid/" + entry.path().filename().string());
    const auto tree = parse_json(text, "x");
    if (!tree.ok()) continue;
    ++documents;
    EXPECT_EQ(schema_matches(scenario_schema(), tree.value().root, scenario_schema()),
              schema_accepts(text))
        << entry.path();
  }
  EXPECT_GT(documents, 25);
}

TEST(SchemaReport, AgreesWithTheLibraryOnBrokenScenarios) {
  const auto base = parse_json(minimal_text(), "x").value().root;
  Dice dice(kSeed);
  int accepted = 0;
  int rejected = 0;
  for (int round = 0; round < 3000; ++round) {
    JsonValue broken = base;
    for (std::size_t i = 0; i <= dice.below(3); ++i) break_once(broken, dice, kKeys);
    const auto text = write_json(broken, kLine);
    const bool verdict = schema_accepts(text);
    ASSERT_EQ(schema_matches(scenario_schema(), broken, scenario_schema()), verdict)
        << "seed " << kSeed << ", round " << round << ": " << text;
    ++(verdict ? accepted : rejected);
  }
  EXPECT_GT(accepted, 200);
  EXPECT_GT(rejected, 200);
}

// Whatever the input, the reader ends: with a scenario that resolves to itself, or with
// diagnostics that each name file and place.
TEST(ReadScenario, EndsOnAnyBrokenScenario) {
  const auto base = parse_json(minimal_text(), "x").value().root;
  Dice dice(kSeed + 1);
  for (int round = 0; round < 1000; ++round) {
    JsonValue broken = base;
    for (std::size_t i = 0; i <= dice.below(3); ++i) break_once(broken, dice, kKeys);
    const auto result = parsed(write_json(broken, kLine));
    if (!result.ok()) {
      for (const auto& fault : result.diagnostics()) {
        EXPECT_EQ(fault.file, "minimal.json");
        EXPECT_FALSE(fault.place.empty());
        EXPECT_FALSE(fault.found.empty());
      }
      continue;
    }
    const auto& resolved = result.value().resolved_json;
    const auto again = parsed(resolved);
    ASSERT_TRUE(again.ok()) << resolved;
    EXPECT_EQ(again.value().resolved_json, resolved) << "seed " << kSeed << ", round " << round;
  }
}

TEST(ReadScenario, EndsOnAnyDamagedText) {
  const std::string text = minimal_text();
  Dice dice(kSeed + 2);
  int refused = 0;
  for (int round = 0; round < 500; ++round) {
    std::string damaged = text;
    damaged[dice.below(damaged.size())] = static_cast<char>(dice.below(256));
    if (dice.below(4) == 0) damaged.resize(dice.below(damaged.size()));
    const auto result = parsed(damaged);
    if (result.ok()) continue;
    ++refused;
    for (const auto& fault : result.diagnostics())
      EXPECT_FALSE(fault.place.empty()) << "seed " << kSeed << ", round " << round;
  }
  EXPECT_GT(refused, 200);
}

}  // namespace
}  // namespace specroute::sim
