/// @file
/// What each pairing did, in truth: its counters, its harm, its locks.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <specroute/policy_abi.h>
#include <specroute/vocab/id.hpp>
#include <specroute/vocab/units.hpp>

#include "sim/serving/binding.hpp"
#include "sim/serving/pair_tables.hpp"
#include "sim/world/incident_record.hpp"
#include "sim/world/run_result.hpp"

namespace specroute::sim {

/// One pairing of the run. `binding` points into `with_draft` and `alone`, so an entry never moves.
struct LedgerEntry {
  BackendId target;
  BackendId draft;
  Seconds bound{0.0};
  std::optional<Seconds> ended;
  Binding binding;
  std::shared_ptr<const PairTables> with_draft;
  std::shared_ptr<const PairTables> alone;
  struct Span {
    Seconds from;
    Seconds until;
  };
  std::vector<Span> locks;  ///< in order, not overlapping
  std::vector<Span> harm;   ///< when it could degrade completions: truth
  Seconds locked_until{0.0};
  std::vector<RowCounts> reported;          ///< counters at the last telemetry cut
  std::vector<RowCounts> reported_sampled;  ///< those of the one engine that may be read alone
  Seconds last_cut{0.0};                    ///< when that was, or the bind
  std::vector<bool> counters_fell;          ///< by profile, and the router has yet to see it
  std::uint64_t drafted_reported = 0;
  [[nodiscard]] bool harmful() const { return with_draft != nullptr && with_draft->harmful; }
};

class PairingLedger {
 public:
  [[nodiscard]] LedgerEntry& open(PairingId id);
  [[nodiscard]] LedgerEntry& operator[](PairingId id) { return *entries_[id.index()]; }
  [[nodiscard]] const LedgerEntry& operator[](PairingId id) const { return *entries_[id.index()]; }

  [[nodiscard]] std::size_t size() const { return entries_.size(); }

  /// Draft tokens of a pairing since its bind, over all profiles.
  [[nodiscard]] DraftCounts counts(PairingId id) const;

  void window_arrived(PairingId id, Seconds now);
  /// Its tables were made, or made anew.
  void harm_changed(PairingId id, Seconds now);
  void rebound() { ++rebinds_; }
  void decided(PairingId id, const srp_decision& decision, Seconds now);
  void ended(PairingId id, Seconds now) { (*this)[id].ended = now; }

  /// Time up to `end` during which a pairing was locked while it was harmful.
  [[nodiscard]] Seconds harmful_lock(Seconds end) const;
  /// Length of the first such lock that begins at `from` or later, extensions included; 0: none.
  [[nodiscard]] Seconds first_harmful_lock(Seconds from, Seconds end) const;

  /// Draft tokens of all pairings.
  [[nodiscard]] DraftCounts total_counts() const;
  /// "target+draft" of every pairing, "target+alone" without a draft. @param names of the backends
  [[nodiscard]] std::vector<std::string> pairing_names(const std::vector<std::string>& names) const;

  /// Appends decisions.*, the windows, lock.*, and acceptance over the whole run.
  void report(Metrics& metrics, Seconds end) const;

 private:
  template <class Visit>
  void each_harmful_lock(Seconds end, Visit visit) const;

  std::vector<std::unique_ptr<LedgerEntry>> entries_;
  std::uint64_t wrongly_credited_ = 0;
  std::uint64_t benign_rejections_ = 0;
  std::uint64_t locks_ = 0;
  std::uint64_t rejections_ = 0;
  std::uint64_t rebinds_ = 0;
};

/// Draft tokens in a set of row counters.
[[nodiscard]] DraftCounts draft_counts(const std::vector<RowCounts>& rows,
                                       std::uint32_t draft_tokens);
/// Over every draft length of a binding.
[[nodiscard]] DraftCounts draft_counts(const Binding& binding);

}  // namespace specroute::sim
