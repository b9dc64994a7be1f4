// Every scenario of the catalogue keeps its own `expect`, as `specroute run` judges it. Those of
// the incident take long and have a test of their own (tests/sim/incident).
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace specroute {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> catalogue() {
  const std::set<std::string> elsewhere = {"incident-2026-11-06", "literal-rebind",
                                           "benign-spike",        "benign-spike-flat-draft",
                                           "genuine-gain",        "verify-at-bind"};
  std::set<std::string> names;
  for (const auto& file : fs::directory_iterator(SPECROUTE_SOURCE_DIR "/scenarios"))
    if (file.path().extension() == ".json") names.insert(file.path().stem());
  for (const std::string& name : elsewhere) names.erase(name);
  return {names.begin(), names.end()};
}

class Catalogue : public testing::TestWithParam<std::string> {};

TEST_P(Catalogue, KeepsItsExpectations) {
  const std::string command = "'" SPECROUTE_BINARY "' run '" SPECROUTE_SOURCE_DIR "/scenarios/" +
                              GetParam() + ".json' --seeds 2 --quiet";
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
}

INSTANTIATE_TEST_SUITE_P(Scenarios, Catalogue, testing::ValuesIn(catalogue()), [](const auto& one) {
  std::string name = one.param;
  for (char& letter : name)
    if (letter == '-') letter = '_';
  return name;
});

}  // namespace
}  // namespace specroute
