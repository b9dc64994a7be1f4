/// @file
/// What a run took from the meter and from the purse.
///
/// energy = sum over backends of devices per engine x rated power
///          x (busy share x busy time + idle share x the rest) x power usage effectiveness,
/// where busy time is summed over the backend's engines, and the rest is engines x run - busy;
/// cost = sum over backends of devices x price per hour x run. Standby and broken backends are paid
/// and take idle power; a co-located draft has no devices of its own, and its passes are in its
/// target's busy time. The run lasts until its last event, so both cover the tokens they are
/// divided by.
///
/// Valid as an estimate: a board rarely takes its rated power in decode passes, so a busy share of
/// 1 bounds energy from above (the scenario may say less); the price is a list price.
#pragma once

#include <cstdint>
#include <vector>

#include <specroute/vocab/units.hpp>

#include "sim/scenario/scenario.hpp"
#include "sim/world/run_result.hpp"

namespace specroute::sim {

/// @param busy by backend, summed over its engines; more than engines x run counts as that
/// @param run >= 0
/// Appends energy_kwh, energy_kwh_per_million_tokens, cost_usd and cost_usd_per_million_tokens:
/// without a value where some device has no rated power or no price, or where no token came out.
void report_upkeep(Metrics& metrics, const Scenario& scenario, const std::vector<Seconds>& busy,
                   Seconds run, std::uint64_t output_tokens);

}  // namespace specroute::sim
