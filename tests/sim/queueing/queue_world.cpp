#include "tests/sim/queueing/queue_world.hpp"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "sim/world/prepared.hpp"
#include "tests/sim/worlds/random_scenario.hpp"
#include "tests/sim/worlds/request_rows.hpp"
#include "tests/sim/worlds/run_world.hpp"

namespace specroute::sim {
namespace {

constexpr std::uint32_t kPrompt = 48;
constexpr double kWarmUp = 0.1;  ///< share of the run

Scenario queue_scenario(const QueueWorld& world, double rate_per_s) {
  Scenario s = plain_scenario();
  s.pools[0].speculation.half_batches = 1;
  s.network.nic_latency = s.network.cross_rack_latency = Seconds{0.0};
  s.degradation.loop_hazard_at_zero_entropy = s.degradation.schema_hazard_per_token = 0.0;
  s.backends[0].engines = world.engines;
  s.backends[0].max_sequences = 1;
  s.faults = {{Fault::Kind::crash, BackendId{1}, Seconds{0.0}, {}}};
  RequestClass& requests = s.classes[0];
  requests.prompt = {.kind = models::LengthKind::fixed, .mean = kPrompt, .limit = kPrompt};
  requests.output = world.output;
  requests.arrivals.open.rate_per_s = rate_per_s;
  s.router.max_outstanding_per_engine = 1;
  s.router.queue_limit = 1'000'000'000;
  s.router.request_timeout = Seconds{1e9};
  s.router.telemetry_period = s.router.probe_period = Seconds{1.0};
  s.horizon = Seconds{world.arrivals / rate_per_s};
  s.drain_limit = s.horizon;
  return s;
}

/// Time in service of an output of so many tokens.
class ServiceTimes {
 public:
  explicit ServiceTimes(const models::StepModel& step) : step_(step) {
    const double prompt = kPrompt;
    times_ = {Seconds{0.0}, models::pass_time(step, {.sequences = 1.0,
                                                     .tokens_decode = 0.0,
                                                     .tokens_prefill = prompt,
                                                     .context_tokens = 0.0,
                                                     .prefill_pairs = 0.5 * prompt * prompt})};
  }
  Seconds of(std::uint32_t tokens) {
    while (times_.size() <= tokens) {
      const double context = kPrompt + static_cast<double>(times_.size() - 1);
      times_.push_back(times_.back() + models::pass_time(step_, {.sequences = 1.0,
                                                                 .tokens_decode = 1.0,
                                                                 .tokens_prefill = 0.0,
                                                                 .context_tokens = context,
                                                                 .prefill_pairs = 0.0}));
    }
    return times_[tokens];
  }

 private:
  models::StepModel step_;
  std::vector<Seconds> times_;
};

/// Step model and lengths as the world itself has them.
struct Ready {
  models::StepModel step;
  models::LengthDistribution lengths;
};
Ready prepare_queue(const QueueWorld& world) {
  const Scenario scenario = queue_scenario(world, 1.0);
  const auto prepared = prepare(scenario, *srp_module_get(SRP_ABI_V1));
  return {prepared.value().backends[0].step, prepared.value().traffic[0].output};
}

}  // namespace

QueueFacts queue_facts(const QueueWorld& world) {
  const Ready ready = prepare_queue(world);
  ServiceTimes times(ready.step);
  constexpr std::uint64_t kQuantiles = std::uint64_t{1} << 20U;
  constexpr std::uint64_t kStep = std::uint64_t{1} << 44U;
  std::map<std::uint32_t, double> shares;
  for (std::uint64_t i = 0; i < kQuantiles; ++i)
    shares[ready.lengths.sample(i * kStep + kStep / 2)] += 1.0 / static_cast<double>(kQuantiles);
  models::ServiceTime service;
  for (const auto& [tokens, share] : shares) {
    const double time = times.of(tokens).count();
    service.mean += Seconds{share * time};
    service.second_moment += share * time * time;
  }
  return {service, world.utilisation * world.engines / service.mean.count()};
}

models::Interval simulated_wait(const QueueWorld& world) {
  const double rate = queue_facts(world).rate_per_s;
  ServiceTimes times(prepare_queue(world).step);
  std::vector<WorldRun> runs;
  for (std::uint64_t seed = 1; seed <= world.seeds; ++seed)
    runs.push_back(
        {[=] { return queue_scenario(world, rate); }, {.seed = seed, .keep_requests = true}});
  std::vector<double> waits;
  for (const RunResult& result : run_worlds(runs)) {
    EXPECT_EQ(result.failure, "");
    double sum = 0.0;
    double count = 0.0;
    for (const RequestRow& row : request_rows(result)) {
      EXPECT_EQ(row.state, "completed");
      if (row.arrival < kWarmUp * world.arrivals / rate) continue;
      const double wait =
          row.at - row.arrival - times.of(static_cast<std::uint32_t>(row.emitted)).count();
      EXPECT_GT(wait, -1e-9) << "request " << row.request << " took less than its passes";
      sum += wait;
      count += 1.0;
    }
    waits.push_back(sum / count);
  }
  return models::student_interval(waits);
}

}  // namespace specroute::sim
