#include "tests/sim/worlds/request_rows.hpp"

#include <limits>
#include <sstream>

namespace specroute::sim {

std::vector<RequestRow> request_rows(const RunResult& result) {
  std::vector<RequestRow> rows;
  std::istringstream text(result.requests_csv);
  for (std::string line; std::getline(text, line);) {
    std::vector<std::string> cells;
    std::istringstream cut(line + ',');
    for (std::string cell; std::getline(cut, cell, ',');) cells.push_back(cell);
    rows.push_back({.request = std::stoull(cells.at(0)),
                    .request_class = cells.at(1),
                    .arrival = std::stod(cells.at(2)),
                    .state = cells.at(3),
                    .at = std::stod(cells.at(4)),
                    .first_token = cells.at(5).empty() ? std::numeric_limits<double>::quiet_NaN()
                                                       : std::stod(cells.at(5)),
                    .prompt = cells.at(6),
                    .emitted = std::stoull(cells.at(7)),
                    .retries = std::stoull(cells.at(8)),
                    .loop = !cells.at(9).empty(),
                    .schema = !cells.at(10).empty(),
                    .corruption = !cells.at(11).empty(),
                    .tenant = cells.at(12),
                    .session = cells.at(13).empty() ? 0 : std::stoull(cells.at(13)),
                    .first_cause = cells.at(14),
                    .pairing = cells.at(15) + '+' + cells.at(16),
                    .owners = cells.at(17),
                    .decision = cells.at(18)});
  }
  return rows;
}

double sum_of(const RunResult& result, const std::string& prefix) {
  double sum = 0.0;
  for (const auto& [path, value] : result.metrics)
    if (path.starts_with(prefix)) sum += value.value_or(0.0);
  return sum;
}

}  // namespace specroute::sim
