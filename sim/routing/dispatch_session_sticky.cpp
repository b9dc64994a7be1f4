// A session stays with its target. It keeps up to two: where the first is not open the second
// takes over, and where that is not open either a third takes the second's place. The first is
// asked first again as soon as it is open, with no check of what it has become meanwhile: a
// session that failed over from A to B jumps back to A. The SGLang gateway's `manual` policy.
#include <array>
#include <deque>
#include <unordered_map>
#include <utility>

#include "sim/routing/dispatch_rule.hpp"

namespace specroute::sim {
namespace {

class SessionSticky final : public DispatchRule {
 public:
  SessionSticky(const SessionRouting& settings, models::Stream draws)
      : settings_(settings), draws_(draws) {}

  std::optional<DispatchChoice> choose(const DispatchRequest& request,
                                       const DispatchPool& pool) override {
    if (!least_outstanding(pool)) return std::nullopt;
    if (request.session == 0) return DispatchChoice{assign(pool)};
    forget_idle(request.now);
    const auto [entry, is_new] = sessions_.try_emplace(request.session);
    Session& session = entry->second;
    if (is_new) looked_at_.emplace_back(request.now, request.session);
    if (idle(session, request.now)) session.candidates = {};
    session.seen = request.now;
    for (const BackendId candidate : session.candidates) {
      if (!candidate.exists() || !pool[candidate].open) continue;
      // Full is not gone: this turn goes elsewhere, and the session stays.
      return DispatchChoice{pool[candidate].has_room() ? candidate : *least_outstanding(pool)};
    }
    const bool is_first = !session.candidates[0].exists();
    const BackendId chosen =
        is_first && request.misrouted_to ? *request.misrouted_to : assign(pool);
    session.candidates[is_first ? 0 : 1] = chosen;
    return DispatchChoice{chosen};
  }

 private:
  struct Session {
    std::array<BackendId, 2> candidates{};
    Seconds seen{std::numeric_limits<double>::infinity()};  ///< never, at first
  };

  BackendId assign(const DispatchPool& pool) {
    if (settings_.assignment == SessionAssignment::least_outstanding)
      return *least_outstanding(pool);
    const std::vector<BackendId> open = with_room(pool);
    return open[static_cast<std::size_t>(draws_.uniform() * static_cast<double>(open.size()))];
  }

  [[nodiscard]] bool idle(const Session& session, Seconds now) const {
    return session.seen + settings_.idle_limit < now;
  }

  /// Looks at each session once in an idle limit, so that memory follows the sessions that live.
  void forget_idle(Seconds now) {
    while (!looked_at_.empty() && looked_at_.front().first + settings_.idle_limit < now) {
      const std::uint64_t id = looked_at_.front().second;
      looked_at_.pop_front();
      const auto entry = sessions_.find(id);
      if (idle(entry->second, now))
        sessions_.erase(entry);
      else
        looked_at_.emplace_back(now, id);
    }
  }

  SessionRouting settings_;
  models::Stream draws_;
  std::unordered_map<std::uint64_t, Session> sessions_;      ///< looked up, never walked
  std::deque<std::pair<Seconds, std::uint64_t>> looked_at_;  ///< each session once, by time
};

}  // namespace

std::unique_ptr<DispatchRule> make_session_sticky(const SessionRouting& settings,
                                                  models::Stream draws) {
  return std::make_unique<SessionSticky>(settings, draws);
}

}  // namespace specroute::sim
