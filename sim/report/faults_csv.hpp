/// @file
/// The faults of every seed as they were planned before its run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/scenario/scenario.hpp"

namespace specroute::sim {

/// seed,at_s,event,backend,from,to,amount: one row for each event of a plan, in order. Of a path,
/// `from` and `to` instead of `backend`. Empty where the scenario has no fault.
[[nodiscard]] std::string faults_csv(const Scenario& scenario,
                                     const std::vector<std::uint64_t>& seeds);

}  // namespace specroute::sim
