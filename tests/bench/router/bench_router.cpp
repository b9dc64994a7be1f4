/// @file
/// Cost of one telemetry window, the router's hot event. The budget is 100 ns.
#include <benchmark/benchmark.h>

#include <string>

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

}  // namespace
}  // namespace specroute::router::test
