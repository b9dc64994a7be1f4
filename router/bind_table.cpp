#include "router/bind_table.hpp"

#include <tuple>

namespace specroute::router {

std::uint32_t BindTable::position(std::uint64_t pairing, std::uint64_t profile) const {
  return keys.lower_bound([=](const BindKey& key) {
    return key.pairing < pairing || (key.pairing == pairing && key.profile < profile);
  });
}

BindRow* BindTable::find(std::uint64_t pairing, std::uint64_t profile) {
  const auto at = position(pairing, profile);
  if (at == rows.size) return nullptr;
  BindRow& row = rows.items[at];
  return row.pairing == pairing && row.profile == profile ? &row : nullptr;
}

std::uint32_t BindTable::first_of(std::uint64_t pairing) const {
  return position(pairing, 0);
}

std::uint32_t BindTable::evictable() const {
  std::uint32_t best = 0;
  const auto age = [](const BindRow& row) { return std::tuple(row.ended == 0, row.last_heard); };
  for (std::uint32_t i = 1; i < rows.size; ++i)
    if (age(rows.items[i]) < age(rows.items[best])) best = i;
  return best;
}

void BindTable::index_rows() {
  keys.size = 0;
  for (const BindRow& row : rows.all()) keys.insert(keys.size, {row.pairing, row.profile});
}

const BindRow* BindTable::next_to_go() const {
  return rows.full() ? &rows.items[evictable()] : nullptr;
}

bool BindTable::insert(const BindRow& row, BindRow*& placed) {
  bool evicted_live = false;
  if (rows.full()) {
    const auto victim = evictable();
    evicted_live = rows.items[victim].ended == 0;
    rows.erase(victim);
    keys.erase(victim);
  }
  const auto at = position(row.pairing, row.profile);
  keys.insert(at, {row.pairing, row.profile});
  placed = &rows.insert(at, row);
  return evicted_live;
}

const BindRow* BindTable::ancestor_of(const BindRow& row) const {
  const BindRow* best = nullptr;
  for (const BindRow& other : rows.all()) {
    const bool has_history = other.after_failover != 0 || other.n_exclude > 0;
    if (other.profile != row.profile || !has_history || other.pairing == row.pairing) continue;
    const bool same_target = other.target.side.backend == row.target.side.backend;
    const bool kept_draft = other.draft.side.backend == row.draft.side.backend &&
                            other.n_exclude > 0 &&
                            other.exclude[other.n_exclude - 1] == other.target.side.backend;
    if (!same_target && !kept_draft) continue;
    if (best == nullptr || other.failover_at >= best->failover_at) best = &other;
  }
  return best;
}

Grade grade_of(const BindRow& row, std::uint32_t version) {
  if (differing(row.draft.side, row.target.side, version) != 0 || off_profile(row, version))
    return Grade::invalid;
  return reported_equal(row, version) ? Grade::verified : Grade::unattributed;
}

}  // namespace specroute::router
