#include "sim/serving/pair_tables.hpp"

#include <algorithm>

#include <specroute/vocab/check.hpp>

#include "models/degradation/corruption.hpp"
#include "models/degradation/loop.hpp"
#include "models/degradation/schema.hpp"
#include "models/speculation/acceptance.hpp"
#include "models/speculation/request_spread.hpp"
#include "sim/scenario/pairable.hpp"
#include "sim/serving/mismatch.hpp"
#include "sim/serving/model_inputs.hpp"

namespace specroute::sim {
namespace {

using models::SamplingParameters;
using models::Verifier;

std::array<std::uint32_t, kMaxDraftTokens + 1> thresholds(const models::StepHazard& hazard,
                                                          std::uint32_t draft_tokens) {
  return models::step_thresholds(hazard, static_cast<int>(draft_tokens));
}

/// Of a token past the first block; nothing where both sides agree.
models::StepHazard corruption(const Degradation& degradation, const models::PairMismatch& of) {
  const double hazard = degradation.corruption_hazard_per_token;
  return models::corruption_step_hazard({hazard, hazard, hazard}, of);
}

/// Adds a share of a row's probabilities; shares of one row sum to 1, and thresholds are linear.
template <std::size_t kSize>
void add(std::array<std::uint32_t, kSize>& total, const std::array<std::uint32_t, kSize>& part,
         double share) {
  for (std::size_t i = 0; i < kSize; ++i) total[i] += static_cast<std::uint32_t>(share * part[i]);
}
void add(StepRow& total, const StepRow& part, double share) {
  add(total.accepted, part.accepted, share);
  add(total.loop, part.loop, share);
  add(total.schema, part.schema, share);
  add(total.corruption, part.corruption, share);
}

void report(const Diagnostics& from, const std::string& place, Diagnostics& faults) {
  for (Diagnostic fault : from) {
    fault.place = place;
    faults.push_back(fault);
  }
}

/// Draft lengths of a schedule besides 0 and the pool's own, rising.
std::vector<std::uint32_t> shorter_drafts(const Speculation& speculation) {
  std::vector<std::uint32_t> lengths;
  for (const DraftTokensFrom& step : speculation.schedule.by_batch)
    if (step.draft_tokens > 0 && step.draft_tokens != speculation.draft_tokens)
      lengths.push_back(step.draft_tokens);
  std::ranges::sort(lengths);
  const auto repeats = std::ranges::unique(lengths);
  lengths.erase(repeats.begin(), repeats.end());
  return lengths;
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
  book.layout_ = row_layout(scenario.acceptance);
  for (const std::uint32_t block : mismatched_block_tokens(scenario)) book.layout_.add_edge(block);
  const auto table = scenario.vocabulary_slice == models::PositionTableSize{}.vocabulary
                         ? models::PositionTable::standard()
                         : std::make_shared<const models::PositionTable>(
                               models::PositionTableSize{.vocabulary = scenario.vocabulary_slice});
  Diagnostics faults;
  for (std::size_t i = 0; i < scenario.acceptance.size(); ++i) book.add_pair(i, table, faults);
  if (!faults.empty()) return faults;
  return book;
}

/// After a fault the pairs that follow are still solved, for what there is to say of them.
void PairTableBook::add_pair(std::size_t pair,
                             const std::shared_ptr<const models::PositionTable>& table,
                             Diagnostics& faults) {
  const std::string place = "/acceptance/pairs/" + std::to_string(pair);
  const auto solved = pair_parameters(scenario_->acceptance[pair], table);
  if (!solved) return report(solved.diagnostics(), place + "/calibrate", faults);
  const models::PairModel model = models::has_evidence(solved.value())
                                      ? models::PairModel{solved.value()}
                                      : models::PairModel{solved.value(), table};
  const auto shapes = DraftShapes::create(scenario_->acceptance[pair], model);
  if (!shapes) report(shapes.diagnostics(), place + "/per_position", faults);
  if (!faults.empty()) return;
  models_.push_back(model);
  shapes_.push_back(shapes.value());
  std::vector<double> spreads;
  for (const TrafficKind& kind : kinds_) {
    const auto scale = spread(pair, kind);
    if (!scale) report(scale.diagnostics(), place + "/correlation", faults);
    spreads.push_back(scale ? scale.value() : 0.0);
  }
  spreads_.push_back(std::move(spreads));
}

const Speculation& PairTableBook::speculation_of(const TrafficKind& kind) const {
  const PoolId pool = scenario_->classes[kind.request_class.index()].pool;
  return scenario_->pools[pool.index()].speculation;
}

Result<double> PairTableBook::spread(std::size_t pair, const TrafficKind& kind) {
  const AcceptancePair& given = scenario_->acceptance[pair];
  const RequestClass& asking = scenario_->classes[kind.request_class.index()];
  const auto has = [&](Role role, const std::string& model) {
    return std::ranges::any_of(scenario_->backends, [&](const Backend& backend) {
      return backend.role == role && draws_on(*scenario_, asking.pool, backend.pool) &&
             backend.model == model;
    });
  };
  const Speculation& speculation = speculation_of(kind);
  if (given.correlation == 0.0 || given.content != kind.content ||
      speculation.rule == Rule::synthetic || !has(Role::target, given.target_model) ||
      !has(Role::draft, given.draft_model))
    return 0.0;
  const auto wanted = sampling_parameters(scenario_->profiles[asking.profile.index()].sampling);
  const double alpha = outcome(pair, verifier(speculation), models::healthy(wanted)).acceptance;
  return models::scale_for_correlation(
      shapes_[pair].mean_shape(alpha, static_cast<int>(speculation.draft_tokens)),
      given.correlation);
}

void PairTableBook::warm_up(const ConditionPlan& plan) {
  std::vector<Seconds> dates{Seconds{0.0}};
  for (const auto& change : plan.changes()) dates.push_back(change.date);
  const auto backends = static_cast<std::uint32_t>(scenario_->backends.size());
  for (std::uint32_t t = 0; t < backends; ++t) {
    if (scenario_->backends[t].role != Role::target) continue;
    for (const Seconds date : dates) {
      (void)tables(BackendId{t}, BackendId{}, plan, date);
      for (std::uint32_t d = 0; d < backends; ++d)
        if (pairable(*scenario_, BackendId{t}, BackendId{d}))
          (void)tables(BackendId{t}, BackendId{d}, plan, date);
    }
  }
}

std::shared_ptr<const PairTables> PairTableBook::tables(BackendId target, BackendId draft,
                                                        const ConditionPlan& plan, Seconds now) {
  const Sides sides = sides_of(target, draft, plan, now);
  auto result = std::make_shared<PairTables>();
  const Speculation& speculation = sides.speculation;
  result->tables.draft_tokens = draft.exists() ? speculation.draft_tokens : 0;
  if (draft.exists())
    for (const std::uint32_t tokens : shorter_drafts(speculation))
      result->shorter.push_back({.draft_tokens = tokens, .rows = {}});
  std::vector<StepTables*> all{&result->tables};
  for (StepTables& shorter : result->shorter) all.push_back(&shorter);
  for (StepTables* each : all) {
    each->rows.resize(layout_.rows_per_kind() * kinds_.size());
    for (const TrafficKind& kind : kinds_) {
      if (scenario_->classes[kind.request_class.index()].pool != sides.target_engine.pool) continue;
      for (const Case& c : cases_of(kind, sides)) add_rows(*each, result->harmful, c);
    }
  }
  return result;
}

PairTableBook::Sides PairTableBook::sides_of(BackendId target, BackendId draft,
                                             const ConditionPlan& plan, Seconds now) const {
  const Backend& configured = scenario_->backends[target.index()];
  const Speculation& speculation = scenario_->pools[configured.pool.index()].speculation;
  Sides sides{.target = target,
              .draft = draft,
              .target_engine = plan.engines.live(target, configured, now),
              .draft_engine = {},
              .speculation = plan.engines.speculation(target, speculation, now),
              .rule_as_configured = false,
              .plan = plan,
              .now = now};
  sides.rule_as_configured = verifier(sides.speculation) == verifier(speculation);
  if (draft.exists())
    sides.draft_engine = plan.engines.live(draft, scenario_->backends[draft.index()], now);
  return sides;
}

std::vector<PairTableBook::Case> PairTableBook::cases_of(const TrafficKind& kind,
                                                         const Sides& sides) const {
  const OverridePlan& plan = sides.plan.overrides;
  const bool target_shares = plan.shares_last_request(sides.target, sides.now);
  const bool draft_shares =
      sides.draft.exists() && plan.shares_last_request(sides.draft, sides.now);
  const RequestClass& own = scenario_->classes[kind.request_class.index()];
  const bool told = sides.speculation.rule_parameters.draft_probabilities_forwarded;
  const auto asked_by = [&](const RequestClass& c) -> const Sampling& {
    return scenario_->profiles[c.profile.index()].sampling;
  };
  const auto case_under = [&](const RequestClass& last, double share) {
    const auto served = sampling_parameters(
        plan.applied(sides.target, asked_by(target_shares ? last : own), sides.now));
    const auto drafted = sides.draft.exists()
                             ? sampling_parameters(plan.applied(
                                   sides.draft, asked_by(draft_shares ? last : own), sides.now))
                             : served;
    // Unless it is told, the verifier takes the draft to sample as it does itself.
    return Case{kind,
                sides,
                sampling_parameters(asked_by(own)),
                {.request = served, .in_force = drafted, .believed = told ? drafted : served},
                share};
  };
  if (!target_shares && !draft_shares) return {case_under(own, 1.0)};
  double rate = 0.0;
  double classes = 0.0;
  for (const RequestClass& c : scenario_->classes)
    if (c.pool == own.pool) {
      rate += c.arrivals.open.rate_per_s;
      classes += 1.0;
    }
  // Where no class states a rate (users in a loop, a trace), each counts alike.
  std::vector<Case> cases;
  for (const RequestClass& c : scenario_->classes)
    if (c.pool == own.pool)
      cases.push_back(
          case_under(c, rate > 0.0 ? c.arrivals.open.rate_per_s / rate : 1.0 / classes));
  return cases;
}

/// The token-pair model of this target, draft and content; alone, any draft's will do, since only
/// what the target emits is asked of it.
std::size_t PairTableBook::model_of(const Case& c) const {
  for (std::size_t i = 0; i < models_.size(); ++i) {
    const AcceptancePair& pair = scenario_->acceptance[i];
    if (pair.content == c.kind.content && pair.target_model == c.sides.target_engine.model &&
        (!c.sides.draft.exists() || (pair.draft_model == c.sides.draft_engine.model &&
                                     pair.draft_weights == c.sides.draft_engine.draft_weights)))
      return i;
  }
  check(false, "the reader made sure of an acceptance pair for every combination");
  return 0;
}

const models::RuleOutcome& PairTableBook::outcome(std::size_t model, const Verifier& given,
                                                  const models::Situation& situation) {
  const Verifier used = models::effective(given, situation);
  std::vector<double> shape{used.lenience,         used.posterior_threshold, used.posterior_alpha,
                            used.threshold_single, used.threshold_acc,       used.synthetic_share};
  for (const SamplingParameters* side :
       {&situation.request, &situation.in_force, &situation.believed})
    shape.insert(shape.end(),
                 {side->temperature, side->top_p, static_cast<double>(side->top_k), side->min_p});
  const Key key{model, used.rule, std::move(shape)};
  const auto known = outcomes_.find(key);
  if (known != outcomes_.end()) return known->second;
  return outcomes_.emplace(key, models::evaluate(models_[model], used, situation)).first->second;
}

const PairTableBook::Accepted& PairTableBook::accepted(const Case& c, std::size_t model,
                                                       double alpha, std::uint32_t draft_tokens) {
  const auto kind = static_cast<std::size_t>(&c.kind - kinds_.data());
  const int gamma = static_cast<int>(draft_tokens);
  std::vector<double> given;
  if (c.sides.speculation.rule == Rule::synthetic && gamma > 0)
    given = c.sides.speculation.rule_parameters.synthetic_acceptance_rates;
  Accepted& known = accepted_[{model, kind, alpha, draft_tokens, given}];
  if (!known.empty()) return known;
  if (!given.empty()) {
    known.assign(std::size_t{layout_.quantiles} * layout_.ranges(),
                 models::accepted_thresholds(models::conditional_shape(given)).at_least);
    return known;
  }
  const DraftShapes& shapes = shapes_[model];
  for (const auto& shape :
       shapes.shapes(shapes.mean_shape(alpha, gamma), spreads_[model][kind], layout_))
    known.push_back(models::accepted_thresholds(shape).at_least);
  return known;
}

void PairTableBook::add_rows(StepTables& tables, bool& harmful, const Case& c) {
  const Degradation& degradation = scenario_->degradation;
  const std::size_t model = model_of(c);
  const Verifier rule = verifier(c.sides.speculation);
  const models::RuleOutcome& found = outcome(model, rule, c.situation);

  SamplingParameters reference;
  reference.temperature = degradation.loop_reference_temperature;
  const models::LoopModel loops{
      .greedy_hazard = degradation.loop_hazard_at_zero_entropy,
      .ratio = degradation.loop_greedy_to_sampled_ratio,
      .reference_entropy_nats = outcome(model, {.rule = models::VerificationRule::exact_match},
                                        models::healthy(reference))
                                    .bonus_entropy_nats,
      .looping_acceptance = degradation.looping_acceptance,
      .escape_hazard = degradation.loop_escape_hazard};
  const models::StepHazard schema_hazard =
      models::schema_step_hazard(models::SchemaModel{degradation.schema_hazard_per_token},
                                 rule.rule, c.situation, c.requested.grammar_id);
  const models::StepHazard corruption_hazard =
      c.sides.draft.exists()
          ? corruption(degradation, mismatch_of(c.sides.target_engine, c.sides.draft_engine))
          : models::StepHazard{};

  const std::uint32_t gamma = tables.draft_tokens;
  StepRow normal;
  normal.loop = thresholds(models::loop_step_hazard(loops, found), gamma);
  normal.schema = thresholds(schema_hazard, gamma);
  StepRow looping = normal;
  looping.accepted =
      models::accepted_thresholds(models::looping_shape(loops, static_cast<int>(gamma))).at_least;
  looping.loop = thresholds(models::escape_step_hazard(loops), gamma);

  const auto kind = static_cast<std::uint32_t>(&c.kind - kinds_.data());
  TrafficRow row = layout_.row(kind, 0, 0);
  for (const auto& thresholds_of_row : accepted(c, model, found.acceptance, gamma)) {
    const std::uint32_t range = row / 2 % layout_.ranges();
    const bool past =
        models::past_first_block(layout_.begin_of(range), c.sides.target_engine.kv_block_tokens);
    normal.accepted = thresholds_of_row;
    normal.corruption = looping.corruption =
        thresholds(past ? corruption_hazard : models::StepHazard{}, gamma);
    add(tables.rows[row++], normal, c.share);
    add(tables.rows[row++], looping, c.share);
  }
  constexpr double kExact = 1e-9;  // rounding of sums over a vocabulary
  // A rule that is lossy by configuration serves as it is meant to while both sides agree.
  const bool as_meant = c.sides.rule_as_configured &&
                        models::same_distribution(c.situation.in_force, c.situation.request) &&
                        models::same_distribution(c.situation.believed, c.situation.request);
  const bool biased = c.sides.draft.exists() && !as_meant && found.total_variation > kExact;
  harmful = harmful || biased || corruption_hazard.verified > 0.0 || schema_hazard.verified > 0.0 ||
            schema_hazard.bonus > 0.0 ||
            !models::same_distribution(c.situation.request, c.requested);
}

}  // namespace specroute::sim
