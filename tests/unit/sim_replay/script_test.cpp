// Which windows become events of which pairing.
#include "sim/replay/script.hpp"

#include <gmock/gmock.h>

#include "tests/unit/sim_replay/replay_text.hpp"

namespace specroute::sim {
namespace {

using testing::ElementsAre;

Script script_of(const std::string& mapping, const std::string& text,
                 TelemetryFormat format = TelemetryFormat::prometheus,
                 const FileSettings& settings = {}) {
  auto script = write_script(mapping_of(mapping), telemetry_of(text, format, settings));
  EXPECT_TRUE(script.ok()) << (script.ok() ? "" : to_string(script.diagnostics().front()));
  return std::move(script).value();
}

std::vector<int> types_of(const Script& script) {
  std::vector<int> types;
  for (const ScriptEvent& event : script.events) types.push_back(event.record.head().type);
  return types;
}

TEST(ReplayScript, BindsAtTheFirstScrapeAndSendsWindows) {
  const Script script = script_of(mapping_text(R"(, "draft_tokens": 2, "forward": "logits")"),
                                  scrape(100, 10, 20, 9) + scrape(115, 16, 32, 14));
  EXPECT_THAT(types_of(script), ElementsAre(SRP_EV_BIND, SRP_EV_WINDOW));
  const auto& bind = reinterpret_cast<const srp_ev_bind&>(script.events[0].record.head());
  EXPECT_EQ(bind.h.now, 100 * kSecond);
  EXPECT_EQ(bind.forward, SRP_FORWARD_LOGITS);
  EXPECT_EQ(bind.draft_tokens, 2U);
  const srp_ev_window window = windows_of(script).front();
  EXPECT_EQ(window.h.now, 115 * kSecond);
  EXPECT_EQ(window.h.size, sizeof(srp_ev_window));
  EXPECT_EQ(window.h.seq, 2U);
  EXPECT_EQ(window.accepted, 5U);
  EXPECT_EQ(window.draft.backend, 1U);
  EXPECT_EQ(window.target.backend, 2U);
  EXPECT_EQ(window.draft.provenance, SRP_LIVE);
  EXPECT_EQ(window.window_flags, 0U);
}

TEST(ReplayScript, AddsTheEnginesOfOnePairing) {
  const auto both = [](int second, int zero, int one) {
    return scrape(second, zero, 2 * zero, zero, "job=\"vllm\",engine=\"0\"") +
           scrape(second, one, 2 * one, 0, "job=\"vllm\",engine=\"1\"");
  };
  const Script script = script_of(mapping_text(), both(100, 0, 0) + both(110, 10, 20));
  ASSERT_EQ(windows_of(script).size(), 1U);
  EXPECT_EQ(windows_of(script)[0].drafted, 60U);
  EXPECT_EQ(windows_of(script)[0].accepted, 10U);
  EXPECT_EQ(script.windows.claimed, 2U);
  EXPECT_EQ(script.windows.sent, 1U);
}

TEST(ReplayScript, FlagsAResetAndALongGap) {
  const Script script = script_of(
      mapping_text("", R"(, "max_gap_s": 60)"),
      scrape(100, 10, 20, 9) + scrape(115, 1, 2, 1) + scrape(130, 4, 8, 3) + scrape(191, 9, 18, 7));
  const auto windows = windows_of(script);
  ASSERT_EQ(windows.size(), 3U);
  EXPECT_EQ(windows[0].window_flags, SRP_WIN_COUNTER_RESET);
  EXPECT_EQ(windows[0].drafted, 0U);
  EXPECT_EQ(windows[1].window_flags, 0U);
  EXPECT_EQ(windows[2].window_flags, SRP_WIN_STALE) << "61 s";
  ASSERT_EQ(script.epochs.size(), 1U);
  EXPECT_EQ(script.epochs[0].at, 115 * kSecond);
  EXPECT_EQ(script.windows.stale, 1U);
}

TEST(ReplayScript, DerivesCountsOfARatioAndFlagsThem) {
  const std::string text =
      "[2025-10-22 10:27:57 TP0] Decode batch. #running-req: 3, accept len: 1.95, accept rate: "
      "0.49,\n";
  FileSettings settings;
  settings.labels = {{"job", "vllm"}};
  const Script script = script_of(mapping_text(R"(, "draft_tokens": 3)"), text,
                                  TelemetryFormat::sglang_log, settings);
  const auto windows = windows_of(script);
  ASSERT_EQ(windows.size(), 1U);
  EXPECT_EQ(windows[0].window_flags, SRP_WIN_FROM_RATIO);
  EXPECT_EQ(windows[0].drafted, 360U);
  EXPECT_EQ(windows[0].accepted, 114U);
  EXPECT_EQ(script.denominators.at(Denominator::drafted_and_bonus), 1U) << "1.95 / 4 = 0.49";
}

TEST(ReplayScript, FailsWithWhatBecameOfTheWindowsWhereNoneIsLeft) {
  const auto failure = [](const std::string& mapping, const std::string& text) {
    const auto script = write_script(mapping_of(mapping), telemetry_of(text));
    return script ? "" : to_string(script.diagnostics().front());
  };
  EXPECT_EQ(
      failure(mapping_text(), scrape(100, 1, 2, 1)),
      "expected two scrapes, or a log line, of an engine that a pairing of the mapping claims, "
      "found 1 scrapes and 0 windows: 0 unclaimed, 0 outside of service, 0 straddling a "
      "change, 0 implausible, 0 ratios without draft_tokens");
  EXPECT_NE(
      failure(mapping_text(), scrape(100, 1, 2, 1, "job=\"x\"") + scrape(110, 2, 4, 1, "job=\"x\""))
          .find("1 windows: 1 unclaimed"),
      std::string::npos);
}

/// Pairings "a" and "b" on two instances; b takes over at 08:00:20.
const std::string kTwo = R"({"$schema": "s", "profiles": [{"name": "p"}],
  "backends": [{"name": "d1"}, {"name": "t1"}, {"name": "d2"}, {"name": "t2"}],
  "pairings": [{"name": "a", "draft": "d1", "target": "t1", "profile": "p", "match": {"i": "1"}},
               {"name": "b", "draft": "d2", "target": "t2", "profile": "p", "match": {"i": "2"}}],
  "failovers": [{"at": "1970-01-01T00:00:20Z", "from": "a", "to": "b"}]REST})";

std::string two(const std::string& rest = "") {
  std::string text = kTwo;
  return text.replace(text.find("REST"), 4, rest);
}

std::string both_at(std::initializer_list<int> seconds) {
  std::string text;
  for (const int second : seconds)
    text += scrape(static_cast<std::uint64_t>(second), second, 2 * second, second, "i=\"1\"") +
            scrape(static_cast<std::uint64_t>(second), second, 2 * second, second, "i=\"2\"");
  return text;
}

TEST(ReplayScript, PutsAFailOverBeforeItsUnbindBeforeItsBind) {
  const Script script = script_of(two(), both_at({5, 15, 20, 30}));
  EXPECT_THAT(types_of(script),
              ElementsAre(SRP_EV_BIND, SRP_EV_WINDOW, SRP_EV_WINDOW, SRP_EV_FAILOVER, SRP_EV_UNBIND,
                          SRP_EV_BIND, SRP_EV_WINDOW));
  const auto& failover = reinterpret_cast<const srp_ev_failover&>(script.events[3].record.head());
  EXPECT_EQ(failover.from_backend, 2U);
  EXPECT_EQ(failover.to_backend, 4U);
  EXPECT_EQ(failover.from_pairing, 1U);
  EXPECT_EQ(failover.h.pairing, 2U);
  EXPECT_EQ(script.windows.outside, 3U) << "b's two before, and a's one after";
  ASSERT_EQ(script.handovers.size(), 1U);
  EXPECT_EQ(script.handovers[0].to, "b");
}

TEST(ReplayScript, LeavesOutAWindowThatBeganBeforeItsBind) {
  const Script script = script_of(two(), both_at({5, 15, 25, 35}));
  EXPECT_EQ(script.windows.straddling, 2U) << "15 to 25, of both engines";
  ASSERT_EQ(windows_of(script).size(), 2U);
  EXPECT_EQ(windows_of(script)[1].from, 25 * kSecond);
}

TEST(ReplayScript, NeverUsesThePairingsIdTwice) {
  const Script script =
      script_of(two(R"(, "rebinds": [{"at": "1970-01-01T00:00:40Z", "from": "b", "to": "a"}])"),
                both_at({5, 20, 40, 60}));
  EXPECT_EQ(script.pairing_names.at(1), "a");
  EXPECT_EQ(script.pairing_names.at(2), "b");
  EXPECT_EQ(script.pairing_names.at(3), "a#2");
  EXPECT_EQ(windows_of(script).back().h.pairing, 3U);
  EXPECT_FALSE(script.handovers[1].failover);
}

TEST(ReplayScript, SendsChangesOfParametersAndLeavesOutWindowsOverThem) {
  const Script script =
      script_of(two(R"(, "sampling_changes": [{"at": "1970-01-01T00:00:10Z", "backend": "d1",
                                     "sampling": {"temperature": 0}}])"),
                both_at({5, 10, 15}));
  EXPECT_THAT(types_of(script),
              ElementsAre(SRP_EV_BIND, SRP_EV_WINDOW, SRP_EV_SAMPLING, SRP_EV_WINDOW,
                          SRP_EV_FAILOVER, SRP_EV_UNBIND, SRP_EV_BIND));
  EXPECT_EQ(windows_of(script)[0].draft.known & SRP_FP_PARAMS, 0U);
  EXPECT_NE(windows_of(script)[1].draft.known & SRP_FP_PARAMS, 0U);
  const Script over =
      script_of(two(R"(, "sampling_changes": [{"at": "1970-01-01T00:00:12Z", "backend": "d1",
                                     "sampling": {"temperature": 0}}])"),
                both_at({5, 10, 15}));
  EXPECT_EQ(over.windows.straddling, 1U);
}

TEST(ReplayScript, RefusesOrdersThatCannotBe) {
  const auto script = write_script(
      mapping_of(two(R"(, "rebinds": [{"at": "1970-01-01T00:00:30Z", "from": "a", "to": "b"}])")),
      telemetry_of(both_at({5, 15})));
  ASSERT_FALSE(script.ok());
  EXPECT_EQ(to_string(script.diagnostics()[0]),
            "/rebinds/0/from: expected a pairing that serves at that date, found \"a\"");
}

TEST(ReplayScript, RefusesAnEngineThatTwoPairingsClaimAtOneTime) {
  std::string text = mapping_text();
  const std::string second =
      R"({"name": "beta", "draft": "target", "target": "draft", "profile": "p", "match": {"job": "vllm"}}, )";
  text.insert(text.find("{\"name\": \"alpha\""), second);
  const auto script = write_script(mapping_of(text), telemetry_of(scrape(1'000'000'000, 1, 2, 1) +
                                                                  scrape(1'000'000'010, 2, 4, 2)));
  ASSERT_FALSE(script.ok());
  EXPECT_EQ(
      to_string(script.diagnostics()[0]),
      "/pairings/1/match: expected labels that tell its engines from those of \"beta\", found "
      "{instance=\"f\", job=\"vllm\"} in both at 2001-09-09T01:46:50Z");
}

}  // namespace
}  // namespace specroute::sim
