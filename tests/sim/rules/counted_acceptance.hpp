/// @file
/// What the engines of a small world counted.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "tests/sim/worlds/random_scenario.hpp"
#include "tests/sim/worlds/run_world.hpp"

namespace specroute::sim {

/// Accepted over drafted tokens of a run, from its time series.
inline double counted_rate(const RunResult& result) {
  double drafted = 0.0;
  double accepted = 0.0;
  std::istringstream rows(result.timeseries_csv);
  for (std::string row; std::getline(rows, row);) {
    std::istringstream fields(row);
    std::vector<std::string> values;
    for (std::string field; std::getline(fields, field, ',');) values.push_back(field);
    drafted += std::stod(values.at(3));
    accepted += std::stod(values.at(4));
  }
  return accepted / drafted;
}

}  // namespace specroute::sim
