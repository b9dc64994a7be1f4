/// @file
/// Step tables of a pairing, from the token-pair model, the rule, and what both sides really apply.
///
/// This is where truth is made: who is paired with whom, under which overrides, decides what is
/// accepted, what is emitted, and which hazards a token carries. Routing never sees it.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include <specroute/vocab/id.hpp>
#include <specroute/vocab/result.hpp>
#include <specroute/vocab/units.hpp>

#include "models/speculation/rules.hpp"
#include "sim/faults/condition_plan.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/serving/draft_shapes.hpp"
#include "sim/serving/row_layout.hpp"
#include "sim/serving/step_table.hpp"

namespace specroute::sim {

/// A (class, content) combination: what traffic rows are about.
struct TrafficKind {
  ClassId request_class;
  std::string content;
};

/// All kinds of a scenario, by class and phase.
[[nodiscard]] std::vector<TrafficKind> traffic_kinds(const Scenario& scenario);

/// Tables and the truth about them. `harmful`: some kind of the pool's traffic is not served as it
/// asks to be: its emitted distribution differs (but for what the configured rule, if it is lossy,
/// does between sides that agree), or its grammar is bypassed, or positions are off.
struct PairTables {
  StepTables tables;
  std::vector<StepTables> shorter;  ///< the same pair at the schedule's other draft lengths, rising
  bool harmful = false;
};

/// Builds and remembers tables. Building is pure: equal backends in equal states share one table.
class PairTableBook {
 public:
  /// Calibrates every pair of the scenario, or says which of its figures no pair can have, and
  /// which correlation no requests.
  static Result<PairTableBook> create(const Scenario& scenario);

  /// Fills the memory for every pairing and override state that the scenario can reach, so that
  /// replications forked afterwards find all they need.
  void warm_up(const ConditionPlan& plan);

  /// @param draft may not exist: the target decodes alone.
  [[nodiscard]] std::shared_ptr<const PairTables> tables(BackendId target, BackendId draft,
                                                         const ConditionPlan& plan, Seconds now);

  /// Which row of the tables serves whom.
  [[nodiscard]] const RowLayout& layout() const { return layout_; }

  /// The calibrated parameters, in the order of the scenario's acceptance pairs.
  [[nodiscard]] const std::vector<models::PairModel>& models() const { return models_; }

 private:
  /// (model, rule, its parameters and the twelve numbers that shape the three distributions)
  using Key = std::tuple<std::size_t, models::VerificationRule, std::vector<double>>;
  /// Both sides of a pairing as they are at one date.
  struct Sides {
    BackendId target;
    BackendId draft;  ///< may not exist; then `draft_engine` means nothing
    Backend target_engine;
    Backend draft_engine;
    Speculation speculation;
    bool rule_as_configured;
    const ConditionPlan& plan;
    Seconds now;
  };
  /// One kind of traffic on one pairing, with the share of its steps that it is about.
  struct Case {
    const TrafficKind& kind;
    const Sides& sides;
    models::SamplingParameters requested;
    models::Situation situation;  ///< what both sides make of it
    double share;
  };

  explicit PairTableBook(const Scenario& scenario) : scenario_(&scenario) {}
  [[nodiscard]] std::size_t model_of(const Case& c) const;
  [[nodiscard]] const models::RuleOutcome& outcome(std::size_t model,
                                                   const models::Verifier& verifier,
                                                   const models::Situation& situation);
  void add_pair(std::size_t pair, const std::shared_ptr<const models::PositionTable>& table,
                Diagnostics& faults);
  [[nodiscard]] const Speculation& speculation_of(const TrafficKind& kind) const;
  /// Solves the spread of requests that a pair's correlation stands for in one kind of traffic.
  [[nodiscard]] Result<double> spread(std::size_t pair, const TrafficKind& kind);
  /// Thresholds of the accepted count, [quantile x ranges + range].
  using Accepted = std::vector<std::array<std::uint32_t, kMaxDraftTokens>>;
  /// (model, kind, alpha, draft tokens, synthetic rates)
  using AcceptedKey =
      std::tuple<std::size_t, std::size_t, double, std::uint32_t, std::vector<double>>;
  [[nodiscard]] const Accepted& accepted(const Case& c, std::size_t model, double alpha,
                                         std::uint32_t draft_tokens);
  [[nodiscard]] Sides sides_of(BackendId target, BackendId draft, const ConditionPlan& plan,
                               Seconds now) const;
  /// The kind's steps: all under its own parameters, or under those of whoever joined last.
  [[nodiscard]] std::vector<Case> cases_of(const TrafficKind& kind, const Sides& sides) const;
  void add_rows(StepTables& tables, bool& harmful, const Case& c);

  const Scenario* scenario_;
  std::vector<TrafficKind> kinds_;
  RowLayout layout_;
  std::vector<models::PairModel> models_;
  std::vector<DraftShapes> shapes_;           ///< by acceptance pair
  std::vector<std::vector<double>> spreads_;  ///< by acceptance pair and kind
  std::map<Key, models::RuleOutcome> outcomes_;
  std::map<AcceptedKey, Accepted> accepted_;
};

}  // namespace specroute::sim
