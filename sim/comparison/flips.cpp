#include "sim/comparison/flips.hpp"

#include <algorithm>

namespace specroute::sim {
namespace {

/// Walks an ascending list beside ascending questions.
class Cursor {
 public:
  explicit Cursor(const std::vector<std::uint64_t>& ids) : ids_(ids) {}

  [[nodiscard]] bool has(std::uint64_t id) {
    while (at_ < ids_.size() && ids_[at_] < id) ++at_;
    return at_ < ids_.size() && ids_[at_] == id;
  }

 private:
  const std::vector<std::uint64_t>& ids_;
  std::size_t at_ = 0;
};

/// Every request that is not a clean completion in both, once, ascending.
std::vector<std::uint64_t> noteworthy(const Outcomes& first, const Outcomes& second) {
  std::vector<std::uint64_t> ids;
  for (const auto* list : {&first.degraded, &first.unserved, &second.degraded, &second.unserved})
    ids.insert(ids.end(), list->begin(), list->end());
  std::ranges::sort(ids);
  ids.erase(std::ranges::unique(ids).begin(), ids.end());
  return ids;
}

/// One run, asked request by request in their order.
struct Run {
  explicit Run(const Outcomes& outcomes)
      : arrived(outcomes.arrived), degraded(outcomes.degraded), unserved(outcomes.unserved) {}

  enum class End { clean, degraded, unserved };
  [[nodiscard]] End end_of(std::uint64_t id) {
    if (id >= arrived || unserved.has(id)) return End::unserved;
    return degraded.has(id) ? End::degraded : End::clean;
  }

  std::uint64_t arrived;
  Cursor degraded;
  Cursor unserved;
};

void count(FlipTable& table, Run::End first, Run::End second) {
  using End = Run::End;
  if (first == End::unserved && second == End::unserved) {
    ++table.served_never;
  } else if (first == End::unserved || second == End::unserved) {
    ++table.served_once;
  } else if (first == End::degraded) {
    ++(second == End::degraded ? table.both_degraded : table.became_clean);
  } else {
    ++(second == End::degraded ? table.became_degraded : table.both_clean);
  }
}

}  // namespace

FlipTable& FlipTable::operator+=(const FlipTable& other) {
  both_clean += other.both_clean;
  both_degraded += other.both_degraded;
  became_degraded += other.became_degraded;
  became_clean += other.became_clean;
  served_once += other.served_once;
  served_never += other.served_never;
  if (!first_difference) first_difference = other.first_difference;
  return *this;
}

FlipTable flips_between(const Outcomes& first, const Outcomes& second) {
  FlipTable table;
  Run left(first);
  Run right(second);
  const std::uint64_t common = std::min(first.arrived, second.arrived);
  const std::uint64_t most = std::max(first.arrived, second.arrived);
  std::uint64_t looked_at = 0;
  for (const std::uint64_t id : noteworthy(first, second)) {
    if (id >= common) break;
    const auto was = left.end_of(id);
    const auto is = right.end_of(id);
    count(table, was, is);
    ++looked_at;
    if (was != is && !table.first_difference) table.first_difference = id;
  }
  table.both_clean += common - looked_at;
  table.served_once += most - common;
  if (most > common && !table.first_difference) table.first_difference = common;
  return table;
}

}  // namespace specroute::sim
