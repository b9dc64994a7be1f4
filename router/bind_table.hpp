/// @file
/// What the policy remembers of each bound (pairing, profile).
#pragma once

#include <specroute/policy_abi.h>
#include <array>
#include <cstdint>

#include "router/config.hpp"
#include "router/counts.hpp"
#include "router/fingerprint.hpp"
#include "router/table.hpp"
#include "router/tally.hpp"

namespace specroute::router {

/// How a pairing's windows count towards baselines.
enum class Grade : std::uint32_t {
  unseen,        ///< no window since the bind, or since drafting resumed
  verified,      ///< all fingerprints reported by the engines, equal, and what the profile asks for
  unattributed,  ///< nothing contradicts, but not all is verified
  invalid        ///< something known differs
};

constexpr std::uint32_t kNoBaseline = 0xffff'ffffU;

/// One (pairing, profile). Dates are nanoseconds; 0 means "none" for *_until and wake_at.
struct BindRow {
  std::uint64_t pairing = 0;
  std::uint64_t profile = 0;
  std::uint64_t required_v1 = 0;
  std::uint64_t required_v2 = 0;
  Fingerprint draft;
  Fingerprint target;
  std::uint32_t forward = 0;
  std::uint32_t rule = 0;
  std::uint32_t draft_tokens = 0;
  std::uint32_t ended = 0;  ///< 1: unbound; kept for its successor until the room is needed
  std::uint64_t last_heard = 0;

  std::uint64_t cool_down_start = 0;  ///< fail-over, else bind, else the latest counter restart
  std::uint64_t failover_at = 0;      ///< of the fail-over that this pairing descends from
  std::uint32_t after_failover = 0;   ///< 1: failover_at is meant
  std::uint32_t pre_known = 0;        ///< 1: `pre` is meant
  Counts pre;                         ///< the baseline, frozen at the fail-over

  std::uint64_t drafted_since_bind = 0;  ///< of this epoch
  Counts unjudged;                       ///< since the last judgement, under one grade
  Counts latest;                         ///< the counts that were judged last
  std::uint64_t attributed_since = 0;    ///< every window from then on was verified; 0: none
  std::uint64_t unattributed_until = 0;  ///< bound, without a draft, or not verified until then
  Grade grade = Grade::unseen;
  std::uint32_t judged = 0;  ///< 1: a window was judged
  std::uint32_t baseline = kNoBaseline;
  std::uint32_t n_exclude = 0;
  std::array<std::uint64_t, SRP_MAX_EXCLUDE> exclude{};
  std::uint64_t rejected_at = 0;  ///< of the latest REBIND (meant where n_exclude > 0)

  std::uint64_t locked_until = 0;
  std::uint64_t no_draft_until = 0;
  std::uint64_t quarantine_until = 0;
  std::uint64_t released_at = 0;       ///< when the latest quarantine ended or was refused
  std::uint64_t pending_decision = 0;  ///< a REBIND or QUARANTINE whose outcome is awaited
  std::uint64_t quiet_until = 0;       ///< no new REBIND before
  std::uint64_t wake_at = 0;
  Tally tally{};                ///< the gate's statistic over many windows
  std::uint32_t said_type = 0;  ///< of the latest decision: a HOLD is said once
  std::uint32_t said_reason = 0;
  std::uint32_t quarantines = 0;  ///< in a row, less what service made up for
  std::uint32_t half_open = 0;    ///< 1: released, and not found well yet

  [[nodiscard]] std::uint64_t required(std::uint32_t version) const {
    return version == 2 ? required_v2 : required_v1;
  }
};

/// What was heard at `date` is not of a verified pair: acceptance until then is nobody's.
inline void end_attribution(BindRow& row, std::uint64_t date) {
  row.attributed_since = 0;
  if (date > row.unattributed_until) row.unattributed_until = date;
}

/// Whether the row is in quarantine at `now`, of which neither traffic nor outcomes count.
inline bool quarantined(const BindRow& row, std::uint64_t now) {
  return row.quarantine_until > now;
}
/// Whether the row's quarantine is over at `now`, and end_quarantine() has not said so yet.
inline bool awaits_release(const BindRow& row, std::uint64_t now) {
  return row.quarantine_until != 0 && !quarantined(row, now);
}

struct BindKey {
  std::uint64_t pairing = 0;
  std::uint64_t profile = 0;
};

/// Rows sorted by (pairing, profile).
class BindTable {
 public:
  Table<BindRow> rows;
  Table<BindKey> keys;  ///< of the rows, side by side: a search stays within few cache lines

  /// Makes the keys of rows that came from elsewhere.
  void index_rows();
  /// The row that insert() would evict, or nullptr.
  [[nodiscard]] const BindRow* next_to_go() const;

  [[nodiscard]] BindRow* find(std::uint64_t pairing, std::uint64_t profile);
  /// Position of the pairing's first row (its rows are adjacent).
  [[nodiscard]] std::uint32_t first_of(std::uint64_t pairing) const;
  /// Inserts a row that is not there. Where the table is full, a row makes room: an ended one if
  /// there is any, else a live one; of these the one heard of longest ago, ties by lowest id.
  /// @return whether a live row was evicted
  bool insert(const BindRow& row, BindRow*& placed);
  /// The row that a bind of `row` without a fail-over of its own descends from, or nullptr: same
  /// profile and target, or a kept draft whose target was to be replaced. Latest fail-over first,
  /// then the highest pairing id.
  [[nodiscard]] const BindRow* ancestor_of(const BindRow& row) const;

 private:
  [[nodiscard]] std::uint32_t position(std::uint64_t pairing, std::uint64_t profile) const;
  [[nodiscard]] std::uint32_t evictable() const;
};

/// Whether a side is known to sample with other parameters than the profile states: two that agree
/// on them are consistently wrong.
inline bool off_profile(const BindRow& row, std::uint32_t version) {
  const std::uint64_t required = row.required(version);
  const auto off = [required, version](const srp_side& side) {
    return (side.known & SRP_FP_PARAMS) != 0 && params_of(side, version) != required;
  };
  return required != 0 && (off(row.draft.side) || off(row.target.side));
}
/// Whether all four fingerprints are equal and were reported by the engines themselves, since they
/// started: the pair is consistent, if perhaps on other parameters than the profile's.
inline bool reported_equal(const BindRow& row, std::uint32_t version) {
  constexpr std::uint32_t kAll = SRP_FP_TOKENIZER | SRP_FP_PARAMS | SRP_FP_KV | SRP_FP_MASK;
  if ((row.draft.verified & row.target.verified & kAll) != kAll) return false;
  return differing(row.draft.side, row.target.side, version) == 0;
}
/// Whether it is what the profile asks for besides. Under `match_draft`, the literal reading, the
/// profile is not asked.
inline bool pair_verified(const BindRow& row, const Config& config) {
  return reported_equal(row, config.hash_version) &&
         (config.match_draft != 0 || !off_profile(row, config.hash_version));
}
/// The grade of the row's present fingerprints. A baseline is of the profile in every reading.
Grade grade_of(const BindRow& row, std::uint32_t version);

}  // namespace specroute::router
