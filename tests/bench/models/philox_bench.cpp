#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

#include <benchmark/benchmark.h>

#include "models/random/philox.hpp"
#include "models/random/portable_math.hpp"

namespace specroute::models {
namespace {

void one_block_at_a_time(benchmark::State& state) {
  std::uint32_t token = 0;
  for (auto _ : state) benchmark::DoNotOptimize(philox_block({1, 2}, {3, 4, ++token, 5}));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(one_block_at_a_time);

void a_batch_of_blocks(benchmark::State& state) {
  const auto count = static_cast<std::size_t>(state.range(0));
  std::array<std::vector<std::uint32_t>, 7> columns;
  for (auto& column : columns) column.resize(count);
  std::iota(columns[0].begin(), columns[0].end(), 0U);
  const PhiloxCounters counters{columns[0].data(), columns[1].data(), columns[2].data(), 7};
  const PhiloxWords words{columns[3].data(), columns[4].data(), columns[5].data(),
                          columns[6].data()};
  for (auto _ : state) {
    philox_batch({1, 2}, counters, words, count);
    benchmark::DoNotOptimize(columns[3].data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(a_batch_of_blocks)->Arg(64)->Arg(256)->Arg(1024);

void exponentials_in_place(benchmark::State& state) {
  std::vector<double> values(512);
  for (auto _ : state) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = -0.05 * static_cast<double>(i);
    portable::exp_in_place(values);
    benchmark::DoNotOptimize(values.data());
  }
  state.SetItemsProcessed(state.iterations() * 512);
}
BENCHMARK(exponentials_in_place);

}  // namespace
}  // namespace specroute::models
