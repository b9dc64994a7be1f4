// Replacements for everything that a fleet loses at one moment: how the flow grows with its size.
#include <cstdint>
#include <vector>

#include <benchmark/benchmark.h>

#include "sim/topology/assignment.hpp"

namespace specroute::sim {
namespace {

/// So many targets and drafts, of one pool and alike.
Scenario fleet(std::uint32_t of_each) {
  Scenario s{};
  s.pools.resize(1);
  for (std::uint32_t b = 0; b < 2 * of_each; ++b) {
    Backend backend{};
    backend.role = b < of_each ? Role::target : Role::draft;
    backend.pool = PoolId{0};
    s.backends.push_back(backend);
  }
  return s;
}

std::vector<DraftRoom> spare_drafts(std::uint32_t of_each) {
  std::vector<DraftRoom> drafts;
  for (std::uint32_t d = 0; d < of_each; ++d) drafts.push_back({.draft = BackendId{of_each + d}});
  return drafts;
}

void assign(benchmark::State& state, const std::vector<PairingNeed>& needs) {
  const auto of_each = static_cast<std::uint32_t>(state.range(0));
  const PairingGraph graph(fleet(of_each));
  const std::vector<DraftRoom> drafts = spare_drafts(of_each);
  const PairingFilter all = [](std::size_t, BackendId, BackendId) { return true; };
  for (auto _ : state) benchmark::DoNotOptimize(assign_by_flow(graph, needs, drafts, all));
}

/// Each lost target may be replaced by any standby target.
void lost_targets(benchmark::State& state) {
  const auto of_each = static_cast<std::uint32_t>(state.range(0));
  std::vector<BackendId> standby;
  for (std::uint32_t t = 0; t < of_each; ++t) standby.push_back(BackendId{t});
  assign(state, std::vector<PairingNeed>(of_each, {standby}));
}

/// Each target keeps serving and wants another draft.
void lost_drafts(benchmark::State& state) {
  std::vector<PairingNeed> needs;
  for (std::uint32_t t = 0; t < state.range(0); ++t) needs.push_back({{BackendId{t}}});
  assign(state, needs);
}

BENCHMARK(lost_targets)->Arg(25)->Arg(50)->Arg(100)->Arg(150)->Unit(benchmark::kMillisecond);
BENCHMARK(lost_drafts)->Arg(25)->Arg(50)->Arg(100)->Arg(150)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace specroute::sim
