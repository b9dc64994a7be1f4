#include "sim/engine/lane.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "sim/engine/flows.hpp"
#include "sim/engine/platform.hpp"
#include "tests/sim/lane/in_child.hpp"

namespace specroute::sim {
namespace {

using ::testing::HasSubstr;

constexpr EventKind kTick = 1;
constexpr EventKind kAct = 2 | kPlatformBit;
constexpr HostIndex kA{0};
constexpr HostIndex kB{1};

// Two hosts at 1 GB/s without latency: 1e9 bytes take one second.
PlatformPlan two_hosts() {
  const BytesPerSecond nic{1e9};
  return {{{"a", nic, Seconds{0.0}}, {"b", nic, Seconds{0.0}}}, std::nullopt};
}

// Writes down what happens, in order.
struct Scribe {
  Platform platform{two_hosts()};
  Lane lane;
  std::string text;
  std::function<void(const Event&)> then = [](const Event&) {};

  explicit Scribe(LaneOptions options) : lane(platform, options) {}
  void note(const char* what, std::uint32_t object) {
    text += what + std::to_string(object) + "@" + exact(lane.now()) + " ";
  }
  void on_local(const Event& event) {
    note("l", event.object);
    then(event);
  }
  void on_platform(const Event& event) {
    if (platform.engine_clock() != event.date) text += "(late clock) ";
    note("p", event.object);
    then(event);
  }
  std::string finish(RunEnd end) {
    const char* const names[] = {"drained", "stopped", "livelock"};
    return text + names[static_cast<int>(end)] + " at " + exact(platform.engine_clock());
  }
};

class LaneInBothModes : public ::testing::TestWithParam<LaneMode> {
 protected:
  // The text that a scribe has after `setup` and a run.
  static std::string story(const std::function<void(Scribe&)>& setup) {
    return in_child([&] {
      Scribe scribe({.mode = GetParam()});
      setup(scribe);
      return scribe.finish(scribe.lane.run(scribe));
    });
  }
};

INSTANTIATE_TEST_SUITE_P(Lane, LaneInBothModes,
                         ::testing::Values(LaneMode::lockstep, LaneMode::lookahead),
                         [](const auto& mode) {
                           return mode.param == LaneMode::lockstep ? "lockstep" : "lookahead";
                         });

TEST_P(LaneInBothModes, FiresByDateThenByScheduling) {
  EXPECT_EQ(story([](Scribe& s) {
              s.lane.at(Seconds{2.0}, kTick, 0);
              s.lane.at(Seconds{1.0}, kAct, 1);
              s.lane.at(Seconds{1.0}, kTick, 2);
              s.lane.at(Seconds{1.0}, kAct, 3);
              s.lane.at(Seconds{0.0}, kTick, 4);
            }),
            "l4@0 p1@1 l2@1 p3@1 l0@2 drained at 2");
}

TEST_P(LaneInBothModes, RunsAnEventOfTheSameDateAfterThoseAlreadyThere) {
  EXPECT_EQ(story([](Scribe& s) {
              s.then = [&s](const Event& event) {
                if (event.object == 0) s.lane.at(s.lane.now(), kTick, 9);
              };
              s.lane.at(Seconds{1.0}, kTick, 0);
              s.lane.at(Seconds{1.0}, kTick, 1);
              s.lane.at(Seconds{1.0}, kAct, 2);
            }),
            "l0@1 l1@1 p2@1 l9@1 drained at 1");
}

TEST_P(LaneInBothModes, EndsAtZeroWithNothingToDo) {
  EXPECT_EQ(story([](Scribe&) {}), "drained at 0");
}

TEST_P(LaneInBothModes, LeavesTheEnginesClockAtTheLastLocalDate) {
  EXPECT_EQ(story([](Scribe& s) {
              for (std::uint32_t i = 1; i <= 3; ++i) s.lane.at(Seconds{0.7 * i}, kTick, i);
            }),
            "l1@" + exact(Seconds{0.7}) + " l2@" + exact(Seconds{1.4}) + " l3@" +
                exact(Seconds{0.7 * 3}) + " drained at " + exact(Seconds{0.7 * 3}));
}

TEST_P(LaneInBothModes, StopsAfterTheEventsOfItsDate) {
  EXPECT_EQ(story([](Scribe& s) {
              s.lane.at(Seconds{1.0}, kTick, 1);
              s.lane.at(Seconds{2.0}, kTick, 2);
              s.lane.at(Seconds{2.0}, kAct, 3);
              s.lane.at(Seconds{2.5}, kTick, 4);
              s.lane.stop_at(Seconds{2.0});
            }),
            "l1@1 l2@2 p3@2 stopped at 2");
}

TEST_P(LaneInBothModes, StopsBetweenEvents) {
  EXPECT_EQ(story([](Scribe& s) {
              s.lane.at(Seconds{1.0}, kTick, 1);
              s.lane.at(Seconds{4.0}, kAct, 2);
              s.lane.stop_at(Seconds{2.5});
            }),
            "l1@1 stopped at 2.5");
}

TEST_P(LaneInBothModes, StopsFromWithinALocalEvent) {
  EXPECT_EQ(story([](Scribe& s) {
              s.then = [&s](const Event& event) {
                if (event.object == 1) s.lane.stop_at(s.lane.now());
              };
              for (std::uint32_t i = 0; i < 4; ++i) s.lane.at(Seconds{1.0 * i}, kTick, i);
              s.lane.at(Seconds{1.0}, kTick, 7);
            }),
            "l0@0 l1@1 l7@1 stopped at 1");
}

TEST_P(LaneInBothModes, DrainsBeforeADistantStop) {
  EXPECT_EQ(story([](Scribe& s) {
              s.lane.at(Seconds{1.0}, kTick, 1);
              s.lane.stop_at(Seconds{100.0});
            }),
            "l1@1 drained at 1");
}

TEST_P(LaneInBothModes, EndsWithAFlowStillInFlightAtTheStop) {
  EXPECT_EQ(in_child([] {
              Scribe s({.mode = GetParam()});
              Flows flows(s.platform, [&s](FlowTag, FlowEnd) { s.text += "flow "; });
              s.then = [&](const Event&) { (void)flows.start(kA, kB, Bytes{1e9}, 1); };
              s.lane.at(Seconds{1.0}, kAct, 1);  // it would end at 2 s
              s.lane.stop_at(Seconds{1.5});
              return s.finish(s.lane.run(s));
            }),
            "p1@1 stopped at 1.5");
}

TEST_P(LaneInBothModes, RunsItsEventsBeforeAFlowThatEndsAtTheSameDate) {
  EXPECT_EQ(in_child([] {
              Scribe s({.mode = GetParam()});
              Flows flows(s.platform, [&s](FlowTag, FlowEnd) {
                s.note("flow", 0);
                s.lane.at(s.lane.now(), kTick, 3);
              });
              s.then = [&](const Event& event) {
                if (event.object == 1) (void)flows.start(kA, kB, Bytes{1e9}, 1);
              };
              s.lane.at(Seconds{1.0}, kAct, 1);
              s.lane.at(Seconds{2.0}, kTick, 2);
              return s.finish(s.lane.run(s));
            }),
            "p1@1 l2@2 flow0@2 l3@2 drained at 2");
}

// From 0.3 to 1.6 the difference 1.3 is not representable together with its sum: one step would
// land one unit in the last place away from many such dates.
TEST_P(LaneInBothModes, ReachesPlatformDatesExactlyAcrossLongJumps) {
  const std::string text = story([](Scribe& s) {
    double date = 1.0 / 3.0;
    for (std::uint32_t i = 0; i < 200; ++i) {
      s.lane.at(Seconds{date}, kAct, i);
      date = date * (3.1 + 0.01 * i);
      if (date > 1e9) date = 1.0 / (3.0 + i);
    }
  });
  EXPECT_THAT(text, Not(HasSubstr("late clock")));
  EXPECT_THAT(text, HasSubstr("drained"));
}

TEST_P(LaneInBothModes, EndsALivelockWithADiagnosis) {
  const std::string text = in_child([] {
    Scribe s({.mode = GetParam(), .stall_limit = 1000});
    s.then = [&s](const Event& event) { s.lane.at(s.lane.now(), event.kind, event.object); };
    s.lane.at(Seconds{1.5}, kTick, 41);
    s.lane.at(Seconds{1.5}, kAct, 42);
    const RunEnd end = s.lane.run(s);
    return std::to_string(static_cast<int>(end)) + " " + std::to_string(s.lane.fired()) + " " +
           s.lane.diagnosis();
  });
  // The first event advances the date; 1000 more fire without.
  EXPECT_EQ(text,
            "2 1001 livelock: 1000 events at t = 1.500000000 s; the last ones:"
            " [local kind 1, object 41, 8 times] [platform kind 2, object 42, 8 times]");
}

TEST_P(LaneInBothModes, TakesAManyfoldDateForNoLivelock) {
  const std::string text = in_child([] {
    Scribe s({.mode = GetParam(), .stall_limit = 1000});
    for (std::uint32_t i = 0; i < 1001; ++i) s.lane.at(Seconds{1.0}, kTick, i);
    for (std::uint32_t i = 0; i < 1001; ++i) s.lane.at(Seconds{2.0}, kTick, i);
    const RunEnd end = s.lane.run(s);
    return std::to_string(static_cast<int>(end)) + " " + s.lane.diagnosis();
  });
  EXPECT_EQ(text, "0 ");
}

TEST(Lane, SavesRoundsByLookingAhead) {
  const auto rounds = [](LaneMode mode) {
    return std::stoull(in_child([mode] {
      Scribe s({.mode = mode});
      for (std::uint32_t i = 0; i < 1000; ++i) s.lane.at(Seconds{1e-3 * (i + 1)}, kTick, i);
      (void)s.lane.run(s);
      return std::to_string(s.lane.rounds());
    }));
  };
  EXPECT_GE(rounds(LaneMode::lockstep), 1000U);
  EXPECT_LE(rounds(LaneMode::lookahead), 4U);
}

std::string misuse(const std::function<void(Scribe&)>& act) {
  return in_child([&] {
    Scribe s({});
    s.then = [&](const Event&) { act(s); };
    s.lane.at(Seconds{1.0}, kTick, 0);
    return s.finish(s.lane.run(s));
  });
}

TEST(Lane, RefusesDatesInThePastAndNoDates) {
  for (const double date :
       {0.5, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    EXPECT_THAT(misuse([date](Scribe& s) { s.lane.at(Seconds{date}, kTick, 0); }),
                HasSubstr("finite date, not in the past"));
}

TEST(Lane, RefusesThePlatformInALocalEvent) {
  EXPECT_THAT(misuse([](Scribe& s) { s.platform.turn_off(kA); }),
              HasSubstr("touched from platform events only"));
}

TEST(Lane, RefusesASecondRun) {
  EXPECT_THAT(in_child([] {
                Scribe s({});
                (void)s.lane.run(s);
                (void)s.lane.run(s);
                return std::string("ran twice");
              }),
              HasSubstr("a lane runs once"));
}

}  // namespace
}  // namespace specroute::sim
