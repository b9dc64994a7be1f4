/// The oracle of look-ahead: random small worlds give one trace hash in both modes.
#include <gtest/gtest.h>

#include <bit>
#include <set>

#include "sim/engine/flows.hpp"
#include "sim/engine/lane.hpp"
#include "sim/engine/platform.hpp"
#include "tests/sim/lane/in_child.hpp"

namespace specroute::sim {
namespace {

// splitmix64: enough for a test, and equal everywhere.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15U) {}
  std::uint64_t roll() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }
  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(roll() % limit); }
  double uniform() { return static_cast<double>(roll() >> 11) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

enum Kind : EventKind {
  step = 1,
  send = 2 | kPlatformBit,
  crash = 3 | kPlatformBit,
  repair = 4 | kPlatformBit,
  cut = 5 | kPlatformBit,
  restore = 6 | kPlatformBit,
  landed = 7,
  abandon = 8 | kPlatformBit,
};

PlatformPlan random_plan(Dice& dice) {
  PlatformPlan plan;
  const std::uint32_t hosts = 2 + dice.below(6);
  for (std::uint32_t i = 0; i < hosts; ++i)
    plan.hosts.push_back({"h" + std::to_string(i), BytesPerSecond{1e9 * (1 + dice.below(25))},
                          Seconds{1e-6 * dice.below(200)}});
  if (dice.below(2) == 0)
    plan.backbone =
        BackbonePlan{BytesPerSecond{3e9}, Seconds{1e-6 * dice.below(9)}, dice.below(2) == 0};
  return plan;
}

class RandomWorld {
 public:
  RandomWorld(std::uint64_t seed, LaneMode mode)
      : dice_(seed),
        platform_(random_plan(dice_)),
        lane_(platform_, {.mode = mode}),
        flows_(platform_, [this](FlowTag tag, FlowEnd end) { on_flow(tag, end); }) {
    // Grid dates make ties common; the scale varies so that some clocks jump far.
    grid_ = dice_.below(3) == 0 ? 1e-3 : 0.0;
    scale_ = dice_.below(4) == 0 ? 1.0 : 1e-3;
    left_ = 300 + dice_.below(1200);
    const auto hosts = static_cast<std::uint32_t>(platform_.host_count());
    for (std::uint32_t i = 0; i < 2 * hosts; ++i) lane_.at(later(), step, i);
    for (std::uint32_t i = dice_.below(6); i > 0; --i)
      lane_.at(later() * 20.0, dice_.below(2) == 0 ? crash : cut, dice_.below(hosts));
    if (dice_.below(4) == 0) lane_.stop_at(Seconds{scale_ * 40.0 * dice_.uniform()});
  }

  std::string trace() {
    const RunEnd end = lane_.run(*this);
    mix(static_cast<std::uint64_t>(end));
    mix(platform_.engine_clock());
    mix(lane_.fired());
    const auto text = [](std::uint64_t n) { return std::to_string(n) + " "; };
    return text(hash_) + text(lane_.fired()) + text(done_) + text(failed_) + text(refused_);
  }

  void on_local(const Event& event) {
    note(event);
    if (event.kind == landed || left_ == 0) return;
    --left_;
    lane_.at(later(), step, event.object);
    if (dice_.below(8) == 0) lane_.at(dice_.below(2) == 0 ? lane_.now() : later(), send, 0);
  }

  void on_platform(const Event& event) {
    check(platform_.engine_clock() == event.date, "platform events see SimGrid at their date");
    note(event);
    const HostIndex host{event.object};
    switch (event.kind) {
      case send:
        return start_flow();
      case crash:
        platform_.turn_off(host);
        return lane_.at(later(), repair, event.object);
      case cut:
        platform_.cut_link(host);
        return lane_.at(later(), restore, event.object);
      case repair:
        return platform_.turn_on(host);
      case restore:
        return platform_.restore_link(host);
      default:
        mix(flows_.cancel(event.object) ? 1 : 0);
    }
  }

 private:
  Seconds later() {
    const double delay = grid_ > 0.0 ? grid_ * dice_.below(6) : scale_ * dice_.uniform();
    return lane_.now() + Seconds{delay};
  }
  void start_flow() {
    const auto hosts = static_cast<std::uint32_t>(platform_.host_count());
    const std::uint32_t from = dice_.below(hosts);
    const std::uint32_t to = (from + 1 + dice_.below(hosts - 1)) % hosts;
    const double bytes = grid_ > 0.0 ? 1e6 * dice_.below(20) : scale_ * 5e9 * dice_.uniform();
    if (!flows_.start({from}, {to}, Bytes{bytes}, next_tag_)) ++refused_;
    if (dice_.below(10) == 0) lane_.at(later(), abandon, static_cast<std::uint32_t>(next_tag_));
    ++next_tag_;
  }
  void on_flow(FlowTag tag, FlowEnd end) {
    check(platform_.engine_clock() == lane_.now(), "flow ends see equal clocks");
    mix(tag * 2 + static_cast<std::uint64_t>(end));
    mix(lane_.now());
    ++(end == FlowEnd::done ? done_ : failed_);
    lane_.at(lane_.now(), landed, static_cast<std::uint32_t>(tag));
    if (dice_.below(4) == 0 && left_ > 0) lane_.at(later(), send, 0);
  }
  void note(const Event& event) {
    mix(event.kind);
    mix(event.object);
    mix(event.date);
  }
  void mix(std::uint64_t value) { hash_ = (hash_ ^ value) * 1099511628211U + (hash_ >> 29); }
  void mix(Seconds date) { mix(std::bit_cast<std::uint64_t>(date.count())); }

  Dice dice_;
  Platform platform_;
  Lane lane_;
  Flows flows_;
  double grid_ = 0.0;
  double scale_ = 1.0;
  std::uint32_t left_ = 0;
  FlowTag next_tag_ = 0;
  std::uint64_t hash_ = 14695981039346656037U;
  std::uint64_t done_ = 0;
  std::uint64_t failed_ = 0;
  std::uint64_t refused_ = 0;
};

// Three runs per world: lockstep, look-ahead, look-ahead again.
TEST(LaneEquivalence, LockstepAndLookaheadGiveOneTraceAndSoDoesARepetition) {
  constexpr std::uint64_t kWorlds = 220;
  const Prepare prepare = [] {
    return [](std::uint64_t index) {
      const auto mode = index % 3 == 0 ? LaneMode::lockstep : LaneMode::lookahead;
      return RandomWorld(index / 3 + 1, mode).trace();
    };
  };
  const auto runs =
      run_forked(prepare, {.count = 3 * kWorlds, .jobs = 2, .timeout = Seconds{60.0}});
  std::set<std::string> distinct;
  std::uint64_t done = 0;
  std::uint64_t failed = 0;
  std::uint64_t refused = 0;
  for (std::size_t world = 0; world < kWorlds; ++world) {
    for (std::size_t run = 3 * world; run < 3 * world + 3; ++run)
      ASSERT_EQ(runs[run].end, JobEnd::finished)
          << "world " << world + 1 << ": " << describe(runs[run]) << ": " << runs[run].last_words;
    const std::string& lockstep = runs[3 * world].output;
    EXPECT_EQ(lockstep, runs[3 * world + 1].output) << "world " << world + 1;
    EXPECT_EQ(runs[3 * world + 1].output, runs[3 * world + 2].output) << "world " << world + 1;
    distinct.insert(lockstep);
    unsigned long long hash, fired, counts[3];
    ASSERT_EQ(std::sscanf(lockstep.c_str(), "%llu %llu %llu %llu %llu", &hash, &fired, &counts[0],
                          &counts[1], &counts[2]),
              5);
    done += counts[0];
    failed += counts[1];
    refused += counts[2];
  }
  // The worlds differ, and they do contain what the equality is about.
  EXPECT_EQ(distinct.size(), kWorlds);
  EXPECT_GT(done, 10 * kWorlds);
  EXPECT_GT(failed, kWorlds);
  EXPECT_GT(refused, kWorlds);
}

}  // namespace
}  // namespace specroute::sim
