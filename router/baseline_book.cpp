#include "router/baseline_book.hpp"

#include <algorithm>

namespace specroute::router {
namespace {

std::uint64_t slot_index(std::uint64_t date, std::uint64_t window_ns) {
  return 1 + date / std::max<std::uint64_t>(1, window_ns / kBaselineSlots);
}

/// Sum of the ring over the `kBaselineSlots` slots that end with `last`.
Counts sum(const Baseline& baseline, std::uint64_t last, bool with_unattributed) {
  Counts total;
  for (const auto& slot : baseline.slots) {
    if (slot.index == 0 || slot.index > last || last - slot.index >= kBaselineSlots) continue;
    total.add(slot.verified);
    if (with_unattributed) total.add(slot.unattributed);
  }
  return total;
}

std::uint64_t latest_verified(const Baseline& baseline, std::uint64_t last) {
  std::uint64_t latest = 0;
  for (const auto& slot : baseline.slots)
    if (!slot.verified.empty() && slot.index <= last) latest = std::max(latest, slot.index);
  return latest;
}

std::optional<Counts> if_any(const Counts& counts) {
  return counts.empty() ? std::nullopt : std::optional(counts);
}

bool is_of(const Baseline& baseline, const BindRow& row) {
  return baseline.key == baseline_key(row) && baseline.draft_backend == row.draft.side.backend &&
         baseline.target_backend == row.target.side.backend;
}

}  // namespace

BaselineKey baseline_key(const BindRow& row) {
  return {row.target.side.model, row.draft.side.model, row.profile, row.rule, row.draft_tokens};
}

const Baseline* BaselineBook::find(const BindRow& row) const {
  const auto all = book.all();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Baseline& b) { return is_of(b, row); });
  return found == all.end() ? nullptr : &*found;
}

bool BaselineBook::place(const BindRow& row, std::uint64_t now, std::uint32_t& at) {
  if (const Baseline* found = find(row)) {
    at = static_cast<std::uint32_t>(found - book.items);
    return false;
  }
  Baseline fresh;
  fresh.key = baseline_key(row);
  fresh.draft_backend = row.draft.side.backend;
  fresh.target_backend = row.target.side.backend;
  fresh.last_heard = now;
  if (!book.full()) {
    at = book.size;
    book.insert(at, fresh);
    return false;
  }
  at = 0;
  for (std::uint32_t i = 1; i < book.size; ++i)
    if (book.items[i].last_heard < book.items[at].last_heard) at = i;
  book.items[at] = fresh;
  return true;
}

void BaselineBook::add(std::uint32_t at, const BaselineEntry& entry, std::uint64_t window_ns) {
  if (entry.grade == Grade::invalid || entry.drafted == 0) return;
  Baseline& baseline = book.items[at];
  const std::uint64_t index = slot_index(entry.to_ns, window_ns);
  BaselineSlot& slot = baseline.slots[index % kBaselineSlots];
  if (slot.index > index) return;  // older than the ring remembers
  if (slot.index != index) {
    slot = BaselineSlot{};
    slot.index = index;
  }
  auto& counts = entry.grade == Grade::verified ? slot.verified : slot.unattributed;
  counts.add(entry.drafted, entry.accepted);
  baseline.last_heard = std::max(baseline.last_heard, entry.to_ns);
}

std::optional<Counts> BaselineBook::of_pair(const BindRow& row, std::uint64_t before,
                                            std::uint64_t window_ns) const {
  const Baseline* own = find(row);
  if (own == nullptr) return std::nullopt;
  const auto latest = latest_verified(*own, slot_index(before, window_ns));
  return latest == 0 ? std::nullopt : if_any(sum(*own, latest, false));
}

std::optional<Counts> BaselineBook::of_key(const BindRow& row, std::uint64_t before,
                                           std::uint64_t window_ns) const {
  const auto key = baseline_key(row);
  const auto last = slot_index(before, window_ns);
  std::uint64_t latest = 0;
  for (const auto& baseline : book.all())
    if (baseline.key == key) latest = std::max(latest, latest_verified(baseline, last));
  Counts total;
  for (const auto& baseline : book.all())
    if (baseline.key == key) total.add(sum(baseline, latest, false));
  return if_any(total);
}

std::optional<Counts> BaselineBook::of_replaced(const BindRow& row, std::uint64_t before,
                                                std::uint64_t window_ns) const {
  const Baseline* own = find(row);
  if (own == nullptr) return std::nullopt;
  return if_any(sum(*own, slot_index(before, window_ns), true));
}

}  // namespace specroute::router
