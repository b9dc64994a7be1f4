#include "sim/world/pairing_ledger.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <specroute/vocab/check.hpp>

#include "sim/routing/policy_host.hpp"

namespace specroute::sim {
namespace {

/// Whether a lock is over, by the policy's own clock: it counts whole nanoseconds, and the last bit
/// of a date in seconds must not turn a new lock into an extension of the old one.
bool expired(Seconds until, Seconds now) {
  return std::isfinite(until.count()) && to_nanoseconds(until) <= to_nanoseconds(now);
}

}  // namespace

DraftCounts draft_counts(const std::vector<RowCounts>& rows, std::uint32_t draft_tokens) {
  DraftCounts total;
  if (draft_tokens == 0) return total;
  for (const RowCounts& row : rows)
    for (std::uint32_t accepted = 0; accepted <= draft_tokens; ++accepted) {
      total.steps += row.steps_accepting[accepted];
      total.accepted += accepted * row.steps_accepting[accepted];
    }
  total.drafted = total.steps * draft_tokens;
  for (const RowCounts& row : rows) total.drafted -= row.not_drafted;
  return total;
}

DraftCounts draft_counts(const Binding& binding) {
  DraftCounts total = draft_counts(binding.counts, binding.draft_tokens);
  for (const ShorterDrafts& shorter : binding.shorter) {
    const DraftCounts some = draft_counts(shorter.counts, shorter.draft_tokens);
    total.steps += some.steps;
    total.accepted += some.accepted;
    total.drafted += some.drafted;
  }
  return total;
}

LedgerEntry& PairingLedger::open(PairingId id) {
  check(id.index() == entries_.size(), "pairings enter the ledger in order");
  entries_.push_back(std::make_unique<LedgerEntry>());
  return *entries_.back();
}

DraftCounts PairingLedger::counts(PairingId id) const {
  return draft_counts((*this)[id].binding);
}

void PairingLedger::window_arrived(PairingId id, Seconds now) {
  const LedgerEntry& entry = (*this)[id];
  wrongly_credited_ += entry.harmful() && entry.locked_until > now && !entry.ended;
}

void PairingLedger::decided(PairingId id, const srp_decision& decision, Seconds now) {
  LedgerEntry& entry = (*this)[id];
  if (decision.dry_run != 0 || (entry.ended && decision.h.type == SRP_LOCK)) return;
  switch (decision.h.type) {
    case SRP_LOCK: {
      const Seconds until = to_seconds(decision.valid_until);
      ++locks_;
      if (entry.locks.empty() || expired(entry.locks.back().until, now))
        entry.locks.push_back({now, until});
      else
        entry.locks.back().until = until;
      entry.locked_until = until;
      return;
    }
    case SRP_REBIND:
    case SRP_NO_DRAFT:
    case SRP_QUARANTINE:
      ++rejections_;
      benign_rejections_ += !entry.harmful();
      if (!entry.locks.empty()) entry.locks.back().until = std::min(entry.locks.back().until, now);
      entry.locked_until = std::min(entry.locked_until, now);
      return;
    default:
      return;
  }
}

void PairingLedger::harm_changed(PairingId id, Seconds now) {
  LedgerEntry& entry = (*this)[id];
  const bool open = !entry.harm.empty() && entry.harm.back().until > now;
  if (entry.harmful() && !open)
    entry.harm.push_back({now, Seconds{std::numeric_limits<double>::infinity()}});
  else if (!entry.harmful() && open)
    entry.harm.back().until = now;
}

/// Calls `visit` with every span during which a pairing was bound, locked and harmful at once.
template <class Visit>
void PairingLedger::each_harmful_lock(Seconds end, Visit visit) const {
  for (const auto& entry : entries_)
    for (const LedgerEntry::Span& lock : entry->locks)
      for (const LedgerEntry::Span& harm : entry->harm) {
        const LedgerEntry::Span both{
            std::max(lock.from, harm.from),
            std::min({lock.until, harm.until, entry->ended.value_or(end), end})};
        if (both.from < both.until) visit(both);
      }
}

Seconds PairingLedger::harmful_lock(Seconds end) const {
  Seconds total{0.0};
  each_harmful_lock(end, [&](const LedgerEntry::Span& span) { total += span.until - span.from; });
  return total;
}

Seconds PairingLedger::first_harmful_lock(Seconds from, Seconds end) const {
  std::optional<LedgerEntry::Span> first;
  each_harmful_lock(end, [&](const LedgerEntry::Span& span) {
    if (span.from >= from && (!first || span.from < first->from)) first = span;
  });
  return first ? first->until - first->from : Seconds{0.0};
}

DraftCounts PairingLedger::total_counts() const {
  DraftCounts total;
  for (const auto& entry : entries_) {
    const DraftCounts counts = draft_counts(entry->binding);
    total.drafted += counts.drafted;
    total.accepted += counts.accepted;
    total.steps += counts.steps;
  }
  return total;
}

std::vector<std::string> PairingLedger::pairing_names(const std::vector<std::string>& names) const {
  std::vector<std::string> result;
  for (const auto& entry : entries_)
    result.push_back(names[entry->target.index()] + '+' +
                     (entry->draft.exists() ? names[entry->draft.index()] : "alone"));
  return result;
}

void PairingLedger::report(Metrics& metrics, Seconds end) const {
  const auto number = [](std::uint64_t count) { return static_cast<double>(count); };
  metrics.emplace_back("decisions.locks", number(locks_));
  metrics.emplace_back("decisions.rejections", number(rejections_));
  metrics.emplace_back("decisions.rebinds", number(rebinds_));
  metrics.emplace_back("benign_rejections", number(benign_rejections_));
  metrics.emplace_back("wrongly_credited_windows", number(wrongly_credited_));
  metrics.emplace_back("lock.harmful_s", harmful_lock(end).count());
  const DraftCounts total = total_counts();
  metrics.emplace_back("tokens.drafted", number(total.drafted));
  metrics.emplace_back("tokens.accepted", number(total.accepted));
  metrics.emplace_back("acceptance_rate", total.rate());
  metrics.emplace_back("mean_acceptance_length", total.mean_length());
}

}  // namespace specroute::sim
