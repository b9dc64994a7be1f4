/// Whole runs, from the scenario file to the result: CPU time and peak memory of a process that
/// does nothing else. Each has a bound that is stated here and printed beside what was found.
#include <sys/resource.h>

#include <benchmark/benchmark.h>

#include <filesystem>
#include <sstream>
#include <string>

#include <specroute/policy_abi.h>

#include "sim/engine/zygote.hpp"
#include "sim/experiment/load_scenario.hpp"
#include "sim/world/world.hpp"

namespace specroute::sim {
namespace {

struct Bound {
  double cpu_s;
  double peak_mb;
};

double seconds(const timeval& t) {
  return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
}

double value(const RunResult& result, const std::string& path) {
  for (const auto& [name, found] : result.metrics)
    if (name == path) return found.value_or(0.0);
  return 0.0;
}

/// What is run, and for how many of its horizons.
struct Work {
  const char* scenario;  ///< under the source folder
  double horizons;
  const char* trace = "";  ///< under the folder of published traces; empty: the scenario's own
};

const std::string kSource = SPECROUTE_SOURCE_DIR;
const std::string kTraces = kSource + "/../shared/data/traces/";

/// "CPU seconds, peak MB, completions, output tokens" of one run, reading and preparing included;
/// or why there is none.
std::string run_once(const Work& work) {
  const srp_module& module = *srp_module_get(SRP_ABI_V1);
  const std::string trace = *work.trace == '\0' ? "" : kTraces + work.trace;
  auto scenario = load_scenario(kSource + '/' + work.scenario, module, trace);
  if (!scenario) return to_string(scenario.diagnostics().front());
  Scenario part = std::move(scenario).value();
  part.horizon *= work.horizons;
  const auto prepared = prepare(part, module);
  if (!prepared) return to_string(prepared.diagnostics().front());
  Platform platform(platform_plan(part));
  const RunResult result =
      run_replication(prepared.value(), platform, part.gates.front(), {.seed = 1});
  if (!result.failure.empty()) return result.failure;
  if (to_bytes(result).empty()) return "a run without a result";  // what a campaign pays as well
  rusage spent{};
  getrusage(RUSAGE_SELF, &spent);
  std::ostringstream text;
  text << seconds(spent.ru_utime) + seconds(spent.ru_stime) << ' '
       << static_cast<double>(spent.ru_maxrss) / 1024.0 << ' '
       << value(result, "requests.completed") << ' ' << value(result, "tokens.output");
  return text.str();
}

void whole_run(benchmark::State& state, const Work& work, const Bound& bound) {
  if (*work.trace != '\0' && !std::filesystem::exists(kTraces + work.trace))
    return state.SkipWithError(("no " + kTraces + work.trace).c_str());
  double cpu = 0.0;
  double megabytes = 0.0;
  double completions = 0.0;
  double tokens = 0.0;
  for (auto _ : state) {
    const auto job =
        run_forked([&] { return [&](std::uint64_t) { return run_once(work); }; }, {}).front();
    if (job.end != JobEnd::finished) return state.SkipWithError(describe(job).c_str());
    std::istringstream found(job.output);
    if (!(found >> cpu >> megabytes >> completions >> tokens))
      return state.SkipWithError(("no result: " + job.output).c_str());
    if (completions == 0.0) return state.SkipWithError("a run in which nothing was completed");
    state.SetIterationTime(cpu);
  }
  state.counters["cpu_s"] = cpu;
  state.counters["cpu_bound_s"] = bound.cpu_s;
  state.counters["peak_MB"] = megabytes;
  state.counters["peak_bound_MB"] = bound.peak_mb;
  state.counters["completions"] = completions;
  state.counters["output_tokens"] = tokens;
}

// The bounds are those of the issue that asked for them. The published trace lasts 3,510 s, the
// scenario's own sample 110. The tenth of the long run has no bound of its own: its memory, beside
// that of the whole, shows what grows with the horizon.
BENCHMARK_CAPTURE(whole_run, azure_trace,
                  Work{"scenarios/azure-conversation.json", 32.0,
                       "AzureLLMInferenceTrace_conv.csv"},
                  Bound{0.2, 60.0})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(whole_run, azure_like, Work{"tests/bench/runs/azure-like.json", 1.0},
                  Bound{0.2, 60.0})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(whole_run, twenty_thousand, Work{"tests/bench/runs/twenty-thousand.json", 1.0},
                  Bound{0.14, 60.0})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(whole_run, thousand_engines_tenth,
                  Work{"tests/bench/runs/thousand-engines.json", 0.1}, Bound{})
    ->UseManualTime()
    ->Iterations(1)
    ->Repetitions(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(whole_run, thousand_engines, Work{"tests/bench/runs/thousand-engines.json", 1.0},
                  Bound{120.0, 0.0})
    ->UseManualTime()
    ->Iterations(1)
    ->Repetitions(1)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace specroute::sim
