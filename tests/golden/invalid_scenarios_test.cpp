// Every scenarios/invalid/X.json has X.txt, its exact diagnostics. UPDATE_GOLDEN=1 rewrites them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "sim/json/diagnostics_text.hpp"
#include "sim/scenario/reader.hpp"

namespace specroute::sim {
namespace {

namespace fs = std::filesystem;

/// The names are those of the shipped catalogue that the suite uses; gates are the library's.
ReadOptions suite_options() {
  static TraceStore traces;
  return {.catalogue = {.devices = {"H100-SXM-80", "A10G-24", "L40S-48", "A100-SXM-80"},
                        .models = {"llama-3.1-8b", "smollm-135m"},
                        .metrics = {}},
          .validate_gate = {},
          .traces = &traces};
}

std::string file_text(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// Runs in scenarios/, so that diagnostics name files as "invalid/X.json" on every machine.
class InvalidScenarios : public testing::Test {
 protected:
  void SetUp() override {
    before_ = fs::current_path();
    fs::current_path(fs::path(SPECROUTE_SOURCE_DIR) / "scenarios");
    for (const auto& entry : fs::directory_iterator("invalid"))
      if (entry.path().extension() == ".json") files_.push_back(entry.path().generic_string());
    std::ranges::sort(files_);
  }
  void TearDown() override { fs::current_path(before_); }

  std::vector<std::string> files_;

 private:
  fs::path before_;
};

TEST_F(InvalidScenarios, AreRefusedWithExactlyTheseWords) {
  const bool update = std::getenv("UPDATE_GOLDEN") != nullptr;
  EXPECT_GE(files_.size(), 25U);
  for (const auto& file : files_) {
    const auto result = read_scenario(file, suite_options());
    ASSERT_FALSE(result.ok()) << file << " is valid";
    const auto text = format_diagnostics(result.diagnostics());
    const auto golden = fs::path(file).replace_extension(".txt");
    if (update) std::ofstream(golden, std::ios::binary) << text;
    EXPECT_EQ(text, file_text(golden)) << file;
  }
}

TEST_F(InvalidScenarios, AreEachNamedWithAPlaceAndAFinding) {
  for (const auto& file : files_) {
    const auto result = read_scenario(file, suite_options());
    ASSERT_FALSE(result.ok()) << file << " is valid";
    for (const auto& fault : result.diagnostics()) {
      // A malformed line has its place in the trace.
      EXPECT_TRUE(fault.file == file || fault.file.starts_with("invalid/traces/")) << fault.file;
      const bool pointer = fault.place.starts_with('/');
      const bool line_and_column = fault.place.find(':') != std::string::npos;
      EXPECT_TRUE(pointer || line_and_column) << file << ": " << fault.place;
      EXPECT_FALSE(fault.found.empty()) << file << ": " << fault.place;
      EXPECT_FALSE(fault.expected.empty() && fault.nearest.empty()) << file << ": " << fault.place;
    }
  }
}

TEST_F(InvalidScenarios, LeaveNoDiagnosticsWithoutAScenario) {
  for (const auto& entry : fs::directory_iterator("invalid"))
    EXPECT_TRUE(entry.is_directory() ||  // traces of these scenarios
                fs::exists(fs::path(entry.path()).replace_extension(".json")))
        << entry.path();
}

}  // namespace
}  // namespace specroute::sim
