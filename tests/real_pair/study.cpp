#include "tests/real_pair/study.hpp"

namespace specroute::real_pair {

Study study_draft(const Laboratory& laboratory, int draft_order, std::size_t stride,
                  bool with_error_model) {
  Study study{.draft_order = draft_order,
              .fitted = measure_fitted(laboratory, draft_order, stride),
              .pair = {},
              .held_out = {},
              .generated = {}};
  study.pair = fit(study.fitted);
  const auto by_error = with_error_model ? fit_error(study.fitted) : std::nullopt;
  for (const Text text : {Text::held_out, Text::generated})
    for (const Cell& cell : cells_of(draft_order)) {
      Row row{.cell = cell,
              .measured = measure(laboratory, cell, text, stride),
              .predicted = predict(study.pair, cell, text),
              .by_error = std::nullopt};
      if (by_error) row.by_error = predict(*by_error, cell, text);
      (text == Text::held_out ? study.held_out : study.generated).push_back(row);
    }
  return study;
}

bool emits_target(const Cell& cell) {
  const bool healthy = cell.in_force_temperature == cell.request_temperature;
  switch (cell.rule) {
    case Rule::exact_match:
    case Rule::coupled_match:
    case Rule::one_hot:
      return true;
    case Rule::rejection:
    case Rule::forwarded_logits:
      return healthy;
    case Rule::typical:
    case Rule::threshold:
    case Rule::synthetic:
      return false;
  }
  return false;
}

}  // namespace specroute::real_pair
