#include "sim/records/record_fields.hpp"

#include <array>

namespace specroute::sim {
namespace {

using enum FieldKind;

constexpr std::array<NamedValue, 3> kForward{
    {{"tokens", SRP_FORWARD_TOKENS}, {"logits", SRP_FORWARD_LOGITS}, {"probs", SRP_FORWARD_PROBS}}};
constexpr std::array<NamedValue, 3> kProvenance{
    {{"claimed", SRP_CLAIMED}, {"verified_at_bind", SRP_VERIFIED_AT_BIND}, {"live", SRP_LIVE}}};
constexpr std::array<NamedValue, 5> kFingerprint{{{"tokenizer", SRP_FP_TOKENIZER},
                                                  {"params", SRP_FP_PARAMS},
                                                  {"kv", SRP_FP_KV},
                                                  {"mask", SRP_FP_MASK},
                                                  {"model", SRP_FP_MODEL}}};
constexpr std::array<NamedValue, 3> kReplace{{{"keep_none", SRP_KEEP_NONE},
                                              {"replace_draft", SRP_REPLACE_DRAFT},
                                              {"replace_target", SRP_REPLACE_TARGET}}};
constexpr std::array<NamedValue, 4> kWindowFlags{{{"partial", SRP_WIN_PARTIAL},
                                                  {"stale", SRP_WIN_STALE},
                                                  {"counter_reset", SRP_WIN_COUNTER_RESET},
                                                  {"from_ratio", SRP_WIN_FROM_RATIO}}};
constexpr std::array<NamedValue, 4> kResult{{{"done", SRP_DONE},
                                             {"declined_no_candidate", SRP_DECLINED_NO_CANDIDATE},
                                             {"declined_no_capacity", SRP_DECLINED_NO_CAPACITY},
                                             {"superseded", SRP_SUPERSEDED}}};

constexpr bool kRequired = true;

constexpr std::array<Field, 10> kSide{{
    {"backend", count, offsetof(srp_side, backend), kRequired},
    {"incarnation", count, offsetof(srp_side, incarnation)},
    {"model", hash, offsetof(srp_side, model)},
    {"tokenizer", hash, offsetof(srp_side, tokenizer)},
    {"params_v1", hash, offsetof(srp_side, params_v1)},
    {"params_v2", hash, offsetof(srp_side, params_v2)},
    {"kv_block_tokens", number, offsetof(srp_side, kv_block_tokens)},
    {"mask", number, offsetof(srp_side, mask)},
    {"known", names, offsetof(srp_side, known), false, kFingerprint},
    {"provenance", name, offsetof(srp_side, provenance), false, kProvenance},
}};

constexpr std::array<Field, 3> kProfile{{
    {"id", profile_id, offsetof(srp_profile, id), kRequired},
    {"required_v1", hash, offsetof(srp_profile, required_v1)},
    {"required_v2", hash, offsetof(srp_profile, required_v2)},
}};

constexpr std::array<Field, 6> kConstraint{{
    {"replace", name, offsetof(srp_constraint, replace), kRequired, kReplace},
    {"match", names, offsetof(srp_constraint, match), false, kFingerprint},
    {"params_version", number, offsetof(srp_constraint, params_version)},
    {"required", hash, offsetof(srp_constraint, required)},
    {"keep_backend", count, offsetof(srp_constraint, keep_backend)},
    {"exclude",
     counts,
     offsetof(srp_constraint, exclude),
     false,
     {},
     {},
     offsetof(srp_constraint, n_exclude),
     SRP_MAX_EXCLUDE},
}};

constexpr Field date_field(std::string_view its_name, std::size_t at, bool required = false) {
  return {its_name, date, at, required};
}
constexpr Field side_field(std::string_view its_name, std::size_t at, bool required = false) {
  return {its_name, object, at, required, {}, kSide};
}
constexpr Field profile_field(std::size_t at) {
  return {"profile", object, at, kRequired, {}, kProfile};
}

constexpr Field kNow = date_field("now", offsetof(srp_record, now), kRequired);
constexpr Field kSeq{"seq", count, offsetof(srp_record, seq)};
constexpr Field kAnyPairing{"pairing", count, offsetof(srp_record, pairing)};
constexpr Field kPairing{"pairing", count, offsetof(srp_record, pairing), kRequired};

constexpr std::array<Field, 8> kCandidate{{
    kNow,
    kSeq,
    kAnyPairing,
    side_field("side", offsetof(srp_ev_candidate, side), kRequired),
    {"role", name, offsetof(srp_ev_candidate, role), kRequired, kReplace},
    {"available", truth, offsetof(srp_ev_candidate, available), kRequired},
    {"load_ppm", signed_number, offsetof(srp_ev_candidate, load_ppm)},
    {"profile", profile_id, offsetof(srp_ev_candidate, profile), kRequired},
}};

constexpr std::array<Field, 9> kBind{{
    kNow,
    kSeq,
    kPairing,
    profile_field(offsetof(srp_ev_bind, profile)),
    side_field("draft", offsetof(srp_ev_bind, draft), kRequired),
    side_field("target", offsetof(srp_ev_bind, target), kRequired),
    {"forward", name, offsetof(srp_ev_bind, forward), false, kForward},
    {"rule", number, offsetof(srp_ev_bind, rule)},
    {"draft_tokens", number, offsetof(srp_ev_bind, draft_tokens)},
}};

constexpr std::array<Field, 3> kUnbind{{kNow, kSeq, kPairing}};

constexpr std::array<Field, 15> kWindow{{
    kNow,
    kSeq,
    kPairing,
    profile_field(offsetof(srp_ev_window, profile)),
    side_field("draft", offsetof(srp_ev_window, draft)),
    side_field("target", offsetof(srp_ev_window, target)),
    date_field("from", offsetof(srp_ev_window, from)),
    date_field("to", offsetof(srp_ev_window, to)),
    {"steps", count, offsetof(srp_ev_window, steps)},
    {"drafted", count, offsetof(srp_ev_window, drafted)},
    {"accepted", count, offsetof(srp_ev_window, accepted)},
    {"accepted_at",
     counts,
     offsetof(srp_ev_window, accepted_at),
     false,
     {},
     {},
     offsetof(srp_ev_window, positions),
     SRP_MAX_POSITIONS},
    {"completions", count, offsetof(srp_ev_window, completions)},
    {"latency_p50_ns", count, offsetof(srp_ev_window, latency_p50_ns)},
    {"window_flags", names, offsetof(srp_ev_window, window_flags), false, kWindowFlags},
}};

constexpr std::array<Field, 8> kFailover{{
    kNow,
    kSeq,
    kPairing,
    {"from_backend", count, offsetof(srp_ev_failover, from_backend), kRequired},
    {"to_backend", count, offsetof(srp_ev_failover, to_backend), kRequired},
    {"to_incarnation", count, offsetof(srp_ev_failover, to_incarnation)},
    {"from_pairing", count, offsetof(srp_ev_failover, from_pairing)},
    {"cause", number, offsetof(srp_ev_failover, cause)},
}};

constexpr std::array<Field, 7> kSampling{{
    kNow,
    kSeq,
    kAnyPairing,
    profile_field(offsetof(srp_ev_sampling, profile)),
    side_field("side", offsetof(srp_ev_sampling, side), kRequired),
    {"origin", number, offsetof(srp_ev_sampling, origin)},
    {"changed", names, offsetof(srp_ev_sampling, changed), false, kFingerprint},
}};

constexpr std::array<Field, 7> kHealth{{
    kNow,
    kSeq,
    kAnyPairing,
    {"backend", count, offsetof(srp_ev_health, backend), kRequired},
    {"requests", count, offsetof(srp_ev_health, requests)},
    {"errors", count, offsetof(srp_ev_health, errors)},
    {"timeouts", count, offsetof(srp_ev_health, timeouts)},
}};

constexpr std::array<Field, 7> kQuality{{
    kNow,
    kSeq,
    kPairing,
    {"profile", profile_id, offsetof(srp_ev_quality, profile), kRequired},
    {"sampled", count, offsetof(srp_ev_quality, sampled)},
    {"looping", count, offsetof(srp_ev_quality, looping)},
    {"schema_invalid", count, offsetof(srp_ev_quality, schema_invalid)},
}};

constexpr std::array<Field, 5> kOutcome{{
    kNow,
    kSeq,
    kAnyPairing,
    {"decision", count, offsetof(srp_ev_outcome, decision), kRequired},
    {"result", name, offsetof(srp_ev_outcome, result), kRequired, kResult},
}};

constexpr std::array<Field, 3> kTick{{kNow, kSeq, kAnyPairing}};

constexpr std::array<RecordLayout, 10> kEvents{{
    {"candidate", SRP_EV_CANDIDATE, sizeof(srp_ev_candidate), kCandidate},
    {"bind", SRP_EV_BIND, sizeof(srp_ev_bind), kBind},
    {"unbind", SRP_EV_UNBIND, sizeof(srp_ev_unbind), kUnbind},
    {"window", SRP_EV_WINDOW, sizeof(srp_ev_window), kWindow},
    {"failover", SRP_EV_FAILOVER, sizeof(srp_ev_failover), kFailover},
    {"sampling", SRP_EV_SAMPLING, sizeof(srp_ev_sampling), kSampling},
    {"health", SRP_EV_HEALTH, sizeof(srp_ev_health), kHealth},
    {"quality", SRP_EV_QUALITY, sizeof(srp_ev_quality), kQuality},
    {"outcome", SRP_EV_OUTCOME, sizeof(srp_ev_outcome), kOutcome},
    {"tick", SRP_EV_TICK, sizeof(srp_ev_tick), kTick},
}};

// A decision that a policy of another process wrote lacks what its host knows better: the date and
// number of the event, its own number, the gate.
constexpr std::array<Field, 14> kDecision{{
    date_field("now", offsetof(srp_record, now)),
    kSeq,
    kPairing,
    {"id", count, offsetof(srp_decision, id)},
    {"profile", profile_id, offsetof(srp_decision, profile), kRequired},
    {"gate", number, offsetof(srp_decision, gate)},
    {"reason_code", number, offsetof(srp_decision, reason)},
    {"arg", arguments, offsetof(srp_decision, arg)},
    {"valid_until", optional_date, offsetof(srp_decision, valid_until)},
    {"wake_at", optional_date, offsetof(srp_decision, wake_at)},
    {"reward_ppm", signed_number, offsetof(srp_decision, reward_ppm)},
    {"prefer_pairing", count, offsetof(srp_decision, prefer_pairing)},
    {"to", object, offsetof(srp_decision, to), false, {}, kConstraint},
    {"dry_run", truth, offsetof(srp_decision, dry_run)},
}};

constexpr RecordLayout decision(std::string_view its_name, std::uint16_t type) {
  return {its_name, type, sizeof(srp_decision), kDecision};
}
constexpr std::array<RecordLayout, 5> kDecisions{
    {decision("hold", SRP_HOLD), decision("lock", SRP_LOCK), decision("rebind", SRP_REBIND),
     decision("no_draft", SRP_NO_DRAFT), decision("quarantine", SRP_QUARANTINE)}};

}  // namespace

std::span<const RecordLayout> event_layouts() {
  return kEvents;
}

std::span<const RecordLayout> decision_layouts() {
  return kDecisions;
}

}  // namespace specroute::sim
