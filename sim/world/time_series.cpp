#include "sim/world/time_series.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "sim/world/csv_field.hpp"

namespace specroute::sim {
namespace {

template <class Number>
void append_number(std::string& to, Number value) {
  char text[32];
  to.append(text, std::to_chars(text, text + sizeof text, value).ptr);
}

}  // namespace

std::string number_text(double value) {
  std::string text;
  append_number(text, value);
  return text;
}

std::uint64_t series_period_s(Seconds horizon, std::size_t targets) {
  constexpr double kRows = 100'000.0;
  return static_cast<std::uint64_t>(
      std::max(1.0, std::ceil(horizon.count() * static_cast<double>(targets) / kRows)));
}

TimeSeries::TimeSeries(std::size_t backends, std::size_t rows)
    : completions_(backends, 0), degraded_(backends, 0), tokens_(backends, 0) {
  constexpr std::size_t kUsualRow = 96;
  rows_.reserve(rows * kUsualRow);
}

void TimeSeries::close(const Second& end, const DraftCounts& total) {
  const auto& [second, pairing, target, target_name, draft_name, state] = end;
  if (closed_.size() <= pairing.index()) closed_.resize(pairing.index() + 1);
  const DraftCounts part = total - closed_[pairing.index()];
  closed_[pairing.index()] = total;
  const auto cell = [this](auto number) {
    rows_ += ',';
    append_number(rows_, number);
  };
  const auto optional_cell = [&](std::optional<double> value) {
    if (value)
      cell(*value);
    else
      rows_ += ',';
  };
  append_number(rows_, second);
  (rows_ += ',') += one_line_field(target_name);
  (rows_ += ',') += one_line_field(draft_name);
  cell(part.drafted);
  cell(part.accepted);
  optional_cell(part.rate());
  optional_cell(part.mean_length());
  cell(completions_[target.index()]);
  cell(degraded_[target.index()]);
  cell(state.tokens - tokens_[target.index()]);
  cell(state.running);
  cell(state.waiting);
  cell(state.kv_occupancy);
  rows_ += '\n';
  tokens_[target.index()] = state.tokens;
  completions_[target.index()] = 0;
  degraded_[target.index()] = 0;
}

}  // namespace specroute::sim
