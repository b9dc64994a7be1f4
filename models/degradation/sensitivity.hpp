/// @file
/// How conclusions about degradation move with the inputs that are known worst.
///
/// Shares of completions that go bad, healthy and under a stale draft, and what that comes to over
/// the span of an incident with and without a gate; in closed form, so that every input can be
/// moved at once. It is the arithmetic of sim/serving's step tables without its batches: a test
/// holds the two together.
#pragma once

#include <string>
#include <vector>

#include <specroute/vocab/units.hpp>

#include "models/degradation/loop.hpp"
#include "models/degradation/schema.hpp"
#include "models/speculation/rules.hpp"
#include "models/speculation/token_pair.hpp"

namespace specroute::models {

/// What an incident is made of. The defaults are those of scenarios/incident-2026-11-06.json, but
/// for the pair, which is calibrated there.
struct DegradationSetting {
  PairModel pair;
  VerificationRule rule = VerificationRule::forwarded_logits;
  int draft_tokens = 2;  ///< gamma, [1, kMaxDraftTokens]
  SamplingParameters requested = {.temperature = 0.7, .grammar_id = "orders-v3"};
  SamplingParameters stale = {.temperature =
                                  0.0};  ///< in force on the draft, unknown to the target
  LoopModel loops = {.greedy_hazard = 6.6e-4, .ratio = 335.0, .looping_acceptance = 0.98};
  double reference_temperature = 0.7;  ///< of sampled text; gives the loops' reference entropy
  SchemaModel schema = {.unmasked_hazard = 2.1e-4};
  CompletionLengths lengths = {.mean = 48.0, .coefficient_of_variation = 0.5, .limit = 256.0};
  double completions_per_s = 1667.0;
  Seconds watched{300.0};
  /// For how long a gate lets traffic onto the stale pairing: detection and re-bind. Measured by
  /// running the incident under `params_hash`: 0.113 s and 0.189 s.
  Seconds gated_exposure{0.302};
};

/// Completions served in one situation.
struct ServedText {
  double loop_share = 0.0;       ///< of completions that enter a loop
  double schema_share = 0.0;     ///< that break their schema
  double degraded_share = 0.0;   ///< either
  double acceptance_rate = 0.0;  ///< accepted / drafted, looping sequences included
  double tokens_mean = 0.0;      ///< of a completion, loops included
};

/// A completion's first token carries no hazard (its prefill emits it), the others the mean hazard
/// of verified and bonus tokens in their proportion. Looping completions are taken at their mean
/// place of entry: good to the first order in the hazards. A completion needs two tokens: lengths
/// that are all 1 draft nothing and are refused.
[[nodiscard]] ServedText served_text(const DegradationSetting& setting, const Situation& situation);

/// Degraded completions over the watched span.
struct DegradationOutlook {
  ServedText healthy;
  ServedText stale;
  double ungated = 0.0;      ///< stale all the while
  double gated = 0.0;        ///< stale for `gated_exposure`, then healthy
  double unavoidable = 0.0;  ///< healthy all the while

  [[nodiscard]] double per_100000() const { return 1e5 * stale.degraded_share; }
  [[nodiscard]] double ratio() const { return ungated / gated; }
};
[[nodiscard]] DegradationOutlook outlook(const DegradationSetting& setting);

struct SensitivityRow {
  std::string input;  ///< what was moved
  std::string value;  ///< to where
  DegradationOutlook outlook;
};

/// The setting itself, then each weak input moved both ways with the others held: greedy hazard and
/// schema hazard by 1/2 and 2; the ratio to 100, 606 (what the published shares come to as hazards)
/// and 1000; the reference temperature to 0.5 and 1; looping acceptance to 0.9 and 0.99; escape to
/// 0.01 and 0.1; the entropy law to `linear` and `threshold`. Last, all hazards mild at once and
/// all severe at once.
[[nodiscard]] std::vector<SensitivityRow> loop_sensitivity(const DegradationSetting& base);

}  // namespace specroute::models
