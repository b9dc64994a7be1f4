#include "sim/routing/cache_history.hpp"

#include <algorithm>

#include <specroute/vocab/check.hpp>

namespace specroute::sim {

CacheHistory::ViewId CacheHistory::add_view(Seconds staleness) {
  check(log_.empty() && forgotten_ == 0, "views are there before the first event");
  views_.push_back({.staleness = staleness});
  return views_.size() - 1;
}

void CacheHistory::append(models::BlockHash hash, Kind kind, Seconds at) {
  check(log_.empty() || log_.back().at <= at, "cache events come in order of time");
  log_.push_back({at, hash, kind});
  if (kind == Kind::turned) turns_[hash].push_back(forgotten_ + log_.size());
}

void CacheHistory::advance(ViewId id, Seconds now) {
  View& view = views_[id];
  while (view.version - forgotten_ < log_.size()) {
    const Event& next = log_[view.version - forgotten_];
    if (next.at > now - view.staleness) break;
    ++view.version;
    see(view, next);
  }
  forget();
}

void CacheHistory::see(View& view, const Event& event) {
  if (event.kind == Kind::cleared) {
    view.cleared = view.version;
    view.size = 0;
  } else if (contains(view, event.hash)) {
    ++view.size;
  } else {
    --view.size;
  }
}

bool CacheHistory::contains(const View& view, models::BlockHash hash) const {
  const auto found = turns_.find(hash);
  if (found == turns_.end()) return false;
  const auto seen = std::ranges::count_if(found->second, [&](Version version) {
    return version > view.cleared && version <= view.version;
  });
  return seen % 2 == 1;
}

std::uint32_t CacheHistory::match(ViewId view, std::span<const models::BlockHash> chain) const {
  const auto end = std::ranges::find_if(
      chain, [&](models::BlockHash hash) { return !contains(views_[view], hash); });
  return static_cast<std::uint32_t>(end - chain.begin());
}

/// Drops the events that every view has seen, and the pairs of turns that cancel before them.
void CacheHistory::forget() {
  const Version seen = std::ranges::min(views_, {}, &View::version).version;
  const Version cleared = std::ranges::min(views_, {}, &View::cleared).cleared;
  const bool clears =
      std::any_of(log_.begin(), log_.begin() + static_cast<std::ptrdiff_t>(seen - forgotten_),
                  [](const Event& event) { return event.kind == Kind::cleared; });
  for (; forgotten_ < seen; ++forgotten_) {
    const Event event = log_.front();
    log_.pop_front();
    const auto entry = turns_.find(event.hash);
    if (event.kind != Kind::turned || entry == turns_.end()) continue;
    std::vector<Version>& turns = entry->second;
    std::erase_if(turns, [&](Version version) { return version <= cleared; });
    // It came and went: neither turn tells anything to a view that has seen both.
    while (turns.size() >= 2 && turns[1] <= seen) turns.erase(turns.begin(), turns.begin() + 2);
    if (turns.empty()) turns_.erase(entry);
  }
  if (clears)
    std::erase_if(turns_, [&](const auto& entry) { return entry.second.back() <= cleared; });
}

}  // namespace specroute::sim
