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

}  // namespace
}  // namespace specroute::sim
