#include "sim/scenario/cross_rules.hpp"

namespace specroute::sim {
namespace {

/// What a figure says, whatever it is called; empty where it is malformed. As the calibration has
/// it: at temperature 0, or top-k 1, an acceptance is the argmax agreement.
std::string statistic_of(const JsonNode& figure) {
  std::string kind = figure.text("figure").value_or("");
  if (kind == "argmax_agreement_rate" || figure.number("temperature") == 0.0 ||
      figure.number("top_k") == 1.0)
    return "argmax_agreement_rate";
  if (kind != "mean_acceptance_length") return kind;
  const std::string rule = figure.text("rule").value_or("");
  return rule.empty() ? rule : rule + "_rate";
}

bool same_parameters(const JsonNode& one, const JsonNode& other) {
  const auto same = [&](const char* key, double off) {
    return one.number(key).value_or(off) == other.number(key).value_or(off);
  };
  return same("temperature", 0.0) && same("top_p", 1.0) && same("top_k", 0.0) && same("min_p", 0.0);
}

/// How a figure repeats an earlier one; empty where it does not.
std::string repetition(const JsonNode& earlier, const JsonNode& later) {
  const std::string statistic = statistic_of(later);
  if (statistic.empty() || statistic != statistic_of(earlier)) return {};
  const bool agreement = statistic == "argmax_agreement_rate";
  if (!agreement && !same_parameters(earlier, later)) return {};
  if (earlier.text("figure") != later.text("figure")) return "the same figure by another name";
  return agreement ? "the same figure" : "the same figure at the same parameters";
}

/// Figures must be as many equations as there are figures.
void independence_rules(const std::vector<JsonNode>& figures, Faults& faults) {
  static constexpr const char* kOrdinals[] = {"first", "second"};
  for (std::size_t later = 1; later < figures.size(); ++later)
    for (std::size_t earlier = 0; earlier < later; ++earlier) {
      const std::string repeated = repetition(figures[earlier], figures[later]);
      if (repeated.empty()) continue;
      faults.add(figures[later].pointer,
                 std::string{"a figure that is independent of the "} + kOrdinals[earlier],
                 repeated);
      break;
    }
}

/// A draft that differs by information has its own calibration.
void information_rule(const JsonNode& pair, const std::vector<JsonNode>& figures, Faults& faults) {
  const JsonNode information = pair.at("information");
  if (!information.exists()) return;
  if (!pair.at("calibrate").exists())
    faults.add(information.pointer, "two figures in calibrate", "parameters of error");
  if (const auto kappa = pair.number("kappa"); kappa && *kappa != 1.0)
    faults.add(pair.at("kappa").pointer, "1 beside information",
               found_text(*pair.at("kappa").value));
  if (figures.empty()) return;
  std::size_t matches = 0;
  std::size_t others = 0;
  for (const auto& figure : figures) {
    const std::string kind = figure.text("figure").value_or("");
    matches += kind == "exact_match_rate" ? 1 : 0;
    others += kind == "rejection_rate" || kind == "argmax_agreement_rate" ? 1 : 0;
  }
  if (figures.size() != 2 || matches != 1 || others != 1)
    faults.add(pair.at("calibrate").pointer,
               "an exact_match_rate and a rejection_rate or argmax_agreement_rate beside "
               "information",
               std::to_string(figures.size()) + " figures, " + std::to_string(matches) +
                   " of exact match");
}

void length_rule(const JsonNode& figure, Faults& faults) {
  const auto drafted = figure.number("draft_tokens");
  const auto value = figure.number("value");
  if (figure.text("figure") != "mean_acceptance_length" || !drafted || !value) return;
  if (*value >= *drafted + 1.0)
    faults.add(
        figure.at("value").pointer,
        "a length below draft_tokens + 1 (" + std::to_string(static_cast<int>(*drafted) + 1) + ")",
        found_text(*figure.at("value").value));
}

/// Reports the first element of an array of numbers that is above the one before it.
void not_increasing_rule(const JsonNode& node, const char* key, Faults& faults) {
  std::optional<double> before;
  for (const auto& item : node.items(key)) {
    if (!item.value->is_number()) return;
    const double value = item.value->number();
    if (before && value > *before) {
      faults.add(item.pointer, "at most the rate before it: a token counts with all before it",
                 found_text(*item.value));
      return;
    }
    before = value;
  }
}

void decay_rules(const JsonNode& decay, Faults& faults) {
  std::optional<double> before;
  for (const auto& point : decay.items("points")) {
    const auto context = point.number("context_tokens");
    if (!context) return;
    if (before && *context <= *before)
      faults.add(point.at("context_tokens").pointer, "more tokens than the point before it",
                 found_text(*point.at("context_tokens").value));
    before = context;
  }
}

}  // namespace

void figure_rules(const JsonNode& pair, Faults& faults) {
  const auto figures = pair.items("calibrate");
  if (figures.size() <= 3) independence_rules(figures, faults);
  information_rule(pair, figures, faults);
  for (const auto& figure : figures) length_rule(figure, faults);
  not_increasing_rule(pair.at("per_position"), "acceptance_rates", faults);
  decay_rules(pair.at("context_decay"), faults);
}

void synthetic_rules(const JsonNode& rule, std::optional<double> drafted, Faults& faults) {
  not_increasing_rule(rule, "synthetic_acceptance_rates", faults);
  if (!drafted) return;
  const auto rates = rule.items("synthetic_acceptance_rates");
  if (!rates.empty() && static_cast<double>(rates.size()) != *drafted)
    faults.add(
        rule.at("synthetic_acceptance_rates").pointer,
        "one rate for each of draft_tokens (" + std::to_string(static_cast<int>(*drafted)) + ")",
        std::to_string(rates.size()));
  const auto length = rule.number("synthetic_acceptance_length");
  if (length && *length > *drafted + 1.0)
    faults.add(rule.at("synthetic_acceptance_length").pointer,
               "at most draft_tokens + 1 (" + std::to_string(static_cast<int>(*drafted) + 1) + ")",
               found_text(*rule.at("synthetic_acceptance_length").value));
}

}  // namespace specroute::sim
