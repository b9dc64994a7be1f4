// The bytes of a whole run, through the program: equal to those committed, on any CPU, in both
// modes of the lane, with any number of processes. UPDATE_GOLDEN=1 rewrites them.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

namespace specroute {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path(SPECROUTE_SOURCE_DIR) / "tests/golden";
const char* const kFiles[] = {"summary.json", "decisions.jsonl", "timeseries.csv"};
using Files = std::map<std::string, std::string>;

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// Runs the small scenario and returns what it wrote. `environment` goes before the command.
Files run(const std::string& name, const std::string& environment, const std::string& arguments) {
  const fs::path out = fs::temp_directory_path() / ("specroute-golden-" + name);
  fs::remove_all(out);
  const std::string command = environment + " '" SPECROUTE_BINARY "' run '" +
                              (kFolder / "small-run.json").string() +
                              "' --seeds 2 --quiet --out '" + out.string() + "' " + arguments;
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  Files files;
  for (const char* file : kFiles) files[file] = read(out / file);
  fs::remove_all(out);
  return files;
}

void expect_golden(const Files& files) {
  for (const auto& [file, text] : files)
    EXPECT_EQ(text, read(kFolder / "small-run" / file)) << file;
}

TEST(GoldenRun, WritesTheCommittedBytes) {
  const Files files = run("plain", "", "--jobs 1");
  if (std::getenv("UPDATE_GOLDEN") != nullptr) {
    fs::create_directories(kFolder / "small-run");
    for (const auto& [file, text] : files)
      std::ofstream(kFolder / "small-run" / file, std::ios::binary) << text;
  }
  expect_golden(files);
}

TEST(GoldenRun, WritesThemWithTwoProcesses) {
  expect_golden(run("jobs", "", "--jobs 2"));
}

TEST(GoldenRun, WritesThemInLockstep) {
  expect_golden(run("lockstep", "", "--lockstep"));
}

// glibc chooses exp, log and their kin by the CPU; without FMA and AVX2 it chooses others, and
// whoever called them would now print other bits.
TEST(GoldenRun, WritesThemOnACpuWithoutFmaAndAvx2) {
  expect_golden(run("tunables", "GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA,-AVX2,-AVX2_Usable", ""));
}

// A golden file never stands alone: what it says must also hold together.
TEST(GoldenRun, ConservesRequestsInWhatIsCommitted) {
  const auto summary = nlohmann::json::parse(read(kFolder / "small-run/summary.json"));
  for (const auto& [gate, metrics] : summary.at("gates").items()) {
    for (std::size_t seed = 0; seed < 2; ++seed) {
      const auto value = [&](const char* name) {
        return metrics.at(name).at("per_seed").at(seed).get<double>();
      };
      EXPECT_EQ(value("requests.arrived"),
                value("completions") + value("requests.timed_out") + value("requests.rejected") +
                    value("requests.failed") + value("requests.unfinished"))
          << gate;
      EXPECT_LE(value("degraded_completions"), value("completions")) << gate;
      const double littles = value("requests.arrivals_per_s") * value("requests.sojourn_mean_ms");
      EXPECT_NEAR(value("requests.in_system_mean"), littles / 1e3, 1e-9 * littles) << gate;
      EXPECT_GE(value("loop_completions") + value("schema_violations"),
                value("degraded_completions"))
          << gate;
    }
  }
}

}  // namespace
}  // namespace specroute
