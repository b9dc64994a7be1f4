// Where loads are even, the engine that holds most of the prompt's prefix, as far as the router
// can see; where none holds enough, the engine with the fewest cached blocks; where loads are
// uneven, the one with the fewest outstanding requests, which also breaks the other two's ties. The
// rule of the SGLang gateway's `cache_aware`, whose workers are our engines, over cache events that
// come with a delay instead of a tree that the router guesses.
#include <algorithm>
#include <utility>

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
    const Loads loads = outstanding(pool);
    if (!loads.lightest) return std::nullopt;
    for (const BackendId target : pool.targets)
      for (CacheHistory& cache : caches_[target.index()]) cache.advance(kView, request.now);
    if (uneven(loads)) return loads.lightest;
    const auto best = best_match(request, pool);
    return best ? best : emptiest(pool);
  }

 private:
  static constexpr CacheHistory::ViewId kView = 0;

  struct Loads {
    std::optional<DispatchChoice> lightest;
    std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t most = 0;
  };

  /// Engines that may take one more, in order of id, each with its outstanding requests. A target
  /// with room has one: it holds fewer than its engines may hold together.
  template <class Visit>
  static void for_each_engine(const DispatchPool& pool, Visit visit) {
    for (const BackendId target : pool.targets) {
      const DispatchTarget& state = pool[target];
      if (!state.has_room()) continue;
      const std::uint64_t most = state.most / state.by_engine.size();
      for (std::uint32_t e = 0; e < state.by_engine.size(); ++e)
        if (state.by_engine[e] < most)
          visit(DispatchChoice{.target = target, .engine = e}, state.by_engine[e]);
    }
  }

  [[nodiscard]] const CacheHistory& cache(const DispatchChoice& where) const {
    return caches_[where.target.index()][*where.engine];
  }

  [[nodiscard]] static Loads outstanding(const DispatchPool& pool) {
    Loads loads;
    for_each_engine(pool, [&](const DispatchChoice& engine, std::uint64_t load) {
      if (!loads.lightest || load < loads.least) loads.lightest = engine;
      loads.least = std::min(loads.least, load);
      loads.most = std::max(loads.most, load);
    });
    return loads;
  }

  [[nodiscard]] bool uneven(const Loads& loads) const {
    return loads.most - loads.least > settings_.balance_difference &&
           static_cast<double>(loads.most) >
               settings_.balance_ratio * static_cast<double>(loads.least);
  }

  [[nodiscard]] std::optional<DispatchChoice> best_match(const DispatchRequest& request,
                                                         const DispatchPool& pool) const {
    std::optional<DispatchChoice> best;
    std::uint32_t longest = 0;
    std::uint64_t lightest = 0;
    for_each_engine(pool, [&](const DispatchChoice& engine, std::uint64_t load) {
      const std::uint32_t found = cache(engine).match(kView, request.prefix);
      if (found < longest || (found == longest && (!best || load >= lightest))) return;
      longest = found;
      lightest = load;
      best = engine;
    });
    const double share = static_cast<double>(longest) * models::kPrefixBlockTokens /
                         std::max(1.0, static_cast<double>(request.prompt_tokens));
    return share > settings_.match_threshold ? best : std::nullopt;
  }

  [[nodiscard]] std::optional<DispatchChoice> emptiest(const DispatchPool& pool) const {
    std::optional<DispatchChoice> best;
    std::pair<std::uint64_t, std::uint64_t> fewest;  // blocks, then requests
    for_each_engine(pool, [&](const DispatchChoice& engine, std::uint64_t load) {
      const std::pair holds{cache(engine).size(kView), load};
      if (best && holds >= fewest) return;
      fewest = holds;
      best = engine;
    });
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
