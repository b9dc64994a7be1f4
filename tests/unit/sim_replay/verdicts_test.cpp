// Decisions over time, cool-downs included.
#include "sim/replay/verdicts.hpp"

#include <gmock/gmock.h>

#include <specroute/router/decision_name.hpp>

#include "tests/unit/sim_replay/replay_text.hpp"

namespace specroute::sim {
namespace {

using testing::ElementsAre;

/// A scrape every 10 s from 100 on, of 400 drafted and 160 accepted tokens each; a restart between
/// two scrapes where `restart_at` says so.
std::string steady(int scrapes, int restart_at = -1) {
  std::string text;
  int count = 0;
  for (int i = 0; i < scrapes; ++i, ++count) {
    if (i == restart_at) count = 0;
    text += scrape(1'000'000'000ULL + static_cast<std::uint64_t>(10 * i), 200 * count, 400 * count,
                   160 * count);
  }
  return text;
}

Play play_of(const Script& script, const std::vector<ReplayGate>& gates) {
  auto play = play_script(script, gates);
  EXPECT_TRUE(play.ok());
  return std::move(play).value();
}

Script steady_script(int scrapes, int restart_at = -1) {
  auto script = write_script(mapping_of(mapping_text()), telemetry_of(steady(scrapes, restart_at)));
  EXPECT_TRUE(script.ok());
  return std::move(script).value();
}

UnixTime first_lock(const Play& play) {
  for (const GateDecision& one : play.decisions)
    if (one.decision.h.type == SRP_LOCK) return one.decision.h.now / kSecond - 1'000'000'000;
  return 0;
}

// cooldown_only locks one cool-down (300 s) after the bind at 0 s; its tick comes between scrapes.
TEST(Replay, TicksWhereADecisionAskedForIt) {
  const Play play = play_of(steady_script(40), {gate_of("cooldown_only")});
  EXPECT_EQ(first_lock(play), 300U);
}

// The counters fall at 155 s' scrape (160 s): a new epoch, and the cool-down starts again there.
TEST(Replay, StartsTheCoolDownAgainWithANewEpoch) {
  const Play play = play_of(steady_script(60, 16), {gate_of("cooldown_only")});
  EXPECT_EQ(first_lock(play), 460U);
}

TEST(Replay, GroupsWindowsAtWhichGatesDiffer) {
  const Script script = steady_script(40);
  const std::vector<ReplayGate> gates = {gate_of("none"), gate_of("cooldown_only")};
  const auto found = differences(script, play_of(script, gates), gates.size());
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0].verdicts, ElementsAre("LOCK", "HOLD"));
  EXPECT_EQ(found[0].from / kSecond, 1'000'000'010U);
  EXPECT_EQ(found[0].to / kSecond, 1'000'000'290U) << "at 300 s both lock";
  EXPECT_EQ(found[0].windows, 29U);
  EXPECT_EQ(found[0].drafted, 29U * 400);
  EXPECT_EQ(found[0].accepted, 29U * 160);
}

TEST(Replay, FindsNoDifferenceOfAGateToItself) {
  const Script script = steady_script(40);
  const std::vector<ReplayGate> gates = {gate_of("validity"), gate_of("validity")};
  EXPECT_TRUE(differences(script, play_of(script, gates), gates.size()).empty());
}

// The pairing served before the other one failed over to it at 150 s.
TEST(Replay, CountsTheFirstDecisionAfterAHandoverFromItsDate) {
  Script script;
  script.handovers.push_back({150 * kSecond, 1, "pairing 2", "pairing 1", true});
  Play play;
  for (const std::uint64_t second : {100, 150, 200}) {
    GateDecision one;
    one.decision.h.now = second * kSecond;
    one.decision.h.pairing = 1;
    one.decision.h.type = SRP_HOLD;
    play.decisions.push_back(one);
  }
  const auto tallies = gate_tallies(script, play, 1);
  ASSERT_NE(tallies[0].first_after[0], nullptr);
  EXPECT_EQ(tallies[0].first_after[0]->decision.h.now, 150 * kSecond);
  script.handovers[0].at = 201 * kSecond;
  EXPECT_EQ(gate_tallies(script, play, 1)[0].first_after[0], nullptr);
}

TEST(Replay, NamesTheGateWhoseConfigurationIsRefused) {
  ReplayGate wrong = gate_of("none");
  wrong.config_json = R"({"gate": "nun"})";
  wrong.label = "mine";
  const auto play = play_script(steady_script(3), {wrong});
  ASSERT_FALSE(play.ok());
  EXPECT_EQ(play.diagnostics()[0].file, "gate mine");
}

}  // namespace
}  // namespace specroute::sim
