// Where loads are even, the engine that holds most of the prompt's prefix, as far as the router
// can see; where none holds enough, the target with the fewest cached blocks; where loads are
// uneven, the least outstanding. The rule of the SGLang gateway's `cache_aware`, over cache events
// that come with a delay instead of a tree that the router guesses.
#include <algorithm>

#include "sim/routing/cache_history.hpp"
#include "sim/routing/dispatch_rule.hpp"

namespace specroute::sim {
namespace {

class PrefixAware final : public DispatchRule {
 public:
  explicit PrefixAware(const Scenario& scenario)
      : settings_(scenario.router.dispatching.prefix), caches_(scenario.backends.size()) {
    for (std::size_t b = 0; b < scenario.backends.size(); ++b) {
      if (scenario.backends[b].role != Role::target) continue;
      caches_[b].resize(scenario.backends[b].engines);
      for (CacheHistory& cache : caches_[b]) cache.add_view(settings_.staleness);
    }
  }

  void on_cache_event(const CacheEvent& event, Seconds at) override {
    CacheHistory& cache = caches_[event.target.index()][event.engine];
    if (event.kind == CacheEvent::Kind::cleared)
      cache.cleared(at);
    else if (event.kind == CacheEvent::Kind::cached)
      cache.cached(event.hash, at);
    else
      cache.evicted(event.hash, at);
  }

  std::optional<DispatchChoice> choose(const DispatchRequest& request,
                                       const DispatchPool& pool) override {
    const auto fallback = least_outstanding(pool);
    if (!fallback) return std::nullopt;
    for (const BackendId target : pool.targets)
      for (CacheHistory& cache : caches_[target.index()]) cache.advance(kView, request.now);
    if (uneven(pool)) return DispatchChoice{*fallback};
    const auto best = best_match(request, pool);
    return best ? best : emptiest(pool);
  }

 private:
  static constexpr CacheHistory::ViewId kView = 0;

  [[nodiscard]] bool uneven(const DispatchPool& pool) const {
    std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t most = 0;
    for (const BackendId target : pool.targets) {
      if (!pool[target].has_room()) continue;
      least = std::min(least, pool[target].outstanding);
      most = std::max(most, pool[target].outstanding);
    }
    return most - least > settings_.balance_difference &&
           static_cast<double>(most) > settings_.balance_ratio * static_cast<double>(least);
  }

  [[nodiscard]] std::optional<DispatchChoice> best_match(const DispatchRequest& request,
                                                         const DispatchPool& pool) const {
    std::optional<DispatchChoice> best;
    std::uint32_t longest = 0;
    for (const BackendId target : pool.targets) {
      if (!pool[target].has_room()) continue;
      const auto& engines = caches_[target.index()];
      for (std::uint32_t e = 0; e < engines.size(); ++e) {
        const std::uint32_t found = engines[e].match(kView, request.prefix);
        if (found <= longest) continue;
        longest = found;
        best = DispatchChoice{.target = target, .engine = e};
      }
    }
    const double share = static_cast<double>(longest) * models::kPrefixBlockTokens /
                         std::max(1.0, static_cast<double>(request.prompt_tokens));
    return share > settings_.match_threshold ? best : std::nullopt;
  }

  [[nodiscard]] std::optional<DispatchChoice> emptiest(const DispatchPool& pool) const {
    std::optional<DispatchChoice> best;
    std::uint64_t fewest = 0;
    for (const BackendId target : pool.targets) {
      if (!pool[target].has_room()) continue;
      std::uint64_t blocks = 0;
      for (const CacheHistory& cache : caches_[target.index()]) blocks += cache.size(kView);
      if (best && blocks >= fewest) continue;
      fewest = blocks;
      best = DispatchChoice{target};
    }
    return best;
  }

  PrefixRouting settings_;
  std::vector<std::vector<CacheHistory>> caches_;  ///< by target and engine
};

}  // namespace

std::unique_ptr<DispatchRule> make_prefix_aware(const Scenario& scenario) {
  return std::make_unique<PrefixAware>(scenario);
}

}  // namespace specroute::sim
