#include "sim/replay/engine_windows.hpp"

#include <algorithm>
#include <cmath>

#include "sim/replay/scrapes.hpp"

namespace specroute::sim {
namespace {

std::uint64_t to_count(double value) {
  return static_cast<std::uint64_t>(std::floor(value + 0.5));
}

/// Whether the engine began again: a counter fell, or says that it began later.
bool fell(const Scrape& known, const Scrape& now) {
  constexpr double kSecondsOfDoubt = 0.001;
  for (const auto& [key, value] : now.values) {
    const auto was = known.values.find(key);
    if (was == known.values.end()) continue;
    const Metric metric = std::get<0>(key);
    if (metric == Metric::created ? value > was->second + kSecondsOfDoubt
                                  : !is_gauge(metric) && value < was->second)
      return true;
  }
  return false;
}

/// Takes the scrape over the last value of each series. One that is absent keeps its own: it goes
/// on from there when it is back, unless its engine began again.
void remember(const Scrape& now, bool reset, Scrape& known) {
  if (reset) known.values.clear();
  for (const auto& [key, value] : now.values) known.values[key] = value;
}

/// What a counter rose by; `position` -1: over all series whatever their position.
double rise(const Scrape& known, const Scrape& now, Metric metric, std::int64_t position = -1) {
  double sum = 0.0;
  for (const auto& [key, value] : now.values) {
    if (std::get<0>(key) != metric) continue;
    if (position >= 0 && std::get<1>(key) != static_cast<std::uint32_t>(position)) continue;
    const auto was = known.values.find(key);
    sum += was == known.values.end() ? value : value - was->second;
  }
  return sum;
}

std::vector<std::uint64_t> rises_by_position(const Scrape& known, const Scrape& now) {
  std::uint32_t positions = 0;
  for (const auto& [key, value] : now.values)
    if (std::get<0>(key) == Metric::accepted_at)
      positions = std::max(positions, std::get<1>(key) + 1);
  std::vector<std::uint64_t> counts;
  for (std::uint32_t position = 0; position < positions; ++position)
    counts.push_back(to_count(rise(known, now, Metric::accepted_at, position)));
  return counts;
}

/// A counter that both scrapes have.
bool both_have(const Scrape& before, const Scrape& now, Metric metric) {
  return before.has(metric) && now.has(metric);
}

class Windows {
 public:
  explicit Windows(ScrapeCounts& counts) : counts_(counts) {}

  void of_scrapes(const Scrapes& scrapes) {
    for (const auto& [source, by_date] : scrapes) {
      const Scrape* before = nullptr;
      Scrape known;
      UnixTime from = 0;
      for (const auto& [at, scrape] : by_date) {
        if (!complete(scrape)) {
          ++counts_.incomplete;
          continue;
        }
        const bool reset = before != nullptr && fell(known, scrape);
        if (before != nullptr) between({*before, known, scrape, source, from, at, reset});
        remember(scrape, reset, known);
        before = &scrape;
        from = at;
      }
    }
  }

  void of_log(const std::vector<LoggedCounts>& lines) {
    std::map<std::uint32_t, UnixTime> last;
    for (const LoggedCounts& line : lines) {
      UnixTime& before = last[line.source];
      if (line.restarted_at != 0) {
        EngineWindow reset = window_of(line, line.restarted_at, line.restarted_at);
        reset.reset = true;
        windows_.push_back(std::move(reset));
      }
      if (before > line.at) ++counts_.out_of_order;
      // Where a line knows its period, the one before it can only have ended earlier.
      const UnixTime from =
          before == 0 || before > line.at ? line.from : std::max(before, line.from);
      EngineWindow window = window_of(line, from == 0 ? line.at : from, line.at);
      window.steps = line.steps;
      window.drafted = line.drafted;
      window.accepted = line.accepted;
      window.accepted_at = line.accepted_at;
      window.completions = line.completions;
      window.accept_length = line.accept_length;
      window.accept_rate = line.accept_rate;
      windows_.push_back(std::move(window));
      before = std::max(before, line.at);
    }
  }

  std::vector<EngineWindow> take() {
    const auto order = [](const EngineWindow& a, const EngineWindow& b) {
      // A reset that ends with a window comes before it: its counts are of the new epoch.
      return std::tuple(a.to, a.source, !a.reset) < std::tuple(b.to, b.source, !b.reset);
    };
    std::ranges::stable_sort(windows_, order);
    return std::move(windows_);
  }

 private:
  struct Neighbours {
    const Scrape& before;
    const Scrape& known;  ///< the last value of every series
    const Scrape& now;
    std::uint32_t source;
    UnixTime from;
    UnixTime to;
    bool reset;
  };

  /// Whether a counter's rise is that of this window: absent from the scrape before, it would be
  /// that of the windows before, too.
  static bool rose_within(const Neighbours& pair, Metric metric) {
    return both_have(pair.before, pair.now, metric);
  }

  static bool counted(const Scrape& scrape) {
    return scrape.has(Metric::draft_tokens) && scrape.has(Metric::accepted_tokens);
  }
  static bool complete(const Scrape& scrape) {
    return counted(scrape) || scrape.has(Metric::accept_length);
  }

  static EngineWindow window_of(const LoggedCounts& line, UnixTime from, UnixTime to) {
    EngineWindow window;
    window.source = line.source;
    window.from = from;
    window.to = to;
    window.origin = line.origin;
    return window;
  }

  void between(const Neighbours& pair) {
    EngineWindow window;
    window.source = pair.source;
    window.from = pair.from;
    window.to = pair.to;
    window.origin = pair.now.origin;
    window.reset = pair.reset;
    const bool counts = counted(pair.before) && counted(pair.now);
    if (!window.reset && !(counts ? count(pair, window) : measure(pair, window))) return;
    windows_.push_back(std::move(window));
  }

  bool count(const Neighbours& pair, EngineWindow& window) {
    window.drafted = to_count(rise(pair.known, pair.now, Metric::draft_tokens));
    window.accepted = to_count(rise(pair.known, pair.now, Metric::accepted_tokens));
    if (rose_within(pair, Metric::drafts))
      window.steps = to_count(rise(pair.known, pair.now, Metric::drafts));
    if (pair.before.has(Metric::accepted_at) || !pair.known.has(Metric::accepted_at))
      window.accepted_at = rises_by_position(pair.known, pair.now);
    completions(pair, window);
    if (window.accepted <= window.drafted) return true;
    ++counts_.implausible;
    return false;
  }

  static void completions(const Neighbours& pair, EngineWindow& window) {
    if (rose_within(pair, Metric::completions))
      window.completions = to_count(rise(pair.known, pair.now, Metric::completions));
  }

  /// A ratio, over as many steps as something else counted.
  bool measure(const Neighbours& pair, EngineWindow& window) {
    const double length = pair.now.value(Metric::accept_length);
    const bool calls = rose_within(pair, Metric::verify_calls);
    const bool tokens = rose_within(pair, Metric::generation_tokens);
    if ((!calls && !tokens) || !pair.now.has(Metric::accept_length)) {
      ++counts_.no_volume;
      return false;
    }
    window.accept_length = length;
    if (pair.now.has(Metric::accept_rate)) window.accept_rate = pair.now.value(Metric::accept_rate);
    if (calls)
      window.steps = to_count(rise(pair.known, pair.now, Metric::verify_calls));
    else if (length > 0.0)
      window.steps = to_count(rise(pair.known, pair.now, Metric::generation_tokens) / length);
    const double tree = pair.now.value(Metric::tree_tokens);
    const double steps = pair.now.value(Metric::speculative_steps);
    window.tokens_per_step = to_count(tree >= 1.0 ? tree - 1.0 : steps);
    completions(pair, window);
    return true;
  }

  ScrapeCounts& counts_;
  std::vector<EngineWindow> windows_;
};

}  // namespace

std::vector<EngineWindow> engine_windows(const Telemetry& telemetry, ScrapeCounts& counts) {
  Windows windows(counts);
  windows.of_scrapes(gather_scrapes(telemetry, counts));
  windows.of_log(telemetry.logged);
  return windows.take();
}

}  // namespace specroute::sim
