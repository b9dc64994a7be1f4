// The validation library gives the verdict and our reporter the words; here they must agree, on
// policy tests and on configurations broken at random.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "sim/json/json_pointer.hpp"
#include "sim/json/schema_report.hpp"
#include "sim/json/schema_verdict.hpp"
#include "sim/policy_test/config_check.hpp"
#include "sim/policy_test/schema.hpp"
#include "tests/unit/sim_json/broken_document.hpp"
#include "tests/unit/sim_policy_test/suite_text.hpp"

namespace specroute::sim {
namespace {

constexpr JsonLayout kOneLine{.sorted_keys = false, .indentation = 0};
constexpr std::uint64_t kBreakSeed = 20261130;

struct Verdicts {
  int accepted = 0;
  int rejected = 0;
};

/// Breaks `base` `rounds` times and compares the verdicts.
Verdicts compare_verdicts(const JsonValue& base, const JsonValue& schema,
                          const SchemaVerdict& library, const std::vector<std::string>& keys) {
  Dice dice(kBreakSeed);
  Verdicts verdicts;
  for (int round = 0; round < 1500; ++round) {
    JsonValue broken = base;
    for (std::size_t i = 0; i <= dice.below(3); ++i) break_once(broken, dice, keys);
    const auto text = write_json(broken, kOneLine);
    const bool verdict = library.accepts(text);
    EXPECT_EQ(schema_faults(schema, broken).empty(), verdict)
        << "seed " << kBreakSeed << ", round " << round << ": " << text;
    ++(verdict ? verdicts.accepted : verdicts.rejected);
  }
  return verdicts;
}

JsonValue json(const std::string& text) {
  return parse_json(text, "x").value().root;
}

const std::vector<std::string> kEventKeys = {
    "together", "type",  "at_s",       "pairing", "accepted", "side",  "result",
    "errors",   "never", "provenance", "id",      "expect",   "title", "x/y"};

/// A file with an event of most types.
JsonValue many_events() {
  return json(suite_about(R"({"gate": "validity"})", R"(
      "input": [{"type": "window", "pairing": "pair", "accepted": "1x3", "draft": {"mask": 1}},
                {"type": "candidate", "side": "draft", "role": "draft"},
                {"together": [{"type": "health", "side": "target", "requests": 3}, {"type": "tick"}]},
                {"type": "outcome", "result": "done"}],
      "expect": [{"at_s": 3, "type": "lock", "pairing": "pair", "to": {"exclude": [1, "draft"]}}],
      "never": ["lock", {"type": "rebind"}])"));
}

TEST(PolicyTestSchema, AgreesWithTheLibraryOnBrokenTests) {
  const auto base = many_events();
  const SchemaVerdict library(policy_test_schema_text());
  const auto verdicts = compare_verdicts(base, policy_test_schema(), library, kEventKeys);
  EXPECT_GT(verdicts.accepted, 100);
  EXPECT_GT(verdicts.rejected, 100);
}

// Whatever the file, it is refused with a place for each fault, or its tests run to their end.
TEST(ReadSuite, EndsOnAnyBrokenFile) {
  const auto base = many_events();
  Dice dice(kBreakSeed + 1);
  int read = 0;
  for (int round = 0; round < 1000; ++round) {
    JsonValue broken = base;
    for (std::size_t i = 0; i <= dice.below(2); ++i) break_once(broken, dice, kEventKeys);
    const auto suite = parse_suite(write_json(broken, kOneLine), "t.json", built_in());
    if (suite) {
      ++read;
      for (const PolicyTest& test : suite.value().tests)
        EXPECT_GE(run_test(test, built_in()).events, test.events.empty() ? 0U : 1U);
      continue;
    }
    for (const Diagnostic& fault : suite.diagnostics()) {
      EXPECT_EQ(fault.file, "t.json");
      EXPECT_NE(fault.place, "") << "seed " << kBreakSeed + 1 << ", round " << round;
    }
  }
  EXPECT_GT(read, 50);
}

TEST(PolicyTestSchema, AgreesWithTheLibraryOnTheShippedTests) {
  int files = 0;
  const auto folder = std::filesystem::path(SPECROUTE_SOURCE_DIR) / "tests" / "policy";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream stream(entry.path());
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    EXPECT_TRUE(policy_test_schema_accepts(text)) << entry.path();
    EXPECT_TRUE(schema_faults(policy_test_schema(), json(text)).empty()) << entry.path();
    ++files;
  }
  EXPECT_GE(files, 18);
}

// The keyword "propertyNames" is the configuration's alone.
TEST(ConfigSchema, AgreesWithTheLibraryOnBrokenConfigurations) {
  const auto schema = module_schema(built_in());
  const srp_str text = built_in().config_schema;
  const SchemaVerdict library(std::string_view(text.ptr, text.len));
  std::vector<std::string> keys;
  for (const JsonMember& member : schema.find("properties")->members) keys.push_back(member.key);
  for (const char* config :
       {R"({"gate": "validity", "cool_down_s": 3, "rebind": "match_draft"})", R"({"gate": "none"})",
        R"({"mode": "shadow", "gate": "outlier", "min_pairings": 5, "ejection_sigma": 1.5})"}) {
    const auto verdicts = compare_verdicts(json(config), schema, library, keys);
    EXPECT_GT(verdicts.accepted, 50) << config;
    EXPECT_GT(verdicts.rejected, 50) << config;
  }
}

/// Every object schema of a document that may be met by a key.
void closed_objects(const JsonValue& schema, const std::string& pointer,
                    std::vector<std::string>& open) {
  const JsonValue* properties = schema.find("properties");
  const JsonValue* type = schema.find("type");
  if (properties != nullptr && type != nullptr && schema.find("additionalProperties") == nullptr)
    open.push_back(pointer);
  for (const JsonMember& member : schema.members)
    closed_objects(member.value, child_pointer(pointer, member.key), open);
}

TEST(PolicyTestSchema, TakesNoKeyThatNobodyReads) {
  std::vector<std::string> open;
  closed_objects(policy_test_schema(), "", open);
  EXPECT_EQ(open, std::vector<std::string>{});
}

}  // namespace
}  // namespace specroute::sim
