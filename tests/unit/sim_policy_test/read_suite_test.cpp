#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "sim/records/date_text.hpp"
#include "tests/unit/scratch_folder.hpp"
#include "tests/unit/sim_policy_test/suite_text.hpp"

namespace specroute::sim {
namespace {

const std::string kNone = R"({"gate": "none"})";

/// "DATE TYPE PAIRING" of each event.
std::string events_of(const std::string& members) {
  const PolicySuite suite = suite_of(suite_about(kNone, members + R"(, "exactly": true)"));
  std::string text;
  for (const TimedEvent& event : suite.tests.at(0).events) {
    const srp_record& head = event.record.head();
    text += seconds_text(head.now) + ' ' + std::to_string(head.type) + ' ' +
            std::to_string(head.pairing) + '\n';
  }
  return text;
}

const srp_ev_window& window_of(const TimedEvent& event) {
  EXPECT_EQ(event.record.head().type, SRP_EV_WINDOW);
  return reinterpret_cast<const srp_ev_window&>(event.record.head());
}

TEST(ReadSuite, WritesWindowsOutAsTheirPairingSays) {
  const PolicySuite suite = suite_of(suite_about(
      kNone,
      R"("input": [{"type": "window", "pairing": "pair", "accepted": "410+1x2", "draft": {"parameters": "stale"}}],
         "exactly": true)"));
  ASSERT_EQ(suite.tests.at(0).events.size(), 3U);
  EXPECT_EQ(suite.tests.at(0).given, 1U);
  const srp_ev_window& window = window_of(suite.tests[0].events[2]);
  EXPECT_EQ(window.h.now, 20'000'000'000U);
  EXPECT_EQ(window.from, 10'000'000'000U);
  EXPECT_EQ(window.to, 20'000'000'000U);
  EXPECT_EQ(window.drafted, 1000U);
  EXPECT_EQ(window.accepted, 411U);
  EXPECT_EQ(window.draft.backend, 2U);
  EXPECT_EQ(window.target.backend, 3U);
  EXPECT_EQ(window.target.provenance, SRP_LIVE);
  EXPECT_EQ(window.profile.id, 1U);
  EXPECT_EQ(window.profile.required_v1, window.target.params_v1);
  EXPECT_NE(window.draft.params_v1, window.target.params_v1);
  EXPECT_NE(window.draft.params_v2, window.target.params_v2);
}

TEST(ReadSuite, AsksTheModuleForTheHashesOfParameters) {
  const PolicySuite suite = suite_of(suite_about(
      kNone,
      R"("parameters": {"wanted": {"temperature": 0.7, "top_p": 0.95, "seed": 42, "grammar": "json-v1"}},
                "input": [{"type": "window", "pairing": "pair", "accepted": 1}], "exactly": true)"));
  // The seed's params_hash(0.7, 0.95, 42, "json-v1").
  EXPECT_EQ(window_of(suite.tests.at(0).events.at(1)).target.params_v1, 0x60b4daf1243ef008U);
}

TEST(ReadSuite, KnowsNoParametersWhereNoneAreGiven) {
  const PolicySuite suite = suite_of(suite_about(kNone, R"("sides": {"draft": {"backend": 2}},
                "input": [{"type": "window", "pairing": "pair", "accepted": 1}], "exactly": true)"));
  const srp_ev_window& window = window_of(suite.tests.at(0).events.at(1));
  EXPECT_EQ(window.draft.known & SRP_FP_PARAMS, 0U);
  EXPECT_EQ(window.target.known & SRP_FP_PARAMS, std::uint32_t{SRP_FP_PARAMS});
}

TEST(ReadSuite, GoesOnFromTheEventBefore) {
  EXPECT_EQ(events_of(R"("interval_s": 2.5, "input": [
                {"type": "window", "pairing": "pair", "accepted": "1 _ 1"},
                {"type": "unbind", "pairing": "pair"},
                {"at_s": 9, "type": "health", "side": "target", "requests": "1x2", "every_s": 0.5}])"),
            "0 2 1\n2.5 4 1\n7.5 4 1\n7.5 3 1\n9 7 0\n9.5 7 0\n");
}

TEST(ReadSuite, BeginsAtStartWhereNothingCameBefore) {
  EXPECT_EQ(events_of(R"("given": [], "start_s": 3,
                "input": [{"type": "window", "pairing": "pair", "accepted": 1}])"),
            "3 4 1\n");
}

TEST(ReadSuite, MergesWhatIsSentTogetherByDate) {
  const std::string two = R"("pairings": {"pair": {"draft": "draft", "target": "target"},
                                          "next": {"id": 9, "draft": "draft", "target": "target"}}, )";
  EXPECT_EQ(events_of(two + R"("input": [{"together": [
                {"type": "window", "pairing": "pair", "accepted": "1x2"},
                {"at_s": 15, "type": "window", "pairing": ["next", "pair"], "accepted": 1}]},
                {"type": "tick"}])"),
            "0 2 1\n10 4 1\n15 4 9\n15 4 1\n20 4 1\n20 10 0\n");
}

TEST(ReadSuite, TellsWhichEventGoesBackInTime) {
  EXPECT_EQ(
      suite_faults(suite_about(kNone, R"("exactly": true, "input": [{"at_s": 10, "type": "tick"},
{"at_s": 9.5, "type": "tick"}])")),
      "t.json: /tests/0/input/1/at_s (8:2): expected a date that does not fall: 10 s or later, "
      "the date of the event before, found 9.5\n");
}

TEST(ReadSuite, TellsAllNamesThatAreMisspelt) {
  const std::string faults = suite_faults(suite_about(
      R"({"gate": "validty"})",
      R"("input": [{"type": "window", "pairing": "pairs", "accepted": "1x2y", "draft": {"parameters": "stael"}},
                   {"type": "health", "side": "targets", "requests": 1}],
         "expect": [{"type": "lock", "reason": "genuine_gian", "profile": "chad"}])"));
  for (const char* nearest :
       {"did you mean \"validity\"?", "did you mean \"pair\"?", "did you mean \"target\"?",
        "did you mean \"genuine_gain\"?", "did you mean \"chat\"?", "found \"1x2y\""})
    EXPECT_NE(faults.find(nearest), std::string::npos) << nearest << " in\n" << faults;
  EXPECT_NE(
      suite_faults(
          suite_about(kNone, R"("exactly": true, "input": [{"type": "window", "pairing": "pair",
                                       "accepted": 1, "draft": {"parameters": "stael"}}])"))
          .find("did you mean \"stale\"?"),
      std::string::npos);
}

TEST(ReadSuite, TellsOfKeysThatAnEventOfItsTypeDoesNotHave) {
  EXPECT_EQ(
      suite_faults(suite_about(
          kNone, R"("exactly": true, "input": [{"type": "tick", "accepted": 3, "acepted": 3}])")),
      "t.json: /tests/0/input/0/accepted (7:72): expected no such key where \"type\" is "
      "\"tick\", found 3\n"
      "t.json: /tests/0/input/0/acepted (7:87): found an unknown key; did you mean "
      "\"accepted\"?\n");
}

TEST(ReadSuite, WantsSeriesOfOneEntryToBeOfOneLength) {
  EXPECT_NE(
      suite_faults(
          suite_about(kNone, R"("exactly": true, "input": [{"type": "window", "pairing": "pair",
                                       "drafted": "10x3", "accepted": "1x2"}])"))
          .find("a series as long as the others of this entry: 3"),
      std::string::npos);
}

TEST(ReadSuite, RefusesDatesThatNoClockReaches) {
  EXPECT_NE(suite_faults(suite_about(kNone, R"("exactly": true, "interval_s": 1000000,
                       "input": [{"type": "window", "pairing": "pair", "accepted": "1x10002"}])"))
                .find("dates up to 10000000000 s"),
            std::string::npos);
}

TEST(ReadSuite, WantsATestThatCanFail) {
  EXPECT_NE(suite_faults(suite_about(kNone, R"("input": [{"type": "tick"}])"))
                .find("a test that can fail"),
            std::string::npos);
}

TEST(ReadSuite, WantsNamesThatDiffer) {
  std::string text = suite_about(kNone, R"("input": [{"type": "tick"}], "exactly": true)");
  const std::string one = text.substr(text.find("{\"name\""));
  text.replace(text.rfind("]}"), 2, ", " + one);
  EXPECT_NE(suite_faults(text).find("/tests/1/name"), std::string::npos);
}

TEST(ReadSuite, WantsPairingsWithAnIdOfTheirOwn) {
  EXPECT_NE(suite_faults(
                suite_about(
                    kNone, R"("pairings": {"next": {"id": 1, "draft": "draft", "target": "target"}},
                                       "input": [{"type": "tick"}], "exactly": true)"))
                .find("an id that \"pair\" does not have: 1, found 1"),
            std::string::npos);
}

TEST(ReadSuite, PlacesAFaultOfTheConfigurationWhereItsKeyStands) {
  const std::string faults = suite_faults(
      suite_about(R"({"gate": "none", "cool_down_s": 0})",
                  R"("config": {"retry_s": 1}, "input": [{"type": "tick"}], "exactly": true)"));
  EXPECT_NE(faults.find("/config/cool_down_s (1:"), std::string::npos) << faults;
  EXPECT_NE(faults.find("/tests/0/config/retry_s (7:"), std::string::npos) << faults;
}

TEST(ReadSuite, MergesTheConfigurationOfATest) {
  const PolicySuite suite = suite_of(suite_about(
      R"({"gate": "sprt", "error_rate": 0.02, "retry_s": 3})",
      R"("config": {"error_rate": null, "retry_s": 4}, "input": [{"type": "tick"}], "exactly": true)"));
  EXPECT_EQ(suite.tests.at(0).config_json, R"({"gate":"sprt","retry_s":4})");
}

TEST(ReadSuite, ReadsAConfigurationFromBesideTheFile) {
  const ScratchFolder scratch;
  const auto folder = scratch.path();
  std::ofstream(folder / "gate.json") << R"({"gate": "nonee"})";
  std::string text = suite_about(kNone, R"("input": [{"type": "tick"}], "exactly": true)");
  text.replace(text.find("\"config\": " + kNone), 10 + kNone.size(),
               "\"config_file\": \"gate.json\"");
  const std::string file = (folder / "t.json").string();
  const auto refused = parse_suite(text, file, built_in());
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.diagnostics().front().file, (folder / "gate.json").string());
  std::filesystem::remove(folder / "gate.json");
  const auto missing = parse_suite(text, file, built_in());
  ASSERT_FALSE(missing.ok());
  const std::string words = to_string(missing.diagnostics().front());
  EXPECT_EQ(words.find(file + ": /config_file ("), 0U) << words;
  EXPECT_NE(words.find("gate.json\": no such file"), std::string::npos) << words;
  std::ofstream(folder / "gate.json") << R"({"gate": "sprt"})";
  const auto taken = parse_suite(text, file, built_in());
  ASSERT_TRUE(taken.ok());
  EXPECT_EQ(taken.value().tests.at(0).config_json, R"({"gate":"sprt"})");
}

}  // namespace
}  // namespace specroute::sim
