/// @file
/// The prefix cache of one engine over time, as its events tell it, and views of it.
///
/// Events are appended to a log and numbered; a view is a cursor into it, so a view that lags is
/// no copy of anything. A block's entry holds the versions at which it came and went: it is there
/// for a view where an odd number of them lies at or before the view's version. What no view can
/// look back to is forgotten.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <unordered_map>
#include <vector>

#include <specroute/vocab/units.hpp>

#include "models/workload/prefix_blocks.hpp"

namespace specroute::sim {

class CacheHistory {
 public:
  using Version = std::uint64_t;
  using ViewId = std::size_t;

  /// A view that sees the cache as it was `staleness` ago. Views are added before any event.
  ViewId add_view(Seconds staleness);

  // Events, in order of time.
  void cached(models::BlockHash hash, Seconds at) { append(hash, Kind::turned, at); }
  void evicted(models::BlockHash hash, Seconds at) { append(hash, Kind::turned, at); }
  void cleared(Seconds at) { append(0, Kind::cleared, at); }

  /// Moves a view up to `now`; time never goes back.
  void advance(ViewId view, Seconds now);
  /// Leading hashes of a chain that are there for a view.
  [[nodiscard]] std::uint32_t match(ViewId view, std::span<const models::BlockHash> chain) const;
  /// Blocks that are there for a view.
  [[nodiscard]] std::uint64_t size(ViewId view) const { return views_[view].size; }

  /// Entries and events that are still kept: what bounds memory.
  [[nodiscard]] std::size_t kept() const { return turns_.size() + log_.size(); }

 private:
  enum class Kind : std::uint8_t { turned, cleared };
  struct Event {
    Seconds at;
    models::BlockHash hash;
    Kind kind;
  };
  struct View {
    Seconds staleness;
    Version version = 0;  ///< events seen
    Version cleared = 0;  ///< version of the latest clearance seen
    std::uint64_t size = 0;
  };
  void append(models::BlockHash hash, Kind kind, Seconds at);
  void see(View& view, const Event& event);
  [[nodiscard]] bool contains(const View& view, models::BlockHash hash) const;
  void forget();

  std::deque<Event> log_;  ///< versions forgotten_ + 1, ...
  Version forgotten_ = 0;
  std::unordered_map<models::BlockHash, std::vector<Version>> turns_;  ///< looked up, never walked
  std::vector<View> views_;
};

}  // namespace specroute::sim
