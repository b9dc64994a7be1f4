#include "sim/world/time_series.hpp"

#include <charconv>

namespace specroute::sim {

std::string number_text(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  return {text, end};
}

void TimeSeries::close(const Second& end, const DraftCounts& total) {
  const auto& [second, pairing, target, target_name, draft_name] = end;
  if (closed_.size() <= pairing.index()) closed_.resize(pairing.index() + 1);
  const DraftCounts part = total - closed_[pairing.index()];
  closed_[pairing.index()] = total;
  const auto optional = [](std::optional<double> value) {
    return value ? number_text(*value) : std::string{};
  };
  const auto length =
      part.steps == 0 ? std::optional<double>{}
                      : 1.0 + static_cast<double>(part.accepted) / static_cast<double>(part.steps);
  rows_ += number_text(second) + ',' + target_name + ',' + draft_name + ',' +
           std::to_string(part.drafted) + ',' + std::to_string(part.accepted) + ',' +
           optional(part.rate()) + ',' + optional(length) + ',' +
           std::to_string(completions_[target.index()]) + ',' +
           std::to_string(degraded_[target.index()]) + '\n';
  completions_[target.index()] = 0;
  degraded_[target.index()] = 0;
}

}  // namespace specroute::sim
