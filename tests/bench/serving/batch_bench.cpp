#include <cstdint>
#include <vector>

#include <benchmark/benchmark.h>

#include "models/random/threshold.hpp"
#include "sim/serving/batch.hpp"

namespace specroute::sim {
namespace {

/// Two drafts of 0.55 each, small hazards: what a healthy pairing's tables look like.
StepTables realistic_tables(std::uint32_t kinds) {
  StepTables tables{.draft_tokens = 2, .rows = {}};
  for (std::uint32_t row = 0; row < 2 * kinds; ++row) {
    StepRow step;
    const double chance = (row % 2 == 0 ? 0.55 : 0.97) - 0.01 * (row >> 1U);
    step.accepted[0] = models::threshold_from_probability(chance);
    step.accepted[1] = models::threshold_from_probability(chance * chance);
    for (std::size_t tokens = 1; tokens <= 3; ++tokens) {
      const double hazard = static_cast<double>(tokens);
      step.loop[tokens - 1] = row % 2 == 0 ? models::threshold_from_probability(1e-6 * hazard) : 0;
      step.schema[tokens - 1] = models::threshold_from_probability(1e-6 * hazard);
    }
    tables.rows.push_back(step);
  }
  return tables;
}

/// Steps of a batch that stays full: what finishes is replaced at once by a request with a new id.
void advance_full_batch(benchmark::State& state) {
  const auto size = static_cast<std::uint32_t>(state.range(0));
  const auto kinds = static_cast<std::uint32_t>(state.range(1));
  const StepTables tables = realistic_tables(kinds);
  std::vector<RowCounts> counts(tables.rows.size());
  Batch batch(size);
  std::vector<Sequence> finished;
  std::uint64_t next = 0;
  const auto arrive = [&] {
    Sequence sequence;
    sequence.request = RequestId{next};
    sequence.row = normal_row(static_cast<std::uint32_t>(next % kinds));
    sequence.prompt_tokens = 48;
    sequence.emitted = 1;
    sequence.length = 32 + static_cast<std::uint32_t>(next * 37 % 64);  // mean about 64 tokens
    sequence.limit = 256;
    ++next;
    batch.join(sequence);
  };
  while (batch.size() < size) arrive();
  for (auto _ : state) {
    benchmark::DoNotOptimize(batch.advance(
        {.tables = tables, .key = {1, 2}, .pairing = PairingId{0}, .counts = counts}, finished));
    for (std::size_t i = 0; i < finished.size(); ++i) arrive();
    finished.clear();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
/// The baseline: the draws alone, one block for each sequence-step.
void bare_draws(benchmark::State& state) {
  const auto size = static_cast<std::size_t>(state.range(0));
  std::vector<std::uint32_t> low(size, 1), high(size, 0), token(size, 3);
  std::vector<std::uint32_t> w0(size), w1(size), w2(size), w3(size);
  for (auto _ : state) {
    models::philox_batch({1, 2}, {low.data(), high.data(), token.data(), 0},
                         {w0.data(), w1.data(), w2.data(), w3.data()}, size);
    benchmark::DoNotOptimize(w0.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(bare_draws)->ArgName("batch")->Arg(45)->Arg(90)->Arg(256)->Arg(1024);

BENCHMARK(advance_full_batch)
    ->ArgNames({"batch", "kinds"})
    ->ArgsProduct({{45, 90, 256, 1024}, {1, 4}});

}  // namespace
}  // namespace specroute::sim
