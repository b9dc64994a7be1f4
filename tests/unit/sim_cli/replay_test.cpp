// `specroute replay` as people run it: the commands of docs/replay.md, and what is refused.
#include <sstream>

#include <gmock/gmock.h>

#include "tests/unit/sim_cli/cli_fixture.hpp"

namespace specroute::sim {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const std::string kSamples = SPECROUTE_SOURCE_DIR "/scenarios/telemetry/";

class ReplayCli : public Cli {
 protected:
  [[nodiscard]] std::vector<std::string> words(std::vector<std::string> more = {}) const {
    std::vector<std::string> all = {"replay",
                                    "--map",
                                    kSamples + "mapping.json",
                                    kSamples + "h100-03.prom",
                                    kSamples + "h100-07.prom",
                                    kSamples + "h100-11.log"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  /// A file beside the directory under test.
  [[nodiscard]] std::string file(const std::string& end, const std::string& text) const {
    const std::string path = root_.string() + end;
    std::ofstream(path) << text;
    return path;
  }
};

TEST_F(ReplayCli, ShowsDecisionsDifferencesAndReading) {
  const Outcome outcome = run(words());
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, StartsWith("The incident of 2026-11-06, as its engines told it\n"));
  EXPECT_THAT(outcome.out, HasSubstr("  none      LOCK after 23.0 s: first_judged_window\n"));
  EXPECT_THAT(outcome.out, HasSubstr("  validity  REBIND after 23.0 s: unattributable_spike\n"));
  EXPECT_THAT(outcome.out, HasSubstr("h100-11.log: 18: expected accepted tokens"));
  EXPECT_THAT(outcome.out, HasSubstr("h100-11.log     vllm_log (found)"));
  EXPECT_THAT(outcome.out, HasSubstr("new epoch 2026-11-06T08:18:03Z"));
}

TEST_F(ReplayCli, IsTheDocumentedOutput) {
  const std::string page = text_of(SPECROUTE_SOURCE_DIR "/docs/replay.md");
  EXPECT_THAT(page, HasSubstr(run(words()).out));
}

TEST_F(ReplayCli, WritesTheSameBytesTwiceAndNoPaths) {
  ASSERT_EQ(run(words({"--out", in("a"), "--quiet"})).code, 0);
  ASSERT_EQ(run(words({"--out", in("b")})).code, 0);
  for (const char* name : {"summary.json", "decisions.jsonl", "report.txt", "manifest.json"}) {
    const std::string text = text_of(root_ / "a" / name);
    EXPECT_EQ(text, text_of(root_ / "b" / name)) << name;
    EXPECT_FALSE(text.empty()) << name;
    EXPECT_EQ(text.find(SPECROUTE_SOURCE_DIR), std::string::npos) << name;
  }
  EXPECT_EQ(run(words({"--out", in("a")})).code, 2) << "not without --force";
  EXPECT_EQ(run(words({"--out", in("a"), "--force", "--quiet"})).code, 0);
}

TEST_F(ReplayCli, WritesOneLinePerDecisionByDate) {
  ASSERT_EQ(run(words({"--out", in("a"), "--quiet"})).code, 0);
  std::stringstream lines(text_of(root_ / "a" / "decisions.jsonl"));
  std::string last;
  int rebinds = 0;
  for (std::string line; std::getline(lines, line);) {
    const auto at = line.find("\"at\":\"");
    ASSERT_NE(at, std::string::npos);
    const std::string date = line.substr(at + 6, 20);
    EXPECT_LE(last, date);
    last = date;
    if (line.find("\"type\":\"rebind\"") != std::string::npos) ++rebinds;
  }
  EXPECT_EQ(rebinds, 31);
}

TEST_F(ReplayCli, GivesTheSummaryAloneToStandardOutput) {
  const Outcome outcome = run(words({"--json", "-"}));
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, StartsWith("{\n  \"schema\": \"specroute-replay/1\""));
  EXPECT_THAT(outcome.out, HasSubstr("\"kind\": \"failover\""));
}

TEST_F(ReplayCli, TakesGatesByNameAndFromAFile) {
  const std::string gates =
      file(".gates.json", R"({"short": {"gate": "cooldown_only", "cool_down_s": 60}})");
  const Outcome outcome = run(words({"--gate", "ewma,cusum", "--gates", gates}));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const char* label : {"\newma ", "\ncusum ", "\nshort "})
    EXPECT_THAT(outcome.out, HasSubstr(label));
}

TEST_F(ReplayCli, FailsOnBadLinesOnlyWhereThatIsAskedFor) {
  const Outcome outcome = run(words({"--strict", "--out", in("a")}));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("nothing was written: 1 bad lines, and --strict"));
  EXPECT_FALSE(fs::exists(root_ / "a"));
}

TEST_F(ReplayCli, ToldTheWrongFormatFindsNothing) {
  const Outcome outcome = run(words({"--format", "sglang_log"}));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("h100-03.prom: expected lines of the format sglang_log, as "
                                     "was said, found none; it looks like prometheus\n"));
  EXPECT_THAT(outcome.err, HasSubstr("h100-11.log: expected"));
  EXPECT_EQ(outcome.err.find("mapping.json"), std::string::npos) << outcome.err;
}

TEST_F(ReplayCli, RefusesEverythingAtOnce) {
  const std::string mapping = file(".map.json", R"({"$schema": "s"})");
  const std::string gates = file(".gates.json", R"({"mine": {"gate": "validity", "colour": 1}})");
  const Outcome outcome = run({"replay", "--map", mapping, "--gate", "validty", "--gates", gates,
                               in("absent.prom"), "--out", in("a")});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("/backends (1:1): "));
  EXPECT_THAT(outcome.err, HasSubstr("did you mean \"validity\"?"));
  EXPECT_THAT(outcome.err, HasSubstr(gates + ": /mine"));
  EXPECT_THAT(outcome.err, HasSubstr("absent.prom: expected a file that can be read"));
  EXPECT_FALSE(fs::exists(root_ / "a"));
}

TEST_F(ReplayCli, AsksForAMappingUnlessEventsAreOurOwn) {
  const Outcome outcome = run({"replay", kSamples + "h100-03.prom"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("h100-03.prom: expected --map MAPPING.json"));
  const std::string events = file(
      ".jsonl",
      R"({"type": "bind", "now_s": 1, "pairing": 1, "profile": 1, "draft": {"backend": 1}, "target": {"backend": 2}}
{"type": "window", "now_s": 2, "pairing": 1, "profile": 1, "draft": {"backend": 1}, "target": {"backend": 2}, "from_s": 1, "to_s": 2, "drafted": 400, "accepted": 200}
)");
  const Outcome own = run({"replay", events});
  EXPECT_EQ(own.code, 0) << own.err;
  EXPECT_THAT(own.out, HasSubstr("events (found)"));
}

/// A bind or a window of a pairing at a second, as a router records it.
std::string recorded(const char* type, int second, int pairing) {
  const std::string now = std::to_string(second);
  const std::string window =
      R"(, "from_s": )" + now + R"(, "to_s": )" + now + R"(, "drafted": 400, "accepted": 200)";
  return std::string(R"({"type": ")") + type + R"(", "now_s": )" + now + R"(, "pairing": )" +
         std::to_string(pairing) +
         R"(, "profile": 1, "draft": {"backend": 1}, "target": {"backend": 2})" +
         (std::string(type) == "window" ? window : "") + "}\n";
}

TEST_F(ReplayCli, NamesEveryEventThatAGateAnswersWithAnError) {
  const std::string events = file(".jsonl", recorded("bind", 1, 1) + recorded("bind", 2, 1) +
                                                recorded("bind", 3, 2) + recorded("window", 4, 2));
  const std::string gates = file(".gates.json", R"({"g": {"gate": "none", "max_pairings": 1}})");
  const Outcome outcome = run({"replay", events, "--gates", gates, "--out", in("a")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::string name = fs::path(events).filename().string();
  EXPECT_THAT(outcome.out, HasSubstr("\n\ng: SRP_E_STATE to the bind of 1970-01-01T00:00:02Z (" +
                                     name + ": 2)\n"));
  EXPECT_THAT(outcome.out, HasSubstr("\ng: SRP_E_FULL to the bind of 1970-01-01T00:00:03Z (" +
                                     name + ": 3), which was applied; an older entry went\n"));
  const std::string lines = text_of(root_ / "a" / "decisions.jsonl");
  EXPECT_THAT(
      lines,
      HasSubstr(
          R"({"label":"g","at":"1970-01-01T00:00:02Z","pairing_name":"pairing 1","file":")" + name +
          R"(","place":"2","type":"error","event":"bind","seq":2,"status":"SRP_E_STATE","applied":false})"));
  EXPECT_THAT(
      lines,
      HasSubstr(
          R"("place":"3","type":"error","event":"bind","seq":3,"status":"SRP_E_FULL","applied":true})"));
  const std::string summary = text_of(root_ / "a" / "summary.json");
  EXPECT_THAT(summary, HasSubstr("\"refused_events\": 1,"));
  EXPECT_THAT(summary, HasSubstr("\"full_table_events\": 1,"));
}

TEST_F(ReplayCli, ShowsFiveErrorsOfAGateAndCountsTheRest) {
  std::string text = recorded("window", 0, 1);
  for (int second = 1; second <= 8; ++second) text += recorded("bind", second, 1);
  const Outcome outcome = run({"replay", file(".jsonl", text), "--gate", "none"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("none: 2 more such events, in decisions.jsonl\n"));
}

}  // namespace
}  // namespace specroute::sim
