/// @file
/// Pairs whose two sides disagree on tokens, blocks or masks: where that can come to be, and which.
#pragma once

#include <cstdint>
#include <vector>

#include "models/degradation/corruption.hpp"
#include "sim/scenario/scenario.hpp"

namespace specroute::sim {

/// In truth, whatever a router compares.
[[nodiscard]] models::PairMismatch mismatch_of(const Backend& target, const Backend& draft);

/// KV block sizes, rising, of targets that may come to be served by a draft that disagrees with
/// them, in configuration or through a change; empty where no pair of the scenario ever can.
[[nodiscard]] std::vector<std::uint32_t> mismatched_block_tokens(const Scenario& scenario);

}  // namespace specroute::sim
