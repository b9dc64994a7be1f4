/// @file
/// A gate: a pure function from evidence to a verdict. Gates keep nothing; what must be
/// remembered is in the bind table.
#pragma once

#include <specroute/policy_abi.h>
#include <cstdint>
#include <span>
#include <string_view>

#include "router/fingerprint.hpp"
#include "router/reasons.hpp"

namespace specroute::router {

/// What is known of one (pairing, profile) when it is judged.
struct Evidence {
  Match tokenizer = Match::unknown;
  Match kv = Match::unknown;
  Match mask = Match::unknown;
  Match params = Match::unknown;
  bool verified = false;  ///< all four equal, and reported by the engines themselves
  bool forwarded_logits = false;
  bool after_failover = false;
  bool delta_known = false;     ///< both the baseline and the post-fail-over rate are known
  bool spike = false;           ///< delta > threshold
  bool collapse = false;        ///< delta < -threshold
  bool attributed = false;      ///< every window of one full cool-down came from the verified pair
  bool cool_down_over = false;  ///< one full cool-down since the fail-over (else: since the bind)
};

struct Verdict {
  std::uint32_t type = SRP_HOLD;
  Reason reason = Reason::none;
  bool renews = false;     ///< LOCK: extends a lock that holds
  bool wakes = false;      ///< HOLD: judge again when the cool-down is over
  bool asks_hash = false;  ///< REBIND: the newcomer's params hash must fit
};

inline Verdict hold(Reason reason) {
  return {SRP_HOLD, reason, false, false, false};
}
inline Verdict hold_for_cool_down(Reason reason) {
  return {SRP_HOLD, reason, false, true, false};
}
inline Verdict lock(Reason reason) {
  return {SRP_LOCK, reason, false, false, false};
}
inline Verdict lock_or_extend(Reason reason) {
  return {SRP_LOCK, reason, true, false, false};
}
inline Verdict rebind(Reason reason) {
  return {SRP_REBIND, reason, false, false, true};
}
inline Verdict no_draft(Reason reason) {
  return {SRP_NO_DRAFT, reason, false, false, false};
}

struct Gate {
  std::uint32_t id = 0;
  std::string_view name;
  Verdict (*judge)(const Evidence&) = nullptr;
  /// What to say when a pairing is bound, before any traffic; nullptr: nothing.
  Verdict (*at_bind)(const Evidence&) = nullptr;
  bool reads_baseline = false;
  bool rebinds = false;
  bool falls_back = false;  ///< no candidate: NO_DRAFT rather than HOLD
  std::uint32_t match = 0;  ///< SRP_FP_* bits that a newcomer must share with the kept side
};

Verdict judge_none(const Evidence& evidence);
Verdict judge_delta_only(const Evidence& evidence);
Verdict judge_hash_only(const Evidence& evidence);
Verdict judge_cooldown_only(const Evidence& evidence);
Verdict judge_params_hash(const Evidence& evidence);
Verdict judge_validity(const Evidence& evidence);
Verdict judge_validity_safe(const Evidence& evidence);
Verdict bind_validity(const Evidence& evidence);
Verdict bind_validity_safe(const Evidence& evidence);

/// The gates, in the order of SRP_GATE_* (which is the schema's).
std::span<const Gate> gates();
/// The gate with `id`, or nullptr.
const Gate* find_gate(std::uint32_t id);

}  // namespace specroute::router
