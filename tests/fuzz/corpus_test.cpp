// The fuzzers' entries over their seeds: files that were made to be odd, and files that were found
// to be.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include "tests/fuzz/entries.hpp"

namespace specroute::fuzz {
namespace {

namespace fs = std::filesystem;

/// Calls `entry` with the bytes of every file directly under `folder`.
template <class Entry>
std::size_t for_each_file(const std::string& folder, Entry entry) {
  std::size_t files = 0;
  for (const auto& one : fs::directory_iterator(fs::path(SPECROUTE_SOURCE_DIR) / folder)) {
    if (!one.is_regular_file()) continue;
    std::ifstream stream(one.path(), std::ios::binary);
    entry(std::string{std::istreambuf_iterator<char>(stream), {}});
    ++files;
  }
  return files;
}

TEST(FuzzCorpus, OfScenariosBreaksNoPromise) {
  EXPECT_GE(for_each_file("tests/fuzz/corpus/scenario", scenario), 2U);
  EXPECT_GE(for_each_file("scenarios/invalid", scenario), 50U);
}

TEST(FuzzCorpus, OfTracesBreaksNoPromise) {
  const auto seeds = [](const char* folder, sim::TraceFormat format) {
    return for_each_file(std::string("tests/fuzz/corpus/") + folder,
                         [format](const std::string& bytes) { trace(format, bytes); });
  };
  EXPECT_GE(seeds("azure", sim::TraceFormat::azure), 2U);
  EXPECT_GE(seeds("mooncake", sim::TraceFormat::mooncake), 2U);
  EXPECT_GE(seeds("burstgpt", sim::TraceFormat::burstgpt), 2U);
  EXPECT_GE(seeds("specroute", sim::TraceFormat::specroute), 2U);
  // Every sample, read as what it is not.
  for (const auto format : {sim::TraceFormat::azure, sim::TraceFormat::mooncake,
                            sim::TraceFormat::burstgpt, sim::TraceFormat::specroute})
    EXPECT_GE(for_each_file("scenarios/traces",
                            [format](const std::string& bytes) { trace(format, bytes); }),
              5U);
}

}  // namespace
}  // namespace specroute::fuzz
