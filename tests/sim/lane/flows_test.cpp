#include "sim/engine/flows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>

#include "sim/engine/lane.hpp"
#include "sim/engine/platform.hpp"
#include "tests/sim/lane/in_child.hpp"

namespace specroute::sim {
namespace {

using ::testing::HasSubstr;

constexpr HostIndex kA{0};
constexpr HostIndex kB{1};
constexpr HostIndex kC{2};
constexpr BytesPerSecond kHundredGigabit{12.5e9};

PlatformPlan three_hosts(BytesPerSecond nic, Seconds latency) {
  return {{{"a", nic, latency}, {"b", nic, latency}, {"c", nic, latency}}, std::nullopt};
}

// A script of platform actions at dates; flow ends are written down as "tag:done@date ".
class Stage {
 public:
  using Action = std::function<void(Stage&)>;

  explicit Stage(const PlatformPlan& plan)
      : platform(plan), lane(platform), flows(platform, [this](FlowTag tag, FlowEnd end) {
          text += std::to_string(tag) + (end == FlowEnd::done ? ":done@" : ":failed@") +
                  exact(lane.now()) + " ";
          if (lane.now() != platform.engine_clock()) text += "(clocks differ) ";
          if (on_end) on_end(tag);
        }) {}

  void at(double date, Action action) {
    lane.at(Seconds{date}, kPlatformBit, static_cast<std::uint32_t>(script_.size()));
    script_.push_back(std::move(action));
  }
  void start(HostIndex from, HostIndex to, double bytes, FlowTag tag) {
    if (!flows.start(from, to, Bytes{bytes}, tag)) text += std::to_string(tag) + ":refused ";
  }
  void on_local(const Event&) {}
  void on_platform(const Event& event) { script_[event.object](*this); }
  std::string run() {
    (void)lane.run(*this);
    if (flows.in_flight() != 0) text += "(some never ended) ";
    return text;
  }

  Platform platform;
  Lane lane;
  Flows flows;
  std::string text;
  std::function<void(FlowTag)> on_end;

 private:
  std::vector<Action> script_;
};

std::string play(const PlatformPlan& plan, const std::function<void(Stage&)>& direct) {
  return in_child([&] {
    Stage stage(plan);
    direct(stage);
    return stage.run();
  });
}

// 1e9 B / 12.5e9 B/s = 0.08 s, and 2 x 5 us of latency.
TEST(Flows, TakeLatencyPlusSizeOverBandwidth) {
  EXPECT_EQ(play(three_hosts(kHundredGigabit, Seconds{5e-6}),
                 [](Stage& s) { s.at(0.0, [](Stage& t) { t.start(kA, kB, 1e9, 7); }); }),
            "7:done@" + exact(Seconds{0.080010}) + " ");
}

TEST(Flows, AgreeWithMessageTimeOnAnIdleNetwork) {
  const PlatformPlan plan{{{"a", BytesPerSecond{12.5e9}, Seconds{5e-6}},
                           {"b", BytesPerSecond{3.125e9}, Seconds{50e-6}},
                           {"c", BytesPerSecond{50e9}, Seconds{1e-3}}},
                          BackbonePlan{BytesPerSecond{6e9}, Seconds{2e-6}, true}};
  const std::string report = in_child([&] {
    Stage s(plan);
    double date = 1.0;
    std::map<FlowTag, double> due;
    for (const auto& [from, to] : {std::pair{kA, kB}, {kB, kC}, {kC, kA}, {kA, kC}})
      for (const double bytes : {1.0, 3e6, 2e9}) {
        const FlowTag tag = due.size();
        due[tag] = date + s.platform.message_time(from, to, Bytes{bytes}).count();
        s.at(date, [=](Stage& t) { t.start(from, to, bytes, tag); });
        date += 10.0;
      }
    s.on_end = [&](FlowTag tag) {
      // The dates are near 100 s, where doubles are 1.4e-14 s apart.
      if (std::abs(s.lane.now().count() - due[tag]) < 1e-12) due.erase(tag);
    };
    (void)s.run();
    return std::to_string(due.size()) + " of 12 differ";
  });
  EXPECT_EQ(report, "0 of 12 differ");
}

TEST(Platform, LooksUpRoutes) {
  const PlatformPlan plan{
      {{"a", BytesPerSecond{10e9}, Seconds{5e-6}}, {"b", BytesPerSecond{4e9}, Seconds{7e-6}}},
      BackbonePlan{BytesPerSecond{6e9}, Seconds{1e-6}, false}};
  EXPECT_EQ(in_child([&] {
              const Platform p(plan);
              EXPECT_EQ(p.host_count(), 2U);
              return exact(p.route_latency(kA, kB)) + " " +
                     std::to_string(p.route_bandwidth(kB, kA).value()) + " " +
                     exact(p.message_time(kA, kB, Bytes{8e9})) + " " +
                     exact(p.message_time(kA, kA, Bytes{8e9}));
            }),
            exact(Seconds{5e-6 + 7e-6 + 1e-6}) + " 4000000000.000000 " +
                exact(Seconds{5e-6 + 7e-6 + 1e-6 + 2.0}) + " 0");
}

// Two flows into one NIC of 1 GB/s get half each; the shorter, 0.5e9 B, ends at 1 s; the longer has
// 0.5e9 B left then, and the NIC for itself: it ends at 1.5 s. The opposite direction is free.
TEST(Flows, ShareANicByDirection) {
  EXPECT_EQ(play(three_hosts(BytesPerSecond{1e9}, Seconds{0.0}),
                 [](Stage& s) {
                   s.at(0.0, [](Stage& t) {
                     t.start(kA, kC, 1e9, 1);
                     t.start(kB, kC, 0.5e9, 2);
                     t.start(kC, kA, 0.75e9, 3);
                   });
                 }),
            "3:done@0.75 2:done@1 1:done@1.5 ");
}

// Path latencies of 20 us and 1.01 ms: shares in inverse proportion would be 50 : 1. With equal
// shares both move 1e9 B in 2 s, but for the latencies.
TEST(Flows, ShareEquallyWhateverTheirLatency) {
  const BytesPerSecond nic{1e9};
  const PlatformPlan plan{
      {{"a", nic, Seconds{10e-6}}, {"b", nic, Seconds{1e-3}}, {"c", nic, Seconds{10e-6}}},
      std::nullopt};
  // a starts alone for 990 us, which b gets back at the end: a ends at 20 us + (2 - 990 us) s.
  EXPECT_EQ(in_child([&] {
              Stage s(plan);
              std::map<FlowTag, double> ended;
              s.on_end = [&](FlowTag tag) { ended[tag] = s.lane.now().count(); };
              s.at(0.0, [](Stage& t) {
                t.start(kA, kC, 1e9, 1);
                t.start(kB, kC, 1e9, 2);
              });
              (void)s.run();
              EXPECT_NEAR(ended[1], 20e-6 + 2.0 - 990e-6, 1e-9);
              EXPECT_NEAR(ended[2], 20e-6 + 2.0, 1e-9);
              return std::string(::testing::Test::HasFailure() ? "unequal" : "equal");
            }),
            "equal");
}

// Backbone of 1 GB/s: contended, two disjoint flows of 1e9 B take 2 s; else 1 s each.
TEST(Flows, ContendForTheBackboneIfItIsContended) {
  for (const bool contended : {true, false}) {
    auto plan = three_hosts(BytesPerSecond{4e9}, Seconds{0.0});
    plan.backbone = BackbonePlan{BytesPerSecond{1e9}, Seconds{0.0}, contended};
    EXPECT_EQ(play(plan,
                   [](Stage& s) {
                     s.at(0.0, [](Stage& t) {
                       t.start(kA, kB, 1e9, 1);
                       t.start(kC, kA, 1e9, 2);
                     });
                   }),
              contended ? "1:done@2 2:done@2 " : "1:done@1 2:done@1 ");
  }
}

/// Racks r1 (a, b, and c on b's node) and r2 (d, e), NICs and links of 1 GB/s.
PlatformPlan two_racks(std::uint32_t uplinks) {
  const BytesPerSecond link{1e9};
  PlatformPlan plan;
  for (const char* name : {"a", "b", "c", "d", "e"})
    plan.hosts.push_back({name, link, Seconds{0.0}, {}, *name < 'd' ? "r1" : "r2"});
  plan.hosts[1].node = plan.hosts[2].node = "n";
  plan.tree = TreePlan{uplinks, link};
  return plan;
}

// Two flows of 1e9 B from one rack to the other share its uplink, or take one each.
TEST(Tree, SharesTheUplinksOfARack) {
  for (const std::uint32_t uplinks : {1U, 2U})
    EXPECT_EQ(play(two_racks(uplinks),
                   [](Stage& s) {
                     s.at(0.0, [](Stage& t) {
                       t.start(kA, HostIndex{3}, 1e9, 1);
                       t.start(kB, HostIndex{4}, 1e9, 2);
                     });
                   }),
              uplinks == 1 ? "1:done@2 2:done@2 " : "1:done@1 2:done@1 ");
}

// Within a rack only NICs are in the way; b and c are on one node and share its NIC.
TEST(Tree, HasNoContentionWithinARackButForNics) {
  EXPECT_EQ(play(two_racks(1),
                 [](Stage& s) {
                   s.at(0.0, [](Stage& t) {
                     t.start(kA, kB, 1e9, 1);
                     t.start(HostIndex{3}, HostIndex{4}, 1e9, 2);
                   });
                   s.at(5.0, [](Stage& t) {
                     t.start(kB, kA, 0.5e9, 3);
                     t.start(kC, HostIndex{3}, 0.5e9, 4);
                   });
                 }),
            "1:done@1 2:done@1 4:done@6 3:done@6 ");
}

TEST(Tree, CutsANodesHostsOffTogether) {
  EXPECT_EQ(in_child([&] {
              Stage s(two_racks(1));
              s.at(0.0, [](Stage& t) {
                t.start(kB, HostIndex{3}, 1e9, 1);
                t.platform.cut_link(kC);
                t.text += t.platform.is_linked(kB) ? "b linked " : "b cut ";
                t.platform.restore_link(kB);
                t.text += t.platform.is_linked(kC) ? "c linked " : "c cut ";
              });
              return s.run();
            }),
            "b cut c linked 1:failed@0 ");
}

PlatformPlan slow_hosts() {
  return three_hosts(BytesPerSecond{1e9}, Seconds{0.0});
}

TEST(Flows, FailAtOnceWithTheirHostAndOnlyThen) {
  EXPECT_EQ(play(slow_hosts(),
                 [](Stage& s) {
                   s.at(0.0, [](Stage& t) {
                     t.start(kA, kB, 1e9, 1);
                     t.start(kB, kC, 1e9, 2);
                     t.start(kC, kA, 1e9, 3);
                   });
                   s.at(0.5, [](Stage& t) {
                     t.platform.turn_off(kB);
                     t.text += "after ";
                   });
                 }),
            "after 1:failed@0.5 2:failed@0.5 3:done@1 ");
}

TEST(Flows, FailAtOnceWithTheirLink) {
  EXPECT_EQ(play(slow_hosts(),
                 [](Stage& s) {
                   s.at(0.0, [](Stage& t) {
                     t.start(kA, kB, 1e9, 1);
                     t.start(kC, kA, 1e9, 2);
                   });
                   s.at(0.25, [](Stage& t) { t.platform.cut_link(kB); });
                 }),
            "1:failed@0.25 2:done@1 ");
}

TEST(Flows, AreRefusedWhileAnEndOrALinkIsDown) {
  EXPECT_EQ(play(slow_hosts(),
                 [](Stage& s) {
                   s.at(1.0, [](Stage& t) {
                     t.platform.turn_off(kA);
                     t.platform.cut_link(kC);
                     t.start(kA, kB, 1e9, 1);
                     t.start(kB, kA, 1e9, 2);
                     t.start(kB, kC, 1e9, 3);
                     t.start(kC, kB, 1e9, 4);
                   });
                   s.at(2.0, [](Stage& t) {
                     t.platform.turn_on(kA);
                     t.platform.restore_link(kC);
                     t.start(kA, kC, 1e9, 5);  // with the full bandwidth again
                   });
                 }),
            "1:refused 2:refused 3:refused 4:refused 5:done@3 ");
}

TEST(Flows, FailWhenTheirHostBouncesWithinOneDate) {
  EXPECT_EQ(play(slow_hosts(),
                 [](Stage& s) {
                   s.at(0.0, [](Stage& t) { t.start(kA, kB, 1e9, 1); });
                   s.at(0.5, [](Stage& t) {
                     t.platform.turn_off(kA);
                     t.platform.turn_on(kA);
                     t.start(kA, kB, 1e9, 2);
                   });
                 }),
            "1:failed@0.5 2:done@1.5 ");
}

TEST(Flows, AreSilentWhenCancelledAndGiveTheirShareBack) {
  EXPECT_EQ(play(slow_hosts(),
                 [](Stage& s) {
                   s.at(0.0, [](Stage& t) {
                     t.start(kA, kC, 1e9, 1);
                     t.start(kB, kC, 1e9, 2);
                   });
                   // 0.5 s at half the rate leaves 0.75e9 B: flow 2 ends at 1.25 s.
                   s.at(0.5, [](Stage& t) {
                     t.text += t.flows.cancel(1) ? "cancelled " : "unknown ";
                     t.text += t.flows.cancel(1) ? "cancelled " : "unknown ";
                     t.start(kA, kB, 0.125e9, 1);  // the tag is free again
                   });
                 }),
            "cancelled unknown 1:done@0.625 2:done@1.25 ");
}

TEST(Flows, OfNoBytesStillArrive) {
  EXPECT_EQ(
      play(slow_hosts(), [](Stage& s) { s.at(1.0, [](Stage& t) { t.start(kA, kB, 0.0, 1); }); }),
      "1:done@" + exact(Seconds{1.0 + 1e-9}) + " ");
}

// A chain: each end starts the next one and cancels another, inside the callback.
TEST(Flows, MayStartAndCancelOthersWhenOneEnds) {
  EXPECT_EQ(play(slow_hosts(),
                 [](Stage& s) {
                   s.on_end = [&s](FlowTag tag) {
                     if (tag >= 4) return;
                     s.flows.cancel(100 + tag);
                     s.start(kB, kC, 1e9, tag + 1);
                   };
                   s.at(0.0, [](Stage& t) {
                     for (FlowTag tag = 101; tag <= 103; ++tag) t.start(kC, kA, 300e9, tag);
                     t.start(kA, kB, 1e9, 1);
                   });
                 }),
            "1:done@1 2:done@2 3:done@3 4:done@4 ");
}

TEST(Flows, MayTurnAHostOffWhenOneEnds) {
  EXPECT_EQ(play(slow_hosts(),
                 [](Stage& s) {
                   s.on_end = [&s](FlowTag tag) {
                     if (tag != 1) return;
                     s.platform.turn_off(kC);
                     s.start(kB, kA, 1e9, 4);
                   };
                   s.at(0.0, [](Stage& t) {
                     t.start(kA, kB, 1e9, 1);
                     t.start(kC, kA, 9e9, 2);
                     t.start(kB, kC, 9e9, 3);
                   });
                 }),
            "1:done@1 2:failed@1 3:failed@1 4:done@2 ");
}

TEST(Flows, MayStartBeforeTheRun) {
  EXPECT_EQ(play(slow_hosts(), [](Stage& s) { s.start(kA, kB, 2e9, 1); }), "1:done@2 ");
}

TEST(Flows, RefuseATagThatIsInFlight) {
  EXPECT_THAT(play(slow_hosts(),
                   [](Stage& s) {
                     s.at(0.0, [](Stage& t) {
                       t.start(kA, kB, 1e9, 1);
                       t.start(kB, kC, 1e9, 1);
                     });
                   }),
              HasSubstr("unique among the flows in flight"));
}

TEST(Platform, IsTheOnlyOneOfItsProcess) {
  EXPECT_THAT(in_child([] {
                const Platform first(slow_hosts());
                const Platform second(slow_hosts());
                return std::string("two");
              }),
              HasSubstr("a process builds one platform only"));
}

TEST(Platform, RefusesAPlanWithoutBandwidth) {
  EXPECT_THAT(in_child([] {
                const Platform p(three_hosts(BytesPerSecond{0.0}, Seconds{0.0}));
                return std::string("built");
              }),
              HasSubstr("bandwidth is positive"));
}

}  // namespace
}  // namespace specroute::sim
