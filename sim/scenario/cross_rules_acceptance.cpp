#include <algorithm>
#include <array>

#include "sim/scenario/cross_rules.hpp"

namespace specroute::sim {
namespace {

/// Target model, draft model, content, version of the draft's weights.
using Combination = std::array<std::string, 4>;

std::vector<std::string> models_of_role(const ScenarioNames& names, const std::string& role) {
  std::vector<std::string> models;
  for (const auto& backend : names.backends)
    if (backend.role == role && std::ranges::find(models, backend.model) == models.end())
      models.push_back(backend.model);
  return models;
}

/// Models of every target and every draft of a pool, paired.
std::vector<std::pair<std::string, std::string>> pairs_of_pool(const ScenarioNames& names,
                                                               const std::string& pool) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const auto& target : names.backends)
    for (const auto& draft : names.backends)
      if (target.role == "target" && draft.role == "draft" && target.pool == pool &&
          names.draws_on(pool, draft.pool))
        pairs.emplace_back(target.model, draft.model);
  return pairs;
}

/// Every (target model, draft model, content) that a class can meet, each once, in file order.
std::vector<Combination> possible_combinations(const RuleInput& input) {
  std::vector<Combination> found;
  for (const auto& each : input.root.at("workload").items("classes"))
    for (const auto& phase : each.items("content"))
      for (const auto& [target, draft] : pairs_of_pool(input.names, each.text("pool").value_or("")))
        if (const Combination combination{target, draft, *phase.text("content"), {}};
            std::ranges::find(found, combination) == found.end())
          found.push_back(combination);
  return found;
}

}  // namespace

void acceptance_rules(const RuleInput& input, Faults& faults) {
  const ScenarioNames& names = input.names;
  std::vector<std::pair<Combination, std::string>> given;
  bool whole = names.complete;
  for (const auto& pair : input.root.at("acceptance").items("pairs")) {
    if (names.models_known) {
      require_known_name(pair, "target_model", models_of_role(names, "target"),
                         "the model of a target backend", faults);
      require_known_name(pair, "draft_model", models_of_role(names, "draft"),
                         "the model of a draft backend", faults);
    }
    if (names.contents_known)
      require_known_name(pair, "content", names.contents, "a content of a request class", faults);
    figure_rules(pair, faults);
    whole = whole && pair.text("target_model") && pair.text("draft_model") && pair.text("content");
    const Combination key{pair.text("target_model").value_or(""),
                          pair.text("draft_model").value_or(""), pair.text("content").value_or(""),
                          pair.text("draft_weights").value_or("")};
    const auto first = std::ranges::find(given, key, &std::pair<Combination, std::string>::first);
    if (first != given.end() && whole)
      faults.add(pair.pointer, "one entry for each combination",
                 "the combination of " + first->second);
    given.emplace_back(key, pair.pointer);
  }
  if (!whole || given.empty()) return;
  for (const auto& each : possible_combinations(input))
    if (std::ranges::find(given, each, &std::pair<Combination, std::string>::first) == given.end())
      faults.add("/acceptance/pairs",
                 "an entry for target_model " + quoted(each[0]) + ", draft_model " +
                     quoted(each[1]) + ", content " + quoted(each[2]),
                 "none");
}

}  // namespace specroute::sim
