#include "sim/routing/cache_history.hpp"

#include <set>

#include <gtest/gtest.h>

#include "models/random/stream.hpp"

namespace specroute::sim {
namespace {

using Chain = std::vector<models::BlockHash>;

TEST(CacheHistory, ShowsAViewTheCacheAsItWas) {
  CacheHistory history;
  const auto fresh = history.add_view(Seconds{0.0});
  const auto stale = history.add_view(Seconds{2.0});
  history.cached(1, Seconds{1.0});
  history.cached(2, Seconds{2.0});
  history.evicted(2, Seconds{3.5});
  history.advance(fresh, Seconds{3.0});
  history.advance(stale, Seconds{3.0});
  EXPECT_EQ(history.match(fresh, Chain{1, 2}), 2U);
  EXPECT_EQ(history.match(stale, Chain{1, 2}), 1U);
  history.advance(fresh, Seconds{4.0});
  history.advance(stale, Seconds{4.0});
  EXPECT_EQ(history.match(fresh, Chain{1, 2}), 1U);
  EXPECT_EQ(history.match(stale, Chain{1, 2}), 2U) << "it does not know of the eviction yet";
  EXPECT_EQ(history.size(fresh), 1U);
  EXPECT_EQ(history.size(stale), 2U);
}

TEST(CacheHistory, ForgetsAClearedCacheAndWhatNoViewCanSee) {
  CacheHistory history;
  const auto view = history.add_view(Seconds{1.0});
  for (models::BlockHash hash = 0; hash < 100; ++hash) history.cached(hash, Seconds{1.0});
  history.cleared(Seconds{2.0});
  history.cached(7, Seconds{2.5});
  history.advance(view, Seconds{2.5});
  EXPECT_EQ(history.size(view), 100U);
  history.advance(view, Seconds{3.0});
  EXPECT_EQ(history.size(view), 0U);
  EXPECT_EQ(history.match(view, Chain{7}), 0U);
  history.advance(view, Seconds{3.5});
  EXPECT_EQ(history.match(view, Chain{7}), 1U);
  EXPECT_EQ(history.kept(), 1U);
}

// The reference is the definition: a copy of the set at every event, one looked up by its date.
TEST(CacheHistory, EqualsACopyOfTheCacheAtEveryStaleness) {
  models::Stream draws = models::Seed{20261130}.stream("cache history");
  CacheHistory history;
  const std::vector<double> staleness{0.0, 0.7, 5.0};
  for (const double s : staleness) history.add_view(Seconds{s});
  std::vector<std::pair<double, std::set<models::BlockHash>>> copies{{-1e9, {}}};
  for (int step = 1; step <= 3000; ++step) {
    const double now = 0.1 * step;
    std::set<models::BlockHash> next = copies.back().second;
    const models::BlockHash hash = draws() % 12;
    if (draws() % 40 == 0) {
      history.cleared(Seconds{now});
      next.clear();
    } else if (next.insert(hash).second) {
      history.cached(hash, Seconds{now});
    } else {
      history.evicted(hash, Seconds{now});
      next.erase(hash);
    }
    copies.emplace_back(now, next);
    for (std::size_t view = 0; view < staleness.size(); ++view) {
      history.advance(view, Seconds{now});
      auto copy = copies.rbegin();
      while (Seconds{copy->first} > Seconds{now} - Seconds{staleness[view]}) ++copy;
      EXPECT_EQ(history.size(view), copy->second.size());
      for (models::BlockHash h = 0; h < 12; ++h)
        EXPECT_EQ(history.match(view, Chain{h}), copy->second.count(h)) << step << ' ' << view;
    }
  }
  EXPECT_LE(history.kept(), 100U) << "12 hashes and 5 s of events, however long the run";
}

}  // namespace
}  // namespace specroute::sim
