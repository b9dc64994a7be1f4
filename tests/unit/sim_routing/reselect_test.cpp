// Re-selection: every period an unlocked pairing takes the draft measured best for its target.
#include <gtest/gtest.h>

#include "tests/unit/sim_routing/scripted_world.hpp"

namespace specroute::sim {
namespace {

/// `validity` never locks without a fail-over, so nothing but measurement governs.
struct Measuring : ScriptedWorld {
  explicit Measuring(const std::string& config = R"({"gate": "validity"})")
      : ScriptedWorld(small_fleet(), config) {}

  void reselect(double date) {
    at(Seconds{date}, [this] { control.on_reselect(now); });
  }
};

/// A world whose target was once served by each of its drafts, and now by the spare one.
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

// `none` locks the pairing at its first window, for 300 s.
TEST(Reselection, IsSuspendedByALock) {
  Measuring world(R"({"gate": "none"})");
  measure_both(world, 500, 300);
  world.reselect(3.5);
  world.run_until(Seconds{4.0});
  EXPECT_EQ(world.draft_of(kTarget), kSpareDraft);
}

TEST(Reselection, ResumesWhenTheLockHasEnded) {
  Measuring world(R"({"gate": "none", "cool_down_s": 2})");
  measure_both(world, 500, 300);
  world.at(Seconds{3.0}, [&] { world.telemetry = false; });  // nothing renews the lock
  world.reselect(3.2);
  world.run_until(Seconds{3.3});
  EXPECT_EQ(world.draft_of(kTarget), kSpareDraft);
  world.reselect(6.0);
  world.run_until(Seconds{6.5});
  EXPECT_EQ(world.draft_of(kTarget), kDraft);
}

// Windows of a rejected pairing go on to arrive until the re-bind commits, and rank nowhere: the
// stale draft's 0.94 does not bring it back.
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

}  // namespace
}  // namespace specroute::sim
