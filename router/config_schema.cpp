/// @file
/// The schema of the configuration. `allOf` lists the keys that each gate reads: a knob that is
/// validated and never read is a defect, so any other key is refused.
#include "router/config.hpp"

namespace specroute::router {
namespace {

constexpr std::string_view kSchema = R"json({
  "$schema": "http://json-schema.org/draft-07/schema#",
  "title": "specroute router policy",
  "type": "object",
  "required": ["gate"],
  "additionalProperties": false,
  "properties": {
    "gate": {
      "type": "string",
      "enum": ["none", "delta_only", "hash_only", "cooldown_only", "params_hash", "validity",
               "validity_safe", "latency_tiebreak", "global_mean", "ewma", "low_threshold",
               "cusum", "sprt", "mann_whitney", "bandit", "outlier", "error_breaker",
               "quality_probe"],
      "enumDescriptions": [
        "rewards whatever is measured, as the router of the incident did",
        "rejects a rise of acceptance after a fail-over, rewards anything else; no fingerprints",
        "rejects fingerprints that are known to differ, rewards anything else; no acceptance",
        "waits one cool-down after a fail-over, then rewards whatever is there",
        "the seed's code: hashes first, then a rise of acceptance that they do not explain",
        "rejects at once; rewards only a rise that verified fingerprints explain for a cool-down",
        "as validity, and no draft until both engines' fingerprints are seen to agree",
        "rejects a rise of acceptance unless the pairing got faster",
        "rejects acceptance above the mean of the other pairings by a threshold",
        "rejects a moving average above its control limit",
        "ends drafting for good where acceptance is below a floor",
        "rejects once the cumulative sum above the baseline passes its limit",
        "rejects once a rise is likelier than none, by a sequential test",
        "rejects windows that rank significantly above those before the fail-over",
        "rewards the pairing with the highest upper confidence bound",
        "quarantines acceptance far below that of the profile's other pairings",
        "quarantines pairings whose target fails too many of its requests",
        "quarantines a pairing of whose sampled completions too many are degraded"
      ],
      "description": "The rule that judges a pairing's acceptance."
    },
    "mode": {
      "type": "string", "enum": ["active", "shadow"], "default": "active",
      "description": "shadow: decisions carry dry_run = 1 and are not to be carried out."
    },
    "min_drafted": {
      "type": "integer", "minimum": 1, "maximum": 1000000000, "default": 200,
      "description": "Drafted tokens seen since the bind before acceptance is judged."
    },
    "cool_down_s": {
      "type": "number", "minimum": 0.001, "maximum": 1000000, "default": 300,
      "description": "Seconds of a lock, of waiting after a fail-over, of an exclusion."
    },
    "delta_threshold": {
      "type": "number", "minimum": 0, "exclusiveMaximum": 1, "default": 0.25,
      "description": "Rise over the baseline beyond which it is a spike; kept in ppm."
    },
    "baseline_window_s": {
      "type": "number", "minimum": 0.001, "maximum": 1000000, "default": 60,
      "description": "Seconds of windows that a baseline covers, kept in 30 slots."
    },
    "rebind": {
      "type": "string", "enum": ["replace_stale_side", "match_draft"],
      "default": "replace_stale_side",
      "description": "Who goes: the side that differs from the profile, or always the target."
    },
    "params_hash_version": {
      "type": "integer", "enum": [1, 2], "default": 1,
      "description": "Which params hash is compared; 2 also covers top_k, min_p, penalties."
    },
    "retry_s": {
      "type": "number", "minimum": 0.001, "maximum": 1000000, "default": 5,
      "description": "Seconds before a re-bind without outcome, or anything refused, is proposed again."
    },
    "no_draft_s": {
      "type": "number", "minimum": 0.001, "maximum": 1000000, "default": 30,
      "description": "Seconds of serving on the target alone, after which drafting is tried again."
    },
    "ewma_weight": {
      "type": "number", "minimum": 0.001, "maximum": 1, "default": 0.2,
      "description": "Weight of the latest judged counts in the moving average."
    },
    "control_limit_sigma": {
      "type": "number", "minimum": 0.1, "maximum": 100, "default": 3,
      "description": "Control limit, or critical value of a test, in standard deviations."
    },
    "allowance": {
      "type": "number", "minimum": 0, "exclusiveMaximum": 1, "default": 0.05,
      "description": "Deviation of the rate that the cumulative sum forgives."
    },
    "sum_limit_tokens": {
      "type": "integer", "minimum": 1, "maximum": 1000000000, "default": 50,
      "description": "Cumulative sum at which it alarms, in accepted tokens."
    },
    "error_rate": {
      "type": "number", "minimum": 0.000001, "maximum": 0.4, "default": 0.01,
      "description": "Errors of either kind that the sequential test is built for."
    },
    "min_windows": {
      "type": "integer", "minimum": 2, "maximum": 16384, "default": 50,
      "description": "Judged counts on each side before ranks are compared."
    },
    "low_threshold": {
      "type": "number", "minimum": 0, "exclusiveMaximum": 1, "default": 0.2,
      "description": "Acceptance below which drafting ends for good."
    },
    "ejection_sigma": {
      "type": "number", "minimum": 0.1, "maximum": 100, "default": 1.9,
      "description": "Deviations below the mean for a quarantine; less than sqrt(max_pairings - 1)."
    },
    "min_pairings": {
      "type": "integer", "minimum": 2, "maximum": 1000000, "default": 5,
      "description": "Judged pairings that an outlier needs; at most max_pairings."
    },
    "max_ejected_share": {
      "type": "number", "minimum": 0, "maximum": 1, "default": 0.1,
      "description": "Share of a profile's pairings in quarantine at once; one always may be."
    },
    "failure_share": {
      "type": "number", "minimum": 0, "exclusiveMaximum": 1, "default": 0.5,
      "description": "Share of failed requests beyond which the target's pairings are quarantined."
    },
    "min_requests": {
      "type": "integer", "minimum": 1, "maximum": 1000000, "default": 10,
      "description": "Recent requests below which no share of failures counts."
    },
    "probe_requests": {
      "type": "integer", "minimum": 1, "maximum": 1000000, "default": 3,
      "description": "Requests after a quarantine up to which one failure renews it."
    },
    "tolerated_share": {
      "type": "number", "minimum": 0, "exclusiveMaximum": 1, "default": 0.05,
      "description": "Share of degraded completions that is no reason for a quarantine."
    },
    "min_verdicts": {
      "type": "integer", "minimum": 1, "maximum": 1000000, "default": 50,
      "description": "Recent verdicts of the detector before they are judged."
    },
    "observation_s": {
      "type": "number", "minimum": 0.001, "maximum": 1000000, "default": 60,
      "description": "Seconds that recent requests or verdicts reach back, kept in 6 slots."
    },
    "quarantine_s": {
      "type": "number", "minimum": 0.001, "maximum": 1000000, "default": 30,
      "description": "Seconds of a first quarantine; the next ones take twice, three times as long."
    },
    "max_quarantine_s": {
      "type": "number", "minimum": 0.001, "maximum": 1000000, "default": 300,
      "description": "Longest quarantine; at least quarantine_s."
    },
    "max_pairings": {
      "type": "integer", "minimum": 1, "maximum": 1000000, "default": 1024,
      "description": "Capacity: (pairing, profile) entries."
    },
    "max_backends": {
      "type": "integer", "minimum": 1, "maximum": 1000000, "default": 1024,
      "description": "Capacity: candidate backends."
    },
    "max_baselines": {
      "type": "integer", "minimum": 1, "maximum": 1000000, "default": 1024,
      "description": "Capacity: baselines, one per (models, rule, draft tokens, profile, backends)."
    }
  },
  "allOf": [
    {
      "if": {"properties": {"gate": {"enum": ["none", "cooldown_only", "bandit"]}}},
      "then": {"propertyNames": {"enum": ["gate", "mode", "min_drafted", "cool_down_s",
               "max_pairings"]}}
    },
    {
      "if": {"properties": {"gate": {"enum": ["delta_only"]}}},
      "then": {"propertyNames": {"enum": ["gate", "mode", "min_drafted", "cool_down_s",
               "max_pairings", "delta_threshold", "baseline_window_s", "max_baselines",
               "retry_s", "max_backends"]}}
    },
    {
      "if": {"properties": {"gate": {"enum": ["hash_only"]}}},
      "then": {"propertyNames": {"enum": ["gate", "mode", "min_drafted", "cool_down_s",
               "max_pairings", "rebind", "params_hash_version", "retry_s", "max_backends"]}}
    },
    {
      "if": {"properties": {"gate": {"enum": ["params_hash", "validity", "validity_safe"]}}},
      "then": {"propertyNames": {"enum": ["gate", "mode", "min_drafted", "cool_down_s",
               "max_pairings", "delta_threshold", "baseline_window_s", "max_baselines", "rebind",
               "params_hash_version", "retry_s", "no_draft_s", "max_backends"]}}
    },
    {
      "if": {"properties": {"gate": {"enum": ["latency_tiebreak"]}}},
      "then": {"propertyNames": {"enum": ["gate", "mode", "min_drafted", "cool_down_s",
               "max_pairings", "delta_threshold", "baseline_window_s", "max_baselines",
               "retry_s", "max_backends"]}}
    },
    {
      "if": {"properties": {"gate": {"enum": ["global_mean"]}}},
      "then": {"propertyNames": {"enum": ["gate", "mode", "min_drafted", "cool_down_s",
               "max_pairings", "delta_threshold", "retry_s", "max_backends"]}}
    },
    {
      "if": {"properties": {"gate": {"enum": ["ewma"]}}},
      "then": {"propertyNames": {"enum": ["gate", "mode", "min_drafted", "cool_down_s",
               "max_pairings", "ewma_weight", "control_limit_sigma", "baseline_window_s", "max_baselines",
               "retry_s", "max_backends"]}}
    },
    {
      "if": {"properties": {"gate": {"enum": ["low_threshold"]}}},
      "then": {"propertyNames": {"enum": ["gate", "mode", "min_drafted", "cool_down_s",
               "max_pairings", "low_threshold"]}}
    },
    {
      "if": {"properties": {"gate": {"enum": ["cusum"]}}},
      "then": {"propertyNames": {"enum": ["gate", "mode", "min_drafted", "cool_down_s",
               "max_pairings", "allowance", "sum_limit_tokens", "baseline_window_s", "max_baselines",
               "retry_s", "max_backends"]}}
    },
    {
      "if": {"properties": {"gate": {"enum": ["sprt"]}}},
      "then": {"propertyNames": {"enum": ["gate", "mode", "min_drafted", "cool_down_s",
               "max_pairings", "delta_threshold", "error_rate", "baseline_window_s", "max_baselines",
               "retry_s", "max_backends"]}}
    },
    {
      "if": {"properties": {"gate": {"enum": ["mann_whitney"]}}},
      "then": {"propertyNames": {"enum": ["gate", "mode", "min_drafted", "cool_down_s",
               "max_pairings", "control_limit_sigma", "min_windows", "baseline_window_s", "max_baselines",
               "retry_s", "max_backends"]}}
    },
    {
      "if": {"properties": {"gate": {"enum": ["outlier"]}}},
      "then": {"propertyNames": {"enum": ["gate", "mode", "min_drafted", "cool_down_s",
               "max_pairings", "ejection_sigma", "min_pairings", "max_ejected_share",
               "quarantine_s", "max_quarantine_s", "retry_s"]}}
    },
    {
      "if": {"properties": {"gate": {"enum": ["error_breaker"]}}},
      "then": {"propertyNames": {"enum": ["gate", "mode", "min_drafted", "cool_down_s",
               "max_pairings", "failure_share", "min_requests", "probe_requests", "observation_s",
               "quarantine_s", "max_quarantine_s", "retry_s"]}}
    },
    {
      "if": {"properties": {"gate": {"enum": ["quality_probe"]}}},
      "then": {"propertyNames": {"enum": ["gate", "mode", "min_drafted", "cool_down_s",
               "max_pairings", "tolerated_share", "min_verdicts", "control_limit_sigma",
               "observation_s", "quarantine_s", "max_quarantine_s", "retry_s"]}}
    }
  ]
})json";

}  // namespace

std::string_view config_schema() {
  return kSchema;
}

}  // namespace specroute::router
