#include "sim/world/time_series.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "sim/world/csv_field.hpp"

namespace specroute::sim {

std::string number_text(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  return {text, end};
}

std::uint64_t series_period_s(Seconds horizon, std::size_t targets) {
  constexpr double kRows = 100'000.0;
  return static_cast<std::uint64_t>(
      std::max(1.0, std::ceil(horizon.count() * static_cast<double>(targets) / kRows)));
}

void TimeSeries::close(const Second& end, const DraftCounts& total) {
  const auto& [second, pairing, target, target_name, draft_name, state] = end;
  if (closed_.size() <= pairing.index()) closed_.resize(pairing.index() + 1);
  const DraftCounts part = total - closed_[pairing.index()];
  closed_[pairing.index()] = total;
  const auto optional = [](std::optional<double> value) {
    return value ? number_text(*value) : std::string{};
  };
  rows_ += number_text(second) + ',' + one_line_field(target_name) + ',' +
           one_line_field(draft_name) + ',' + std::to_string(part.drafted) + ',' +
           std::to_string(part.accepted) + ',' + optional(part.rate()) + ',' +
           optional(part.mean_length()) + ',' + std::to_string(completions_[target.index()]) + ',' +
           std::to_string(degraded_[target.index()]) + ',' +
           std::to_string(state.tokens - tokens_[target.index()]) + ',' +
           std::to_string(state.running) + ',' + std::to_string(state.waiting) + ',' +
           number_text(state.kv_occupancy) + '\n';
  tokens_[target.index()] = state.tokens;
  completions_[target.index()] = 0;
  degraded_[target.index()] = 0;
}

}  // namespace specroute::sim
