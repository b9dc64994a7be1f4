// Black-box tests of `specroute policy`.
#include <algorithm>

#include "tests/unit/sim_cli/cli_fixture.hpp"

namespace specroute::sim {
namespace {

const std::string kShippedTests = SPECROUTE_SOURCE_DIR "/tests/policy";

class PolicyCli : public Cli {
 protected:
  [[nodiscard]] std::string written(const std::string& name, const std::string& text) const {
    std::ofstream(in(name)) << text;
    return in(name);
  }
  /// A copy of the shipped tests of a gate, with one text replaced wherever it stands.
  [[nodiscard]] std::string edited(const std::string& gate, const std::string& old_text,
                                   const std::string& new_text) const {
    std::string text = text_of(kShippedTests + "/" + gate + ".policy-test.json");
    std::size_t at = text.find(old_text);
    EXPECT_NE(at, std::string::npos);
    for (; at != std::string::npos; at = text.find(old_text, at + new_text.size()))
      text.replace(at, old_text.size(), new_text);
    return written("edited.json", text);
  }
};

TEST_F(PolicyCli, RunsTheShippedTests) {
  const Outcome outcome = run({"policy", "test", kShippedTests});
  EXPECT_EQ(outcome.code, 0) << outcome.err << outcome.out;
  EXPECT_EQ(outcome.err, "");
  EXPECT_NE(outcome.out.find("/validity.policy-test.json: 4 passed, 0 failed\n"),
            std::string::npos);
  EXPECT_TRUE(outcome.out.ends_with(" passed, 0 failed\n"));
  EXPECT_LT(outcome.out.find("/bandit.policy"), outcome.out.find("/none.policy"));
}

TEST_F(PolicyCli, ExitsWith1WhereATestFailsAndShowsWhy) {
  const std::string path = edited("delta_only", R"({"gate": "delta_only"})",
                                  R"({"gate": "delta_only", "delta_threshold": 0.6})");
  const Outcome outcome = run({"policy", "test", path});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.err, "");
  for (const char* part :
       {"FAIL \"rejects the spike of a stale draft\"\n", "    event     event ",
        "    expected  {\"at_s\":110,\"type\":\"rebind\"", "    got       {\"type\":\"lock\"",
        "    explain   delta_only: LOCK pairing 2", "1 passed, 2 failed\n"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << " in\n" << outcome.out;
}

TEST_F(PolicyCli, NoticesAWrongGateAndAShortCoolDown) {
  EXPECT_EQ(
      run({"policy", "test", edited("validity", R"("gate": "validity")", R"("gate": "none")")})
          .code,
      1);
  EXPECT_EQ(run({"policy", "test",
                 edited("cooldown_only", R"({"gate": "cooldown_only"})",
                        R"({"gate": "cooldown_only", "cool_down_s": 0.001})")})
                .code,
            1);
}

TEST_F(PolicyCli, ExitsWith2OnBadFilesAndRunsNone) {
  const std::string good = kShippedTests + "/none.policy-test.json";
  const std::string bad = written("bad.json", R"({"tests": [{"namex": "x"}]})");
  const Outcome outcome =
      run({"policy", "test", good, bad, in("missing.json"), "--junit", in("j.xml")});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("did you mean \"name\"?"), std::string::npos);
  EXPECT_NE(outcome.err.find("missing.json: expected a file that can be read"), std::string::npos);
  EXPECT_FALSE(fs::exists(in("j.xml")));
  fs::create_directories(in("empty"));
  EXPECT_EQ(run({"policy", "test", in("empty")}).code, 2);
  EXPECT_EQ(run({"policy", "test"}).code, 2);
  EXPECT_EQ(run({"policy"}).code, 2);
  EXPECT_EQ(run({"policy", "test", good, "--filter", "no such name"}).code, 2);
  EXPECT_EQ(run({"policy", "test", good, "--junit", in("none") + "/j.xml"}).code, 2);
}

TEST_F(PolicyCli, RunsNoTestWhereItsResultsHaveNoPlace) {
  const std::string good = kShippedTests + "/none.policy-test.json";
  for (const char* option : {"--json", "--junit"}) {
    const Outcome outcome = run({"policy", "test", good, option, in("none") + "/r"});
    EXPECT_EQ(outcome.code, 2) << option;
    EXPECT_EQ(outcome.out, "") << "it ran the tests first";
    EXPECT_NE(outcome.err.find("none/r: expected a file in a directory that exists, found none\n"),
              std::string::npos)
        << outcome.err;
  }
  const Outcome folder = run({"policy", "test", good, "--junit", root_.string()});
  EXPECT_EQ(folder.code, 2);
  EXPECT_NE(folder.err.find("expected the name of a file, found a directory\n"), std::string::npos);
}

TEST_F(PolicyCli, ExitsWith2WhereItsResultsCannotBeWritten) {
  const std::string good = kShippedTests + "/none.policy-test.json";
  const Outcome outcome = run({"policy", "test", good, "--json", "/dev/full"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("/dev/full: expected "), std::string::npos) << outcome.err;
}

TEST_F(PolicyCli, ReplacesALinksFileAndLeavesTheLink) {
  const std::string good = kShippedTests + "/none.policy-test.json";
  const std::string file = written("real.xml", "old");
  fs::create_symlink(file, in("link.xml"));
  EXPECT_EQ(run({"policy", "test", good, "--junit", in("link.xml")}).code, 0);
  EXPECT_TRUE(fs::is_symlink(in("link.xml")));
  EXPECT_EQ(text_of(file).find("<?xml"), 0U);
}

TEST_F(PolicyCli, RunsNothingWhereItsResultsCannotBeWritten) {
  const std::string good = kShippedTests + "/none.policy-test.json";
  const Outcome outcome = run({"policy", "test", good, in("missing.json"), "--json",
                               in("none") + "/j.json", "--junit", in("none") + "/j.xml"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.out, "");
  for (const char* part : {"missing.json: expected a file", "none/j.json", "none/j.xml"})
    EXPECT_NE(outcome.err.find(part), std::string::npos) << part << " in\n" << outcome.err;
  const Outcome alone = run({"policy", "test", good, "--junit", in("none") + "/j.xml"});
  EXPECT_EQ(alone.code, 2);
  EXPECT_EQ(alone.out, "");
  EXPECT_EQ(run({"policy", "test", good, "--junit", "/dev/full"}).code, 2);
}

TEST_F(PolicyCli, RunsTheTestsThatAFilterNames) {
  const Outcome outcome = run({"policy", "test", kShippedTests, "--filter", "top-k 1"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(outcome.out.ends_with("\n2 passed, 0 failed\n")) << outcome.out;
}

TEST_F(PolicyCli, WritesJsonAndJUnit) {
  const std::string file = kShippedTests + "/none.policy-test.json";
  const Outcome outcome = run({"policy", "test", file, "--json"});
  EXPECT_EQ(outcome.out.find("{\n  \"schema\": \"specroute-policy-tests/1\",\n  \"passed\": 3,\n"),
            0U);
  EXPECT_EQ(
      run({"policy", "test", file, "--quiet", "--junit", in("j.xml"), "--json", in("j.json")}).out,
      "");
  EXPECT_NE(text_of(in("j.xml")).find("<testsuites tests=\"3\" failures=\"0\">"),
            std::string::npos);
  EXPECT_EQ(text_of(in("j.json")), outcome.out);
}

TEST_F(PolicyCli, ValidatesConfigurations) {
  const std::string good = written("good.json", R"({"gate": "validity"})");
  const Outcome valid = run({"policy", "validate", good});
  EXPECT_EQ(valid.code, 0);
  EXPECT_EQ(valid.out, good + ": valid\n");
  EXPECT_EQ(run({"policy", "validate", good, "--quiet"}).out, "");
}

TEST_F(PolicyCli, TellsAllFaultsOfAllConfigurations) {
  const std::string one = written("one.json", R"({"gate": "validty"})");
  const std::string good = written("good.json", R"({"gate": "validity"})");
  const std::string two = written("two.json", R"({"gate": "none", "retry_s": 1, "mode": "off"})");
  const std::string scenario = SPECROUTE_SOURCE_DIR "/scenarios/frozen-seed.json";
  const Outcome outcome = run({"policy", "validate", one, good, two, in("missing.json"), scenario});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.out, good + ": valid\n");
  for (const char* part :
       {"one.json: /gate (1:2)", "did you mean \"validity\"?", "two.json: /mode (1:32)",
        "two.json: /retry_s (1:18)", "missing.json: expected a file",
        "found a scenario: `specroute validate FILE`"})
    EXPECT_NE(outcome.err.find(part), std::string::npos) << part << " in\n" << outcome.err;
  EXPECT_EQ(run({"policy", "validate"}).code, 2);
}

TEST_F(PolicyCli, PrintsTheSchemaAndTheGates) {
  const Outcome schema = run({"policy", "validate", "--print-schema"});
  EXPECT_EQ(schema.code, 0);
  EXPECT_EQ(schema.out.find("{\n  \"$schema\": \"http://json-schema.org/draft-07/schema#\""), 0U);
  const Outcome list = run({"policy", "validate", "--list"});
  EXPECT_EQ(std::count(list.out.begin(), list.out.end(), '\n'), 18);
  EXPECT_EQ(list.out.find("none: rewards whatever is measured"), 0U);
}

}  // namespace
}  // namespace specroute::sim
