// The tests of the built-in gates that come with the program (tests/policy): they pass, and each of
// them can fail.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include <gtest/gtest.h>

#include "sim/json/json_text.hpp"
#include "sim/policy_test/config_check.hpp"
#include "tests/unit/sim_policy_test/suite_text.hpp"

namespace specroute::sim {
namespace {

namespace fs = std::filesystem;

const fs::path kShipped = fs::path(SPECROUTE_SOURCE_DIR) / "tests" / "policy";
const std::string kEnding = ".policy-test.json";

std::vector<PolicySuite> shipped() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(kShipped)) files.push_back(entry.path());
  std::ranges::sort(files);
  std::vector<PolicySuite> suites;
  for (const fs::path& file : files) {
    auto suite = read_suite(file.string(), built_in());
    EXPECT_TRUE(suite.ok()) << file;
    if (suite) suites.push_back(std::move(suite).value());
  }
  return suites;
}

/// `config` with one member set; empty where no policy takes that.
std::string mutated(const std::string& config, const std::string& key, const std::string& value) {
  JsonValue tree = parse_json(config, "c").value().root;
  set_member(tree, key, parse_json(value, "v").value().root);
  if (!config_faults(built_in(), tree).empty()) return {};
  return write_json(tree, {.sorted_keys = false, .indentation = 0});
}

/// Configurations near that of a test, under which it might fail.
std::vector<std::string> mutants(const std::string& config) {
  std::vector<std::string> all;
  for (const GateLine& gate : gate_lines(built_in()))
    all.push_back("{\"gate\": \"" + gate.name + "\"}");
  all.push_back(mutated(config, "delta_threshold", "0.6"));
  all.push_back(mutated(config, "cool_down_s", "0.001"));
  all.push_back(mutated(config, "min_drafted", "1"));
  std::erase(all, "");
  return all;
}

TEST(ShippedPolicyTests, AreThereForEveryGate) {
  for (const GateLine& gate : gate_lines(built_in())) {
    const auto suite = read_suite((kShipped / (gate.name + kEnding)).string(), built_in());
    ASSERT_TRUE(suite.ok()) << gate.name;
    EXPECT_GE(suite.value().tests.size(), 2U) << gate.name;
    for (const PolicyTest& test : suite.value().tests)
      EXPECT_NE(test.config_json.find("\"gate\":" + sim::quoted(gate.name)), std::string::npos);
  }
}

TEST(ShippedPolicyTests, Pass) {
  for (const PolicySuite& suite : shipped())
    for (const PolicyTest& test : suite.tests)
      for (const TestFailure& failure : run_test(test, built_in()).failures)
        ADD_FAILURE() << suite.file << ": " << test.name << ": got " << failure.got;
}

TEST(ShippedPolicyTests, CanEachFail) {
  for (const PolicySuite& suite : shipped())
    for (PolicyTest test : suite.tests) {
      const auto fails = [&](const std::string& config) {
        test.config_json = config;
        return !run_test(test, built_in()).passed();
      };
      EXPECT_TRUE(std::ranges::any_of(mutants(test.config_json), fails))
          << suite.file << ": " << test.name;
    }
}

/// How many shipped tests of gates that take the changed key fail with it.
std::size_t failing_with(const std::string& key, const std::string& value) {
  std::size_t failed = 0;
  for (const PolicySuite& suite : shipped())
    for (PolicyTest test : suite.tests) {
      test.config_json = mutated(test.config_json, key, value);
      failed += !test.config_json.empty() && !run_test(test, built_in()).passed() ? 1U : 0U;
    }
  return failed;
}

TEST(ShippedPolicyTests, NoticeAWrongThresholdCoolDownAndGate) {
  EXPECT_GE(failing_with("delta_threshold", "0.6"), 8U);
  EXPECT_GE(failing_with("cool_down_s", "0.001"), 5U);
  EXPECT_GE(failing_with("gate", "\"none\""), 10U);
  EXPECT_GE(failing_with("gate", "\"validity\""), 3U);
}

TEST(ShippedPolicyTests, AreWhatThePageShows) {
  const auto text = [](const fs::path& path) {
    std::ifstream stream(path);
    return std::string{std::istreambuf_iterator<char>(stream), {}};
  };
  const std::string page = text(fs::path(SPECROUTE_SOURCE_DIR) / "docs" / "policy-tests.md");
  EXPECT_NE(page.find(text(kShipped / ("incident" + kEnding))), std::string::npos);
  for (const GateLine& gate : gate_lines(built_in()))
    EXPECT_NE(page.find('`' + gate.name + '`'), std::string::npos) << gate.name;
}

}  // namespace
}  // namespace specroute::sim
