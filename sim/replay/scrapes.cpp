#include "sim/replay/scrapes.hpp"

#include <set>
#include <utility>

namespace specroute::sim {
namespace {

/// The values of one metric: they lie together.
auto range_of(const std::map<SeriesKey, double>& values, Metric metric) {
  const auto next = static_cast<Metric>(static_cast<std::uint8_t>(metric) + 1);
  return std::pair(values.lower_bound({metric, 0, 0}), values.lower_bound({next, 0, 0}));
}

}  // namespace

bool Scrape::has(Metric metric) const {
  const auto [begin, end] = range_of(values, metric);
  return begin != end;
}

double Scrape::value(Metric metric) const {
  const auto [begin, end] = range_of(values, metric);
  double sum = 0.0;
  double count = 0.0;
  for (auto at = begin; at != end; ++at, count += 1.0) sum += at->second;
  return is_gauge(metric) && count > 0.0 ? sum / count : sum;
}

Scrapes gather_scrapes(const Telemetry& telemetry, ScrapeCounts& counts) {
  Scrapes scrapes;
  std::map<std::tuple<std::uint32_t, std::uint32_t, SeriesKey>, UnixTime> last;
  std::set<std::pair<std::uint32_t, UnixTime>> late;
  for (const ScrapedValue& one : telemetry.scraped) {
    const SeriesKey key{one.metric, one.position, one.series};
    auto& latest = last[{one.origin.file, one.source, key}];
    if (one.at < latest) late.emplace(one.source, one.at);
    if (one.at > latest) latest = one.at;
    auto [scrape, fresh] = scrapes[one.source].try_emplace(one.at);
    if (fresh) {
      ++counts.scrapes;
      scrape->second.origin = one.origin;
    }
    const auto [held, new_value] = scrape->second.values.emplace(key, one.value);
    if (!new_value) ++(held->second == one.value ? counts.repeated : counts.conflicting);
  }
  counts.out_of_order += late.size();
  return scrapes;
}

}  // namespace specroute::sim
