/// One gate-run of the incident: 620 simulated seconds, about a million completions. Each runs in a
/// child that reports its own CPU time and peak memory.
#include <sys/resource.h>

#include <benchmark/benchmark.h>

#include <string>

#include <specroute/policy_abi.h>

#include "models/random/philox.hpp"
#include "sim/engine/zygote.hpp"
#include "sim/experiment/load_scenario.hpp"
#include "sim/world/world.hpp"

namespace specroute::sim {
namespace {

double cpu_seconds(const rusage& usage) {
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

rusage usage() {
  rusage spent{};
  getrusage(RUSAGE_SELF, &spent);
  return spent;
}

/// "CPU seconds, peak MB, completions" of one run.
std::string run_once(const Prepared& prepared, const Gate& gate, LaneMode mode) {
  Platform platform(platform_plan(*prepared.scenario));
  const double before = cpu_seconds(usage());
  const RunResult result = run_replication(prepared, platform, gate, {.seed = 1, .mode = mode});
  double completions = 0.0;
  for (const auto& [path, value] : result.metrics)
    if (path == "requests.completed") completions = value.value_or(0.0);
  const rusage after = usage();
  return std::to_string(cpu_seconds(after) - before) + ' ' +
         std::to_string(static_cast<double>(after.ru_maxrss) / 1024.0) + ' ' +
         std::to_string(completions);
}

void incident(benchmark::State& state, const std::string& label, LaneMode mode) {
  const srp_module& module = *srp_module_get(SRP_ABI_V1);
  const auto scenario =
      load_scenario(SPECROUTE_SOURCE_DIR "/scenarios/incident-2026-11-06.json", module);
  if (!scenario) return state.SkipWithError("the scenario cannot be read");
  const auto prepared = prepare(scenario.value(), module);
  if (!prepared) return state.SkipWithError("the scenario cannot be prepared");
  const Gate* gate = nullptr;
  for (const Gate& each : scenario.value().gates)
    if (each.label == label) gate = &each;
  if (gate == nullptr) return state.SkipWithError("no such gate");
  double megabytes = 0.0;
  double completions = 0.0;
  for (auto _ : state) {
    const auto job = run_forked(
        [&] { return [&](std::uint64_t) { return run_once(prepared.value(), *gate, mode); }; }, {});
    if (job[0].end != JobEnd::finished) return state.SkipWithError(describe(job[0]).c_str());
    std::size_t at = 0;
    state.SetIterationTime(std::stod(job[0].output, &at));
    std::size_t more = 0;
    megabytes = std::stod(job[0].output.substr(at), &more);
    completions += std::stod(job[0].output.substr(at + more));
  }
  state.counters["peak_MB"] = megabytes;
  state.SetItemsProcessed(static_cast<std::int64_t>(completions));
}

BENCHMARK_CAPTURE(incident, none, "none", LaneMode::lookahead)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(incident, validity, "validity", LaneMode::lookahead)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(incident, none_lockstep, "none", LaneMode::lockstep)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

/// The baseline: nothing but the draws of about as many sequence-steps as one run has.
void bare_draws_of_a_run(benchmark::State& state) {
  constexpr std::uint32_t kSteps = 30'000'000;
  for (auto _ : state) {
    std::uint32_t sum = 0;
    for (std::uint32_t i = 0; i < kSteps; ++i) sum ^= models::philox_block({1, 2}, {i, 0, 3, 0})[0];
    benchmark::DoNotOptimize(sum);
  }
}
BENCHMARK(bare_draws_of_a_run)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace specroute::sim
