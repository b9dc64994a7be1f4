#include "sim/serving/pair_tables.hpp"

#include <algorithm>

#include <specroute/vocab/check.hpp>

#include "models/degradation/corruption.hpp"
#include "models/degradation/loop.hpp"
#include "models/degradation/schema.hpp"
#include "models/speculation/acceptance.hpp"
#include "models/speculation/calibration.hpp"

namespace specroute::sim {
namespace {

using models::SamplingParameters;
using models::VerificationRule;

SamplingParameters parameters(const Sampling& sampling) {
  return {.temperature = sampling.temperature,
          .top_p = sampling.top_p,
          .top_k = static_cast<int>(sampling.top_k),
          .min_p = sampling.min_p,
          .seed = sampling.seed,
          .grammar_id = sampling.grammar};
}

VerificationRule rule_of(Rule rule) {
  switch (rule) {
    case Rule::rejection:
      return VerificationRule::rejection;
    case Rule::exact_match:
      return VerificationRule::exact_match;
    case Rule::one_hot:
      return VerificationRule::one_hot;
    case Rule::forwarded_logits:
      return VerificationRule::forwarded_logits;
  }
  check(false, "every rule has its model");
  return VerificationRule::rejection;
}

models::Figure figure(const AcceptanceFigure& from) {
  models::Figure figure{.kind = models::FigureKind::argmax_agreement,
                        .rate = from.value,
                        .draft_tokens = static_cast<int>(from.draft_tokens),
                        .parameters = {}};
  if (from.kind == AcceptanceFigure::Kind::argmax_agreement_rate) return figure;
  figure.kind = from.kind == AcceptanceFigure::Kind::rejection_rate
                    ? models::FigureKind::rejection_acceptance
                    : models::FigureKind::exact_match_acceptance;
  figure.parameters.temperature = from.temperature;
  return figure;
}

Result<models::PairParameters> solve(const AcceptancePair& pair,
                                     const std::shared_ptr<const models::PositionTable>& table) {
  if (pair.sharpness && pair.noise)
    return models::PairParameters{
        .sharpness = *pair.sharpness, .noise = *pair.noise, .fidelity = pair.kappa};
  check(pair.calibrate.size() == 2, "a pair has parameters or two figures");
  return models::calibrate({.first = figure(pair.calibrate[0]),
                            .second = figure(pair.calibrate[1]),
                            .fidelity = pair.kappa},
                           table);
}

std::array<std::uint32_t, kMaxDraftTokens + 1> thresholds(const models::StepHazard& hazard,
                                                          std::uint32_t draft_tokens) {
  return models::step_thresholds(hazard, static_cast<int>(draft_tokens));
}

}  // namespace

std::vector<TrafficKind> traffic_kinds(const Scenario& scenario) {
  std::vector<TrafficKind> kinds;
  for (std::uint32_t c = 0; c < scenario.classes.size(); ++c)
    for (const ContentPhase& phase : scenario.classes[c].content)
      kinds.push_back({ClassId{c}, phase.content});
  return kinds;
}

Result<PairTableBook> PairTableBook::create(const Scenario& scenario) {
  PairTableBook book(scenario);
  book.kinds_ = traffic_kinds(scenario);
  const auto table = scenario.vocabulary_slice == models::PositionTableSize{}.vocabulary
                         ? models::PositionTable::standard()
                         : std::make_shared<const models::PositionTable>(
                               models::PositionTableSize{.vocabulary = scenario.vocabulary_slice});
  Diagnostics faults;
  for (std::size_t i = 0; i < scenario.acceptance.size(); ++i) {
    const auto solved = solve(scenario.acceptance[i], table);
    if (solved) {
      book.models_.emplace_back(solved.value(), table);
      continue;
    }
    for (Diagnostic fault : solved.diagnostics()) {
      fault.place = "/acceptance/pairs/" + std::to_string(i) + "/calibrate";
      faults.push_back(fault);
    }
  }
  if (!faults.empty()) return faults;
  return book;
}

void PairTableBook::warm_up(const OverridePlan& plan) {
  std::vector<Seconds> dates{Seconds{0.0}};
  for (const auto& change : plan.changes()) dates.push_back(change.date);
  const auto backends = static_cast<std::uint32_t>(scenario_->backends.size());
  for (std::uint32_t t = 0; t < backends; ++t) {
    if (scenario_->backends[t].role != Role::target) continue;
    for (const Seconds date : dates) {
      (void)tables(BackendId{t}, BackendId{}, plan, date);
      for (std::uint32_t d = 0; d < backends; ++d)
        if (scenario_->backends[d].role == Role::draft &&
            scenario_->backends[d].pool == scenario_->backends[t].pool)
          (void)tables(BackendId{t}, BackendId{d}, plan, date);
    }
  }
}

std::shared_ptr<const PairTables> PairTableBook::tables(BackendId target, BackendId draft,
                                                        const OverridePlan& plan, Seconds now) {
  const PoolId pool = scenario_->backends[target.index()].pool;
  auto result = std::make_shared<PairTables>();
  result->tables.draft_tokens =
      draft.exists() ? scenario_->pools[pool.index()].speculation.draft_tokens : 0;
  result->tables.rows.resize(2 * kinds_.size());
  for (std::uint32_t k = 0; k < kinds_.size(); ++k) {
    if (scenario_->classes[kinds_[k].request_class.index()].pool != pool) continue;
    add_rows(*result, make_case(kinds_[k], target, draft, plan, now));
  }
  return result;
}

PairTableBook::Case PairTableBook::make_case(const TrafficKind& kind, BackendId target,
                                             BackendId draft, const OverridePlan& plan,
                                             Seconds now) const {
  const ProfileId profile = scenario_->classes[kind.request_class.index()].profile;
  const Sampling& asked = scenario_->profiles[profile.index()].sampling;
  const auto served = parameters(plan.applied(target, asked, now));
  const auto drafted = draft.exists() ? parameters(plan.applied(draft, asked, now)) : served;
  return {.kind = kind,
          .target = target,
          .draft = draft,
          .requested = parameters(asked),
          // The verifier takes the draft to sample as it does itself.
          .situation = {.request = served, .in_force = drafted, .believed = served}};
}

/// The token-pair model of this target, draft and content; alone, any draft's will do, since only
/// what the target emits is asked of it.
std::size_t PairTableBook::model_of(const Case& c) const {
  for (std::size_t i = 0; i < models_.size(); ++i) {
    const AcceptancePair& pair = scenario_->acceptance[i];
    if (pair.content == c.kind.content &&
        pair.target_model == scenario_->backends[c.target.index()].model &&
        (!c.draft.exists() || pair.draft_model == scenario_->backends[c.draft.index()].model))
      return i;
  }
  check(false, "the reader made sure of an acceptance pair for every combination");
  return 0;
}

const models::RuleOutcome& PairTableBook::outcome(std::size_t model, VerificationRule rule,
                                                  const models::Situation& situation) {
  std::vector<double> shape;
  for (const SamplingParameters* side :
       {&situation.request, &situation.in_force, &situation.believed})
    shape.insert(shape.end(),
                 {side->temperature, side->top_p, static_cast<double>(side->top_k), side->min_p});
  const Key key{model, rule, std::move(shape)};
  const auto known = outcomes_.find(key);
  if (known != outcomes_.end()) return known->second;
  return outcomes_.emplace(key, models::evaluate(models_[model], rule, situation)).first->second;
}

void PairTableBook::add_rows(PairTables& result, const Case& c) {
  const Degradation& degradation = scenario_->degradation;
  const Backend& target = scenario_->backends[c.target.index()];
  const std::size_t model = model_of(c);
  const auto rule = rule_of(scenario_->pools[target.pool.index()].speculation.rule);
  const models::RuleOutcome& found = outcome(model, rule, c.situation);

  SamplingParameters reference;
  reference.temperature = degradation.loop_reference_temperature;
  const models::LoopModel loops{
      .greedy_hazard = degradation.loop_hazard_at_zero_entropy,
      .ratio = degradation.loop_greedy_to_sampled_ratio,
      .reference_entropy_nats =
          outcome(model, VerificationRule::exact_match, models::healthy(reference))
              .bonus_entropy_nats,
      .looping_acceptance = degradation.looping_acceptance,
      .escape_hazard = degradation.loop_escape_hazard};
  const models::SchemaModel schema{degradation.schema_hazard_per_token};
  const double corruption = degradation.corruption_hazard_per_token;
  models::PairMismatch mismatch;
  if (c.draft.exists()) {
    const Backend& draft = scenario_->backends[c.draft.index()];
    mismatch = {.tokenizer = draft.tokenizer != target.tokenizer,
                .kv_block = draft.kv_block_tokens != target.kv_block_tokens,
                .attention_mask = draft.attention_mask != target.attention_mask};
  }

  const models::StepHazard schema_hazard =
      models::schema_step_hazard(schema, rule, c.situation, c.requested.grammar_id);

  const std::uint32_t gamma = result.tables.draft_tokens;
  const auto draft_tokens = static_cast<int>(gamma);
  StepRow normal;
  normal.accepted =
      models::accepted_thresholds(models::iid_shape(found.acceptance, draft_tokens)).at_least;
  normal.loop = thresholds(models::loop_step_hazard(loops, found), gamma);
  normal.schema = thresholds(schema_hazard, gamma);
  normal.corruption = thresholds(
      models::corruption_step_hazard({corruption, corruption, corruption}, mismatch), gamma);
  StepRow looping = normal;
  looping.accepted =
      models::accepted_thresholds(models::looping_shape(loops, draft_tokens)).at_least;
  looping.loop = thresholds(models::escape_step_hazard(loops), gamma);

  const auto kind = static_cast<std::size_t>(&c.kind - kinds_.data());
  result.tables.rows[2 * kind] = normal;
  result.tables.rows[2 * kind + 1] = looping;
  constexpr double kExact = 1e-9;  // rounding of sums over a vocabulary
  const bool biased = c.draft.exists() && found.total_variation > kExact;
  result.harmful = result.harmful || biased || mismatch.any() || schema_hazard.verified > 0.0 ||
                   schema_hazard.bonus > 0.0 ||
                   !models::same_distribution(c.situation.request, c.requested);
}

}  // namespace specroute::sim
