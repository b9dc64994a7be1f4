/// Rates of the event lane and cost of a forked replication. A process has one engine, so each
/// iteration runs in a child that reports its own CPU time.
#include <benchmark/benchmark.h>

#include <ctime>
#include <string>

#include "sim/engine/flows.hpp"
#include "sim/engine/lane.hpp"
#include "sim/engine/platform.hpp"
#include "sim/engine/zygote.hpp"

namespace specroute::sim {
namespace {

constexpr EventKind kStep = 1;
constexpr EventKind kSend = 2 | kPlatformBit;

double cpu_seconds() {
  timespec spent{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
  return static_cast<double>(spent.tv_sec) + 1e-9 * static_cast<double>(spent.tv_nsec);
}

PlatformPlan cluster(std::size_t hosts) {
  PlatformPlan plan;
  for (std::size_t i = 0; i < hosts; ++i)
    plan.hosts.push_back({"host-" + std::to_string(i), BytesPerSecond{12.5e9}, Seconds{5e-6}});
  return plan;
}

// Objects that step at uniform delays; every `steps_per_flow` steps one starts a flow of 2 MB.
class Steppers {
 public:
  Steppers(Lane& lane, Flows& flows, std::uint64_t steps, std::uint64_t steps_per_flow)
      : lane_(lane), flows_(flows), left_(steps), steps_per_flow_(steps_per_flow) {}
  virtual ~Steppers() = default;

  void seed(std::uint32_t objects) {
    for (std::uint32_t i = 0; i < objects; ++i) lane_.at(Seconds{1e-3 * uniform()}, kStep, i);
  }
  void step(const Event& event) {
    if (left_ == 0) return;
    --left_;
    lane_.at(event.date + Seconds{1e-3 * (0.5 + uniform())}, kStep, event.object);
    if (steps_per_flow_ != 0 && left_ % steps_per_flow_ == 0)
      lane_.at(event.date, kSend, event.object);
  }
  void send(const Event& event) {
    const HostIndex from{event.object % 64};
    const HostIndex to{(event.object + 1) % 64};
    benchmark::DoNotOptimize(flows_.start(from, to, Bytes{2e6}, next_tag_++));
  }

 private:
  double uniform() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<double>(state_ >> 11) * 0x1p-53;
  }

  Lane& lane_;
  Flows& flows_;
  std::uint64_t left_;
  std::uint64_t steps_per_flow_;
  FlowTag next_tag_ = 0;
  std::uint64_t state_ = 88172645463325252U;
};

class InlinedWorld : public Steppers {
 public:
  using Steppers::Steppers;
  void on_local(const Event& event) { step(event); }
  void on_platform(const Event& event) { send(event); }
};

// What one virtual call per event would cost.
class Handler {
 public:
  virtual ~Handler() = default;
  virtual void on_local(const Event& event) = 0;
  virtual void on_platform(const Event& event) = 0;
};
class VirtualWorld final : public Steppers, public Handler {
 public:
  using Steppers::Steppers;
  void on_local(const Event& event) override { step(event); }
  void on_platform(const Event& event) override { send(event); }
};

struct Load {
  std::uint32_t objects;
  std::uint64_t steps;
  std::uint64_t steps_per_flow;
  LaneMode mode;
};

template <class World, class Face>
std::string run_load(const Load& load) {
  Platform platform(cluster(64));
  Lane lane(platform, {.mode = load.mode});
  Flows flows(platform, [](FlowTag, FlowEnd) {});
  World world(lane, flows, load.steps, load.steps_per_flow);
  world.seed(load.objects);
  const double before = cpu_seconds();
  Face& face = world;
  benchmark::DoNotOptimize(&face);
  (void)lane.run(face);
  return std::to_string(cpu_seconds() - before) + " " + std::to_string(lane.fired());
}

template <class World, class Face = World>
void events(benchmark::State& state, LaneMode mode) {
  const Load load{static_cast<std::uint32_t>(state.range(0)),
                  mode == LaneMode::lockstep ? 1'000'000U : 5'000'000U,
                  static_cast<std::uint64_t>(state.range(1)), mode};
  std::uint64_t fired = 0;
  for (auto _ : state) {
    const auto result =
        run_forked([&] { return [&](std::uint64_t) { return run_load<World, Face>(load); }; }, {});
    if (result[0].end != JobEnd::finished) {
      state.SkipWithError(describe(result[0]).c_str());
      break;
    }
    std::size_t used = 0;
    state.SetIterationTime(std::stod(result[0].output, &used));
    fired += std::stoull(result[0].output.substr(used));
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(fired));
}

void inlined_lookahead(benchmark::State& state) {
  events<InlinedWorld>(state, LaneMode::lookahead);
}
void virtual_lookahead(benchmark::State& state) {
  events<VirtualWorld, Handler>(state, LaneMode::lookahead);
}
void inlined_lockstep(benchmark::State& state) {
  events<InlinedWorld>(state, LaneMode::lockstep);
}

// The baseline: the same steps on the bare heap, without SimGrid and without a lane.
void bare_heap(benchmark::State& state) {
  const auto objects = static_cast<std::uint32_t>(state.range(0));
  std::uint64_t word = 88172645463325252U;
  const auto uniform = [&word] {
    word ^= word << 13;
    word ^= word >> 7;
    word ^= word << 17;
    return static_cast<double>(word >> 11) * 0x1p-53;
  };
  EventHeap heap;
  std::uint64_t sequence = 0;
  for (std::uint32_t i = 0; i < objects; ++i)
    heap.push({Seconds{1e-3 * uniform()}, sequence++, kStep, i});
  for (auto _ : state) {
    const Event event = heap.pop();
    heap.push({event.date + Seconds{1e-3 * (0.5 + uniform())}, sequence++, kStep, event.object});
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(bare_heap)->Arg(64)->Arg(1000);

// Arguments: objects, steps per flow (0: no flow).
BENCHMARK(inlined_lookahead)
    ->Args({64, 0})
    ->Args({1000, 0})
    ->Args({64, 100})
    ->Args({64, 10})
    ->UseManualTime();
BENCHMARK(virtual_lookahead)->Args({64, 0})->Args({1000, 0})->UseManualTime();
BENCHMARK(inlined_lockstep)->Args({64, 0})->Args({64, 100})->UseManualTime();

// Wall time per replication that builds a platform of so many hosts, or one that does nothing.
void replications(benchmark::State& state) {
  const auto hosts = static_cast<std::size_t>(state.range(0));
  constexpr std::uint64_t kCount = 100;
  const Prepare prepare = [hosts] {
    return [hosts](std::uint64_t) {
      if (hosts == 0) return std::string("idle");
      Platform platform(cluster(hosts));
      Lane lane(platform);
      Flows flows(platform, [](FlowTag, FlowEnd) {});
      InlinedWorld world(lane, flows, 100, 10);
      return std::to_string(static_cast<int>(lane.run(world)));
    };
  };
  for (auto _ : state) {
    const auto results = run_forked(prepare, {.count = kCount, .jobs = 1});
    if (results.back().end != JobEnd::finished) state.SkipWithError("a replication failed");
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kCount));
}
BENCHMARK(replications)->Arg(0)->Arg(64)->Arg(1000)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace specroute::sim
