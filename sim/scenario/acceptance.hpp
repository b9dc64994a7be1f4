/// @file
/// How well pairs agree, and how completions degrade.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/speculation/acceptance_decay.hpp"
#include "sim/scenario/fleet.hpp"
#include "sim/scenario/workload.hpp"

namespace specroute::sim {

/// One published or measured figure that the token-pair model is calibrated on.
struct AcceptanceFigure {
  enum class Kind {
    rejection_rate,
    exact_match_rate,
    argmax_agreement_rate,
    mean_acceptance_length,
  };
  Kind kind;
  double value;       ///< accepted / drafted; of a length, 1 + accepted / drafts
  Rule rule;          ///< of a mean acceptance length
  Sampling sampling;  ///< of both sides; ignored for argmax agreement
  std::uint32_t draft_tokens;
};

/// Acceptance by position in a draft, as a healthy pair was measured.
struct PerPosition {
  std::vector<double> conditional;
  Rule rule;
  Sampling sampling;  ///< of both sides
};

/// What is not calibrated of a pair whose draft differs from its target by information.
struct InformationPair {
  double sharpness;
  double evidence_spread;
  double drift;
};

/// Token-pair model of (target model, draft model, content): either given or calibrated.
struct AcceptancePair {
  std::string target_model;
  std::string draft_model;
  std::string content;
  double kappa;  ///< where two figures are given, or the parameters
  std::optional<double> sharpness;
  std::optional<double> noise;
  std::vector<AcceptanceFigure> calibrate;
  std::optional<InformationPair> information = {};         ///< none: the draft differs by error
  std::optional<PerPosition> per_position = {};            ///< none: every position alike
  double correlation = 0.0;                                ///< over the steps of one request
  std::optional<models::ContextDecay> context_decay = {};  ///< none: the same at any length
  std::string draft_weights = {};  ///< version that it describes; empty: as configured
};

struct Degradation {
  double loop_hazard_at_zero_entropy;  ///< per emitted token
  double loop_greedy_to_sampled_ratio;
  double loop_reference_temperature;   ///< sampling at which the ratio was measured
  double looping_acceptance;           ///< per position, of a looping sequence
  double schema_hazard_per_token;      ///< per token emitted outside the request's grammar
  double corruption_hazard_per_token;  ///< per token past the first block of a mismatched pair
  double loop_escape_hazard;           ///< per token of a looping sequence; 0: loops do not end
  std::uint32_t loop_period_tokens;    ///< what a detector has to recognise
};

}  // namespace specroute::sim
