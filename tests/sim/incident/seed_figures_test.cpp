// The seed's figures, as the scenarios declare them in `expect`: tolerances stand beside the
// scenario, and the program exits with 1 where one is missed.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace specroute {
namespace {

int run(const std::string& scenario, const std::string& arguments) {
  const std::string command = "'" SPECROUTE_BINARY "' run '" SPECROUTE_SOURCE_DIR "/scenarios/" +
                              scenario + ".json' " + arguments;
  return std::system(command.c_str());
}

TEST(SeedFigures, OfTheIncidentComeOutUnderEveryGate) {
  EXPECT_EQ(run("incident-2026-11-06", "--seeds 3"), 0);
}
TEST(SeedFigures, OfAGenuineGain) {
  EXPECT_EQ(run("genuine-gain", "--seeds 3"), 0);
}
TEST(SeedFigures, OfABenignSpike) {
  EXPECT_EQ(run("benign-spike", "--seeds 3"), 0);
}
TEST(SeedFigures, OfABenignSpikeFromAFlatDraft) {
  EXPECT_EQ(run("benign-spike-flat-draft", "--seeds 3"), 0);
}
TEST(SeedFigures, OfVerificationAtBind) {
  EXPECT_EQ(run("verify-at-bind", "--seeds 1"), 0);
}
TEST(SeedFigures, OfTheLiteralRebind) {
  EXPECT_EQ(run("literal-rebind", "--seeds 3"), 0);
}

// Valgrind is the only tool that sees into libsimgrid.
TEST(SmallRun, IsCleanUnderValgrind) {
  if (std::system("command -v valgrind >/dev/null") != 0) GTEST_SKIP() << "valgrind is not here";
  const std::string command =
      "valgrind --quiet --error-exitcode=9 --trace-children=yes --leak-check=no '" SPECROUTE_BINARY
      "' run '" SPECROUTE_SOURCE_DIR "/tests/sim/incident/tiny.json' --quiet --jobs 1";
  EXPECT_EQ(std::system(command.c_str()), 0);
}

}  // namespace
}  // namespace specroute
