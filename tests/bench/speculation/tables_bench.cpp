// What it costs to get from a scenario's figures to its step tables, part by part. The position
// table is made once per process; every other bench runs with it there.
#include <benchmark/benchmark.h>

#include "models/speculation/acceptance.hpp"
#include "models/speculation/calibration.hpp"
#include "models/speculation/rules.hpp"
#include "sim/serving/pair_tables.hpp"

namespace specroute {
namespace {

using models::FigureKind;
using models::VerificationRule;

constexpr models::PairParameters kIncident{.sharpness = 4.43, .noise = 0.118};

void position_table(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(models::PositionTable{models::PositionTableSize{}});
}
BENCHMARK(position_table)->Unit(benchmark::kMillisecond);

void evaluate_rule(benchmark::State& state) {
  const models::PairModel model{kIncident};
  const models::Verifier verifier{.rule = static_cast<VerificationRule>(state.range(0)),
                                  .synthetic_share = 0.7};
  const models::SamplingParameters request{.temperature = 0.7};
  const models::SamplingParameters stale{.temperature = state.range(1) == 0 ? 0.7 : 0.0};
  for (auto _ : state)
    benchmark::DoNotOptimize(
        models::evaluate(model, verifier, models::stale_draft(request, stale)));
  state.SetLabel(std::string{to_string(verifier.rule)} +
                 (state.range(1) == 0 ? ", healthy" : ", stale"));
}
BENCHMARK(evaluate_rule)
    ->ArgNames({"rule", "stale"})
    ->ArgsProduct({benchmark::CreateDenseRange(0, 7, 1), {0, 1}})
    ->Unit(benchmark::kMillisecond);

models::Figure figure(const models::PairModel& model, FigureKind kind, double temperature) {
  const models::SamplingParameters parameters{.temperature = temperature};
  const auto accepted = models::healthy_acceptance(model, parameters);
  const double alpha = kind == FigureKind::argmax_agreement       ? argmax_agreement(model)
                       : kind == FigureKind::rejection_acceptance ? accepted.rejection
                                                                  : accepted.exact_match;
  return {kind, models::rate_from_alpha(alpha, 2), 2, parameters};
}

void calibrate(benchmark::State& state, const models::CalibrationRequest& request) {
  for (auto _ : state) {
    const auto pair = models::calibrate(request);
    if (!pair.ok()) state.SkipWithError("refused");
  }
}

void calibrate_pairs(benchmark::State& state) {
  const models::PairModel model{{.sharpness = 4.0, .noise = 0.5, .fidelity = 0.6}};
  const auto agreement = figure(model, FigureKind::argmax_agreement, 0.0);
  const auto match = figure(model, FigureKind::exact_match_acceptance, 0.7);
  const auto rejection = figure(model, FigureKind::rejection_acceptance, 0.7);
  const auto warmer = figure(model, FigureKind::exact_match_acceptance, 1.2);
  switch (state.range(0)) {
    case 0:
      state.SetLabel("exact match with agreement");
      return calibrate(state, {match, agreement, 0.6});
    case 1:
      state.SetLabel("exact match with rejection");
      return calibrate(state, {match, rejection, 0.6});
    case 2:
      state.SetLabel("two temperatures");
      return calibrate(state, {match, warmer, 0.6});
    case 3:
      state.SetLabel("three, with agreement");
      return calibrate(state, {match, rejection, 1.0, 0.0, agreement});
    default:
      state.SetLabel("three acceptances");
      return calibrate(state, {match, rejection, 1.0, 0.0, warmer});
  }
}
BENCHMARK(calibrate_pairs)->DenseRange(0, 4)->Unit(benchmark::kMillisecond);

/// One target and one draft that goes stale, under a rule; optionally with a spread of requests and
/// a curve over context.
sim::Scenario scenario(sim::Rule rule, bool shaped) {
  const auto backend = [](const char* name, sim::Role role) {
    sim::Backend result{};
    result.name = name;
    result.role = role;
    result.model = role == sim::Role::target ? "llama-3.1-8b" : "smollm-135m";
    result.pool = PoolId{0};
    result.tokenizer = "llama-3.1";
    result.attention_mask = "causal";
    result.kv_block_tokens = 16;
    return result;
  };
  using Kind = sim::AcceptanceFigure::Kind;
  const sim::Sampling sampled{0.7, 1.0, 0, 0.0, 7, ""};
  sim::Scenario s{};
  s.pools = {{"pool", {rule, sim::Forward::logits, 2, Bytes{512.0}, 1}}};
  s.pools[0].speculation.rule_parameters = {1.0, 0.09, 0.3, 1.0, 1.0, {0.6, 0.4}};
  s.backends = {backend("target", sim::Role::target), backend("draft", sim::Role::draft)};
  s.profiles = {{"chat", sampled}};
  sim::RequestClass asking{};
  asking.pool = PoolId{0};
  asking.profile = ProfileId{0};
  asking.content = {{Seconds{0.0}, "prose"}};
  s.classes = {asking};
  s.vocabulary_slice = 512;
  s.acceptance = {{"llama-3.1-8b", "smollm-135m", "prose", 1.0, {}, {}, {}}};
  s.acceptance[0].calibrate = {{Kind::exact_match_rate, 0.41, rule, sampled, 2},
                               {Kind::argmax_agreement_rate, 0.94, rule, sampled, 2}};
  if (shaped) {
    s.acceptance[0].correlation = 0.1;
    s.acceptance[0].context_decay = models::ContextDecay{
        models::ContextDecay::Of::mean_acceptance_length, {{2000.0, 2.295}, {20000.0, 1.084}}};
  }
  s.degradation = {5e-4, 335.0, 0.7, 0.95, 1e-4, 1e-2, 0.0, 8};
  s.overrides = {{.backend = BackendId{1},
                  .owner = "job",
                  .from = Seconds{10.0},
                  .owner_gone = Seconds{20.0},
                  .until = {},
                  .replaces_block = true,
                  .temperature = 0.0,
                  .top_p = {},
                  .top_k = {},
                  .min_p = {},
                  .seed = {},
                  .grammar = {}}};
  return s;
}

/// Calibration, evaluation of both states, all rows.
void all_tables(benchmark::State& state) {
  const auto given = scenario(static_cast<sim::Rule>(state.range(0)), state.range(1) != 0);
  const sim::OverridePlan plan(given.overrides);
  for (auto _ : state) {
    sim::PairTableBook book = sim::PairTableBook::create(given).value();
    book.warm_up(plan);
    benchmark::DoNotOptimize(book.layout());
  }
}
BENCHMARK(all_tables)
    ->ArgNames({"rule", "shaped"})
    ->ArgsProduct({benchmark::CreateDenseRange(0, 7, 1), {0, 1}})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace specroute
