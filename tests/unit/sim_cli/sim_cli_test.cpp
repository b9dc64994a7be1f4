// Black-box tests of the built program: what it prints, leaves behind, and exits with.
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <sstream>
#include <thread>

#include "tests/unit/sim_cli/cli_fixture.hpp"

namespace specroute::sim {
namespace {

const std::string kSmall = SPECROUTE_SOURCE_DIR "/tests/unit/sim_cli/small.json";

/// With a copy of the small scenario where one text is replaced.
class RunCli : public Cli {
 protected:
  /// A copy of the small scenario with one text replaced.
  [[nodiscard]] std::string edited(const std::string& old_text, const std::string& new_text) const {
    std::string text = text_of(kSmall);
    const std::size_t place = text.find(old_text);
    EXPECT_NE(place, std::string::npos);
    text.replace(place, old_text.size(), new_text);
    const std::string path = root_.string() + ".json";
    std::ofstream(path) << text;
    return path;
  }
};

TEST_F(RunCli, RunsAScenarioAndPrintsATable) {
  const Outcome outcome = run({"run", kSmall});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_NE(outcome.out.find("excess degraded"), std::string::npos);
  EXPECT_NE(outcome.out.find("pass     validity: rebinds"), std::string::npos);
}

TEST_F(RunCli, KeepsItsTablesWithin120Columns) {
  const Outcome outcome = run({"run", kSmall, "--seeds", "2"});
  std::stringstream lines(outcome.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 124U) << line;
}

// A report that reached nobody is no success, whatever was asked for.
TEST_F(RunCli, FailsWhereStandardOutputIsFull) {
  const std::string catalogue = SPECROUTE_SOURCE_DIR "/scenarios";
  for (const std::string& asked :
       {std::string("gates"), "list " + catalogue, std::string("version"),
        std::string("make-trace --requests 3"), "run --json - " + kSmall}) {
    std::string command = SPECROUTE_BINARY " ";
    command.append(asked).append(" > /dev/full 2> ").append(in("err"));
    const int status = std::system(command.c_str());
    EXPECT_EQ(WEXITSTATUS(status), 2) << asked;
    EXPECT_NE(text_of(in("err")).find("standard output: expected room"), std::string::npos)
        << asked;
  }
}

TEST_F(RunCli, WritesTheSameBytesTwice) {
  const std::vector<std::string> names = {"summary.json", "decisions.jsonl", "timeseries.csv",
                                          "requests.csv", "scenario.json",   "manifest.json"};
  ASSERT_EQ(run({"run", kSmall, "--seeds", "2", "--requests", "--out", in("a")}).code, 0);
  ASSERT_EQ(
      run({"run", kSmall, "--seeds", "2", "--requests", "--out", in("b"), "--jobs", "1"}).code, 0);
  for (const auto& name : names) {
    EXPECT_EQ(text_of(root_ / "a" / name), text_of(root_ / "b" / name)) << name;
    EXPECT_NE(text_of(root_ / "a" / name), "") << name;
  }
  EXPECT_TRUE(fs::exists(root_ / "a" / "timing.json"));
}

TEST_F(RunCli, PutsNoPathIntoTheManifest) {
  ASSERT_EQ(run({"run", kSmall, "--out", in("a")}).code, 0);
  EXPECT_EQ(text_of(root_ / "a" / "manifest.json").find(fs::path(kSmall).parent_path().string()),
            std::string::npos);
  EXPECT_EQ(text_of(root_ / "a" / "manifest.json").find(root_.string()), std::string::npos);
}

TEST_F(RunCli, PrintsTheSummaryAloneWhereAsked) {
  for (const std::vector<std::string>& flag :
       {std::vector<std::string>{"--json"}, std::vector<std::string>{"--json", "-"}}) {
    std::vector<std::string> words = {"run", kSmall, "--seed", "4", "--gates", "none"};
    words.insert(words.end(), flag.begin(), flag.end());
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out.find("{\n  \"schema\": \"specroute-summary/1\""), 0U);
    EXPECT_NE(outcome.out.find("\"seeds\": [4]"), std::string::npos);
    EXPECT_EQ(outcome.out.find("\"validity\": {"), std::string::npos);
  }
}

TEST_F(RunCli, GivesTheSameSummaryToAFile) {
  ASSERT_EQ(run({"run", kSmall, "--json", in("s.json"), "--out", in("a"), "--quiet"}).out, "");
  EXPECT_EQ(text_of(in("s.json")), text_of(root_ / "a" / "summary.json"));
}

TEST_F(RunCli, ExitsWith1WhereAnExpectationFails) {
  const Outcome outcome = run({"run", edited("\"min\": 0.8", "\"min\": 0.99"), "--out", in("a")});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.out.find("FAIL     none: acceptance_after_failover"), std::string::npos);
  EXPECT_NE(outcome.err.find("1 of 3 expectations failed"), std::string::npos);
  EXPECT_TRUE(fs::exists(root_ / "a" / "summary.json"));
}

TEST_F(RunCli, ExitsWith2OnBadUsageAndWritesNothing) {
  const std::string out = in("a");
  const std::vector<std::vector<std::string>> wrong = {
      {},
      {"fly"},
      {"run"},
      {"run", in("missing.json"), "--out", out},
      {"run", kSmall, "--gate", "vality", "--out", out},
      {"run", kSmall, "--seeds", "0", "--out", out},
      {"run", kSmall, "--seeds", "1.5", "--out", out},
      {"run", kSmall, "--seeds", "many", "--out", out},
      {"run", kSmall, "--seed", "-1", "--out", out},
      {"run", kSmall, "--seed", "18446744073709551616", "--out", out},
      {"run", kSmall, "--seed", "1", "--seeds", "2", "--out", out},
      {"run", kSmall, "--jobs", "0", "--out", out},
      {"run", kSmall, "--timeout-s", "-1", "--out", out},
      {"run", kSmall, "--timeout-s", "nan", "--out", out},
      {"make-trace", "--requests", "0", "--out", out},
      {"make-trace", "--rate-per-s", "nan", "--out", out},
      {"make-trace", "--gap-cv", "-nan", "--out", out},
      {"make-trace", "--mean-prompt-tokens", "NaN", "--out", out},
      {"make-trace", "--mean-output-tokens", "inf", "--out", out},
      {"run", kSmall, "--no-such-flag", "--out", out},
      {"run", kSmall, "--out", kSmall + "/out"},
      {"run", kSmall, "--out", ""},
      {"run", kSmall, "--json", in("none") + "/s.json", "--out", out},
      {"validate"},
      {"validate", kSmall, in("missing.json")},
      {"list", in("missing")},
  };
  for (const auto& words : wrong) {
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 2) << testing::PrintToString(words) << outcome.err;
    EXPECT_NE(outcome.err, "") << testing::PrintToString(words);
    EXPECT_TRUE(fs::is_empty(root_)) << testing::PrintToString(words);
  }
}

TEST_F(RunCli, NamesTheNearestGate) {
  EXPECT_NE(run({"run", kSmall, "--gates", "none,vality"}).err.find("did you mean \"validity\"?"),
            std::string::npos);
}

TEST_F(RunCli, NamesTheNearestSubcommandOptionAndChoice) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"rnu", kSmall}, "found \"rnu\"; did you mean \"run\"?"},
      {{"policy", "tset", kSmall}, "found \"tset\"; did you mean \"test\"?"},
      {{"run", "--sed", "3", kSmall}, "found an unknown option --sed; did you mean \"--seed\"?"},
      {{"make-trace", "--format", "mooncak"}, "did you mean \"mooncake\"?"},
      {{"replay", kSmall, "--format", "vllm_lgo"}, "did you mean \"vllm_log\"?"}};
  for (const auto& [words, part] : cases) {
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find(part), std::string::npos) << part << " in\n" << outcome.err;
  }
}

TEST_F(RunCli, RefusesAnExistingDirectoryUnlessForced) {
  ASSERT_EQ(run({"run", kSmall, "--out", in("a"), "--gates", "none"}).code, 0);
  const std::string before = text_of(root_ / "a" / "summary.json");
  EXPECT_EQ(run({"run", kSmall, "--out", in("a"), "--gates", "validity"}).code, 2);
  EXPECT_EQ(text_of(root_ / "a" / "summary.json"), before);
  EXPECT_EQ(run({"run", kSmall, "--out", in("a"), "--gates", "validity", "--force"}).code, 0);
  EXPECT_NE(text_of(root_ / "a" / "summary.json"), before);
}

TEST_F(RunCli, ExitsWith3WhereAReplicationTakesTooLong) {
  const Outcome outcome = run({"run", edited("\"horizon_s\": 6", "\"horizon_s\": 1000000"), "--out",
                               in("a"), "--timeout-s", "0.5", "--gates", "none"});
  EXPECT_EQ(outcome.code, 3) << outcome.err;
  EXPECT_NE(outcome.err.find("gate none, seed 1"), std::string::npos);
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(fs::is_empty(root_));
}

TEST_F(RunCli, LeavesNothingBehindWhenKilled) {
  const pid_t pid = start({"run", edited("\"horizon_s\": 6", "\"horizon_s\": 1000000"), "--out",
                           in("a"), "--gates", "none"});
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  int status = 0;
  EXPECT_EQ(waitpid(pid, &status, WNOHANG), 0) << "it still runs";
  kill(pid, SIGKILL);
  waitpid(pid, &status, 0);
  EXPECT_TRUE(fs::is_empty(root_));
}

TEST_F(RunCli, ValidatesWithoutSimulating) {
  const Outcome outcome = run({"validate", kSmall});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out, kSmall + ": valid\n");
}

TEST_F(RunCli, ListsTheScenariosOfADirectory) {
  const Outcome outcome = run({"list", fs::path(kSmall).parent_path().string()});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out,
            "small: A small fail-over\n  Does the command line work end to end?\n"
            "  It does if the table has a row for each gate.\n");
}

TEST_F(RunCli, SaysWhatItIsAndWhatItHas) {
  EXPECT_NE(run({"--version"}).out.find("SimGrid 3."), std::string::npos);
  EXPECT_EQ(run({"version"}).out, run({"--version"}).out);
  EXPECT_NE(run({"gates"}).out.find("params_hash\n"), std::string::npos);
  EXPECT_NE(run({"devices"}).out.find("A10G-24"), std::string::npos);
  EXPECT_EQ(run({"--help"}).code, 0);
}

}  // namespace
}  // namespace specroute::sim
