/// @file
/// What a scenario says, as the speculation models take it.
#pragma once

#include <memory>

#include <specroute/vocab/result.hpp>

#include "models/speculation/calibration.hpp"
#include "models/speculation/rules.hpp"
#include "sim/scenario/scenario.hpp"

namespace specroute::sim {

[[nodiscard]] models::SamplingParameters sampling_parameters(const Sampling& sampling);

[[nodiscard]] models::VerificationRule verification_rule(Rule rule);

/// The rule of a pool with its parameters; its `synthetic_share` is that of the given rates.
[[nodiscard]] models::Verifier verifier(const Speculation& speculation);

/// The parameters of a pair: given, or calibrated. Fails as `models::calibrate` does.
[[nodiscard]] Result<models::PairParameters> pair_parameters(
    const AcceptancePair& pair, const std::shared_ptr<const models::PositionTable>& table);

}  // namespace specroute::sim
