#include "sim/validation/stale_override_signs.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "models/speculation/rules.hpp"
#include "models/speculation/token_pair.hpp"

namespace specroute::sim::validation {
namespace {

using models::SamplingParameters;
using models::Situation;
using models::VerificationRule;

constexpr double kMoves = 0.05;   ///< a change of alpha that a telemetry window sees
constexpr double kExact = 1e-9;   ///< total variation of an output that is exact
constexpr double kBiased = 0.05;  ///< of one that is not

enum class Change { rises, falls, stays };

struct Case {
  const char* what;
  VerificationRule rule;
  Situation healthy;
  Situation faulty;
  Change change;
  bool exact;
};

SamplingParameters at(double temperature) {
  return {.temperature = temperature};
}

/// The verifier knows what the draft applies.
Situation told(const SamplingParameters& request, const SamplingParameters& in_force) {
  return {.request = request, .in_force = in_force, .believed = in_force};
}

std::vector<Case> cases() {
  const auto request = at(0.7);
  const auto healthy = models::healthy(request);
  const auto stuck = models::stale_draft(request, at(0.0));
  const auto cold = models::stale_draft(request, at(0.2));
  const auto greedy = models::healthy(at(0.0));
  using Rule = VerificationRule;
  return {
      {"rejection, verifier told that q is one-hot", Rule::rejection, healthy,
       told(request, at(0.0)), Change::falls, true},
      {"rejection, verifier not told", Rule::rejection, healthy, stuck, Change::stays, false},
      {"rejection, draft at T = 0.2, verifier not told", Rule::rejection, healthy, cold,
       Change::stays, false},
      {"exact match", Rule::exact_match, healthy, stuck, Change::rises, true},
      {"exact match, draft at T = 0.2", Rule::exact_match, healthy, cold, Change::rises, true},
      {"one-hot", Rule::one_hot, healthy, stuck, Change::rises, true},
      {"forwarded logits", Rule::forwarded_logits, healthy, stuck, Change::rises, false},
      {"forwarded logits, draft at T = 0.2", Rule::forwarded_logits, healthy, cold, Change::rises,
       false},
      {"exact match, request and draft at T = 0", Rule::exact_match, healthy, greedy, Change::rises,
       true},
  };
}

struct Pair {
  const char* name;
  models::PairParameters parameters;
};

/// The incident's pair (docs/model.md), and one whose draft is worse and whose text is less sharp.
constexpr Pair kPairs[] = {
    {"the incident's pair", {.sharpness = 4.43, .noise = 0.118}},
    {"a rougher pair", {.sharpness = 3.0, .noise = 1.0}},
};

Bound change_bound(const std::string& name, Change change, double difference) {
  switch (change) {
    case Change::rises:
      return {.name = name,
              .statistic = "alpha rises",
              .measured = difference,
              .limit = kMoves,
              .direction = Direction::at_least};
    case Change::falls:
      return {.name = name, .statistic = "alpha falls", .measured = difference, .limit = -kMoves};
    case Change::stays:
      break;
  }
  return {.name = name,
          .statistic = "alpha stays, |change|",
          .measured = std::abs(difference),
          .limit = kMoves};
}

Bound output_bound(const std::string& name, bool exact, double total_variation) {
  if (exact)
    return {.name = name,
            .statistic = "output exact, total variation",
            .measured = total_variation,
            .limit = kExact};
  return {.name = name,
          .statistic = "output biased, total variation",
          .measured = total_variation,
          .limit = kBiased,
          .direction = Direction::at_least};
}

std::string expectation_of(const Case& one) {
  constexpr const char* kChanges[] = {"rises", "falls", "stays"};
  return std::string(kChanges[static_cast<std::size_t>(one.change)]) +
         (one.exact ? ", exact" : ", biased");
}

void add_case(const Case& one, const Pair& pair, Section& section) {
  const models::PairModel model(pair.parameters);
  const auto before = models::evaluate(model, one.rule, one.healthy);
  const auto after = models::evaluate(model, one.rule, one.faulty);
  const std::string name = std::string(one.what) + ", " + pair.name;
  section.bounds.push_back(change_bound(name, one.change, after.acceptance - before.acceptance));
  section.bounds.push_back(output_bound(name, one.exact, after.total_variation));
  section.tables.back().rows.push_back({one.what,
                                        pair.name,
                                        {before.acceptance, 3},
                                        {after.acceptance, 3},
                                        {before.emitted_entropy_nats, 2},
                                        {after.emitted_entropy_nats, 2},
                                        {after.total_variation, 3},
                                        expectation_of(one)});
}

}  // namespace

Section stale_override_signs_section() {
  Section section{
      .id = "stale_override_signs",
      .title = "One stale override, different signs",
      .question =
          "Requests ask for temperature 0.7 and the draft is stuck at 0 (or 0.2). The rule of "
          "verification alone decides whether acceptance rises, falls or stays, and whether the "
          "output is what was asked for: a threshold on acceptance sees benign spikes and misses "
          "biased output. Signs follow from the formulas (docs/model.md); sizes are "
          "those of two made-up pairs and say nothing about real models.",
      .evidence = Evidence::own_check};
  section.tables.push_back(
      {.caption = "Acceptance of one position, and what is emitted",
       .header = {"rule and fault", "pair", "alpha healthy", "alpha faulty",
                  "entropy healthy, nats", "entropy faulty, nats", "total variation", "expected"},
       .rows = {}});
  for (const Pair& pair : kPairs)
    for (const Case& one : cases()) add_case(one, pair, section);
  return section;
}

}  // namespace specroute::sim::validation
