/// @file
/// Cost of one telemetry window, the router's hot event, by gate. The budget is 100 ns of processor
/// time on the median: a gate beyond it is named, and the program exits with 1.
#include <benchmark/benchmark.h>

#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/unit/router/event_stream.hpp"

namespace specroute::router::test {
namespace {

/// Windows go round `pairings` healthy pairings after a fail-over.
void one_window(benchmark::State& state, const std::string& gate) {
  const auto pairings = static_cast<std::uint64_t>(state.range(0));
  auto stream = Stream::of_gate(gate);
  stream.fail_over();
  for (std::uint64_t pairing = 3; pairing < 3 + pairings; ++pairing)
    stream.send(bind(100, pairing, kDraft, kNewTarget));
  auto seen = window(100.05, 3, 420);
  std::uint64_t next = 0;
  for (auto _ : state) {
    seen.h.pairing = 3 + next;
    next = next + 1 == pairings ? 0 : next + 1;
    seen.h.now += 1'000'000;
    seen.from = seen.to;
    seen.to = seen.h.now;
    const auto answer = stream.policy.on_event(seen);
    benchmark::DoNotOptimize(answer.status);
  }
}

/// The baseline: a crossing of the ABI that the gate has no use for.
void one_ignored_event(benchmark::State& state) {
  auto stream = Stream::of_gate("none");
  stream.fail_over();
  srp_ev_tick unknown{};
  unknown.h.size = sizeof unknown;
  unknown.h.type = 0xff;
  unknown.h.now = 200'000'000'000;
  for (auto _ : state) {
    const auto answer = stream.policy.on_event(unknown);
    benchmark::DoNotOptimize(answer.status);
  }
}
BENCHMARK(one_ignored_event);

BENCHMARK_CAPTURE(one_window, none, "none")->Arg(8)->Arg(512);
BENCHMARK_CAPTURE(one_window, delta_only, "delta_only")->Arg(8)->Arg(512);
BENCHMARK_CAPTURE(one_window, hash_only, "hash_only")->Arg(8)->Arg(512);
BENCHMARK_CAPTURE(one_window, cooldown_only, "cooldown_only")->Arg(8)->Arg(512);
BENCHMARK_CAPTURE(one_window, params_hash, "params_hash")->Arg(8)->Arg(512);
BENCHMARK_CAPTURE(one_window, validity, "validity")->Arg(8)->Arg(512);
BENCHMARK_CAPTURE(one_window, validity_safe, "validity_safe")->Arg(8)->Arg(512);
BENCHMARK_CAPTURE(one_window, latency_tiebreak, "latency_tiebreak")->Arg(8)->Arg(512);
BENCHMARK_CAPTURE(one_window, global_mean, "global_mean")->Arg(8)->Arg(512);
BENCHMARK_CAPTURE(one_window, ewma, "ewma")->Arg(8)->Arg(512);
BENCHMARK_CAPTURE(one_window, low_threshold, "low_threshold")->Arg(8)->Arg(512);
BENCHMARK_CAPTURE(one_window, cusum, "cusum")->Arg(8)->Arg(512);
BENCHMARK_CAPTURE(one_window, sprt, "sprt")->Arg(8)->Arg(512);
BENCHMARK_CAPTURE(one_window, mann_whitney, "mann_whitney")->Arg(8)->Arg(512);
BENCHMARK_CAPTURE(one_window, bandit, "bandit")->Arg(8)->Arg(512);
BENCHMARK_CAPTURE(one_window, outlier, "outlier")->Arg(8)->Arg(512);
BENCHMARK_CAPTURE(one_window, error_breaker, "error_breaker")->Arg(8)->Arg(512);
BENCHMARK_CAPTURE(one_window, quality_probe, "quality_probe")->Arg(8)->Arg(512);

/// Prints as usual, and holds what is a window to the budget: medians where there are repetitions.
class BudgetReporter : public benchmark::ConsoleReporter {
 public:
  BudgetReporter() : ConsoleReporter(OO_None) {}
  void ReportRuns(const std::vector<Run>& runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run& run : runs) {
      const bool counts =
          run.run_type == Run::RT_Iteration ? run.repetitions <= 1 : run.aggregate_name == "median";
      const bool of_window = run.run_name.function_name.starts_with("one_window/");
      // In nanoseconds: nobody asked for another unit.
      if (!counts || !of_window || run.GetAdjustedCPUTime() <= kBudgetNs) continue;
      over_.push_back(run.benchmark_name() + ": " + std::to_string(run.GetAdjustedCPUTime()));
    }
  }
  [[nodiscard]] const std::vector<std::string>& over() const { return over_; }

 private:
  static constexpr double kBudgetNs = 100;
  std::vector<std::string> over_;
};

}  // namespace
}  // namespace specroute::router::test

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  specroute::router::test::BudgetReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  for (const std::string& each : reporter.over())
    std::cerr << "a window costs more than 100 ns: " << each << '\n';
  return reporter.over().empty() ? 0 : 1;
}
