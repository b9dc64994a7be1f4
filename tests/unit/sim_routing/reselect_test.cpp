// Re-selection: every period an unlocked pairing takes the draft measured best
// for its target.
#include <gtest/gtest.h>

#include <utility>

#include "tests/unit/sim_routing/scripted_world.hpp"

namespace specroute::sim {
namespace {

/// `validity` never locks without a fail-over, so nothing but measurement
/// governs.
struct Measuring : ScriptedWorld {
  explicit Measuring(const std::string& config = R"({"gate": "validity"})",
                     Scenario fleet = small_fleet())
      : ScriptedWorld(std::move(fleet), config) {}

  void reselect(double date) {
    at(Seconds{date}, [this] { control.on_reselect(now); });
  }
};

/// A world whose target was once served by each of its drafts, and now by the
/// spare one.
void measure_both(Measuring& world, std::uint64_t first, std::uint64_t second) {
  world.acceptance[{kTarget, kDraft}] = first;
  world.acceptance[{kTarget, kSpareDraft}] = second;
  world.reselect(0.99);  // closes the period in which the first was measured
  world.crash(kDraft, Seconds{1.0});
  world.run_until(Seconds{1.5});
  ASSERT_EQ(world.draft_of(kTarget), kSpareDraft);
  world.restart(kDraft, Seconds{2.0});
  world.run_until(Seconds{3.0});
}

TEST(Reselection, TakesTheHighestMeasuredAcceptance) {
  Measuring world;
  measure_both(world, 500, 300);
  world.reselect(3.5);
  world.run_until(Seconds{4.0});
  EXPECT_EQ(world.draft_of(kTarget), kDraft);
  EXPECT_EQ(world.control.pairing(world.control.serving(kTarget)).cause, BindCause::reselect);
}

TEST(Reselection, StaysWhereTheDraftInUseIsAsGood) {
  Measuring world;
  measure_both(world, 300, 300);
  world.reselect(3.5);
  world.run_until(Seconds{4.0});
  EXPECT_EQ(world.draft_of(kTarget), kSpareDraft);
}

TEST(Reselection, NeverTakesADraftThatWasNotMeasured) {
  Measuring world;
  world.acceptance[{kTarget, kDraft}] = 10;
  for (double date : {1.0, 2.0, 3.0}) world.reselect(date);
  world.run_until(Seconds{4.0});
  EXPECT_EQ(world.draft_of(kTarget), kDraft);
  EXPECT_EQ(world.bound.size(), 1U);
}

// `cooldown_only` locks the pairing of 1.36 s from 3.36 s to 5.36 s; before, it
// is free, so without the lock the first re-selection here would go back to
// draft 0.
constexpr const char* kLocking = R"({"gate": "cooldown_only", "cool_down_s": 2})";

TEST(Reselection, IsSuspendedByALock) {
  Measuring world(kLocking);
  measure_both(world, 500, 300);
  world.reselect(3.5);
  world.run_until(Seconds{4.0});
  ASSERT_EQ(world.said(SRP_LOCK).size(), 1U);
  EXPECT_EQ(world.draft_of(kTarget), kSpareDraft);
}

/// The second target serves too, so that the first may be spared.
Scenario with_another_pairing() {
  Scenario s = small_fleet();
  s.backends[kStandby.index()].standby = false;
  s.backends.push_back(small_backend("third draft", Role::draft));
  s.pairings.push_back({kStandby, BackendId{4}});
  return s;
}

// Draft 2 is measured between 2.5 s, when a first quarantine ends and before the pairing is locked
// again, and dies; draft 3, which is worse, serves when the second quarantine comes.
TEST(Reselection, IsSuspendedByAQuarantine) {
  Measuring world(R"({"gate": "error_breaker", "quarantine_s": 1, "probe_requests": 10})",
                  with_another_pairing());
  world.acceptance[{kTarget, kDraft}] = 500;
  world.acceptance[{kTarget, kSpareDraft}] = 300;
  const auto fail_ten = [&world] {
    world.control.on_health(kTarget, {.tries = 10, .errors = 10, .timeouts = 0}, world.now);
  };
  world.at(Seconds{1.5}, fail_ten);
  world.reselect(3.5);  // closes the period in which draft 2 was measured
  world.crash(kDraft, Seconds{3.6});
  world.restart(kDraft, Seconds{4.5});
  world.run_until(Seconds{5.0});
  ASSERT_EQ(world.draft_of(kTarget), kSpareDraft);
  world.at(Seconds{5.1}, fail_ten);
  world.reselect(5.5);
  world.run_until(Seconds{5.6});
  ASSERT_EQ(world.said(SRP_QUARANTINE).size(), 2U);
  EXPECT_EQ(world.draft_of(kTarget), kSpareDraft);
  world.reselect(6.5);
  world.run_until(Seconds{7.0});
  EXPECT_EQ(world.draft_of(kTarget), kDraft) << "it ended at 6.1 s";
}

TEST(Reselection, ResumesWhenTheLockHasEnded) {
  Measuring world(kLocking);
  measure_both(world, 500, 300);
  world.run_until(Seconds{3.5});
  world.telemetry = false;  // nothing renews the lock
  world.reselect(6.0);
  world.run_until(Seconds{6.5});
  EXPECT_EQ(world.draft_of(kTarget), kDraft);
}

// Windows of a rejected pairing go on to arrive until the re-bind commits, and
// rank nowhere: the stale draft's 0.94 does not bring it back.
TEST(Reselection, NeverReturnsToARejectedDraft) {
  Scenario s = small_fleet();
  s.router.command_transport = Seconds{0.5};  // many windows between rejection and commit
  ScriptedWorld world(s, R"({"gate": "hash_only", "cool_down_s": 1})");
  Sampling stale = s.profiles[0].sampling;
  stale.temperature = 0.0;
  world.at(Seconds{1.0}, [&] { world.override_sampling(kDraft, stale); });
  for (double date = 0.5; date < 20.0; date += 0.5)
    world.at(Seconds{date}, [&] { world.control.on_reselect(world.now); });
  world.run_until(Seconds{1.5});
  ASSERT_EQ(world.said(SRP_REBIND).size(), 1U);
  world.run_until(Seconds{3.0});
  EXPECT_EQ(world.draft_of(kTarget), kSpareDraft);
  world.telemetry = false;  // so that no lock is renewed and re-selection is free
  world.run_until(Seconds{20.0});
  EXPECT_EQ(world.draft_of(kTarget), kSpareDraft);
  EXPECT_EQ(world.bound.size(), 2U);
}

// A rejection that finds no candidate leaves the pairing as it is. What it measures from then on
// ranks nowhere, even after its draft died, returned, and would be free to take.
TEST(Reselection, DiscardsWhatARejectedPairingGoesOnToMeasure) {
  ScriptedWorld world(small_fleet(), R"({"gate": "hash_only", "cool_down_s": 1})");
  Sampling stale = small_fleet().profiles[0].sampling;
  stale.temperature = 0.0;
  world.override_sampling(kSpareDraft, stale);  // fails the verification that the policy asks for
  world.at(Seconds{2.0}, [&] { world.override_sampling(kDraft, stale); });
  world.at(Seconds{3.0}, [&] { world.control.on_reselect(world.now); });
  world.at(Seconds{3.2}, [&] { world.clear_override(kSpareDraft); });
  world.crash(kDraft, Seconds{4.0});
  world.restart(kDraft, Seconds{5.0});
  world.at(Seconds{5.2}, [&] { world.telemetry = false; });  // the lock of draft 1 runs out
  world.at(Seconds{6.5}, [&] { world.control.on_reselect(world.now); });
  world.run_until(Seconds{3.5});
  ASSERT_EQ(world.said(SRP_REBIND).size(), 1U);
  ASSERT_EQ(world.draft_of(kTarget), kDraft);
  world.run_until(Seconds{8.0});
  EXPECT_EQ(world.draft_of(kTarget), kSpareDraft);
}

}  // namespace
}  // namespace specroute::sim
