// The entries of the telemetry fuzzers over their seeds and the samples.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include "tests/fuzz/telemetry_entries.hpp"

namespace specroute::fuzz {
namespace {

namespace fs = std::filesystem;
using sim::TelemetryFormat;

template <class Entry>
std::size_t for_each_seed(const std::string& folder, Entry entry) {
  std::size_t files = 0;
  for (const auto& one : fs::directory_iterator(fs::path(SPECROUTE_SOURCE_DIR) / folder)) {
    std::ifstream stream(one.path(), std::ios::binary);
    entry(std::string{std::istreambuf_iterator<char>(stream), {}});
    ++files;
  }
  return files;
}

TEST(TelemetryCorpus, BreaksNoPromiseAsWhateverItIsRead) {
  for (const auto format :
       {TelemetryFormat::prometheus, TelemetryFormat::query_range, TelemetryFormat::vllm_log,
        TelemetryFormat::sglang_log, TelemetryFormat::llama_cpp_log}) {
    const auto entry = [format](const std::string& bytes) { telemetry(format, bytes); };
    for (const char* name :
         {"prometheus", "query_range", "vllm_log", "sglang_log", "llama_cpp_log"})
      EXPECT_GE(for_each_seed(std::string("tests/fuzz/corpus/telemetry_") + name, entry), 1U);
    EXPECT_GE(for_each_seed("scenarios/telemetry", entry), 4U);
  }
}

TEST(TelemetryCorpus, OfMappingsBreaksNoPromise) {
  EXPECT_GE(for_each_seed("tests/fuzz/corpus/replay_mapping", replay_mapping), 2U);
  EXPECT_GE(for_each_seed("scenarios/telemetry", replay_mapping), 4U);
}

// What a reader might trip over: bytes that end where something was about to come.
TEST(TelemetryCorpus, BreaksNoPromiseWhereverItIsCut) {
  const std::string whole =
      "1\nvllm:spec_decode_num_drafts{a=\"\\\"b\"} 1 2 # {}\n\x1b[1m\x1b[[2026-01-01 00:00:00 DP0 "
      "TP0] "
      "Decode batch #running-req: 1, accept len: 2.0, accept rate: \n1.02.003.004 I draft "
      "acceptance "
      "= 0.5 ( 1 accepted / 2 generated), mean len = 1. rate per position = (0.5,\nINFO 01-01 "
      "00:00:00 Engine 0: SpecDecoding metrics: Mean acceptance length: 1e9, Accepted: 1, Drafted: "
      "2, Per-position acceptance rate: 0.1, ,\n[] [\n";
  for (const auto format : {TelemetryFormat::prometheus, TelemetryFormat::vllm_log,
                            TelemetryFormat::sglang_log, TelemetryFormat::llama_cpp_log})
    for (std::size_t end = 0; end <= whole.size(); ++end)
      telemetry(format, std::string_view(whole).substr(0, end));
}

}  // namespace
}  // namespace specroute::fuzz
