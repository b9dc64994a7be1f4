#include "sim/world/prompt_sharing.hpp"

namespace specroute::sim {
namespace {

std::size_t below(models::Stream& stream, std::size_t count) {
  return static_cast<std::size_t>(stream.uniform() * static_cast<double>(count));
}

}  // namespace

PromptSharing::PromptSharing(const Scenario& scenario,
                             const std::vector<std::vector<models::PrefixHandle>>& prefixes,
                             models::Seed seed)
    : prefixes_(prefixes) {
  for (std::uint32_t c = 0; c < scenario.classes.size(); ++c)
    classes_.push_back({.sessions = scenario.classes[c].sessions,
                        .turns = seed.stream("session turns", c),
                        .groups = seed.stream("prefix groups", c),
                        .active = std::vector<std::uint64_t>(scenario.classes[c].sessions.active)});
}

void PromptSharing::assign(ClassId id, Request& request) {
  ClassState& state = classes_[id.index()];
  if (state.sessions.active > 0) {
    std::uint64_t& session = state.active[below(state.turns, state.active.size())];
    if (session == 0) session = ++last_session_;
    request.session = session;
    if (state.turns.uniform() < 1.0 / state.sessions.mean_turns) session = 0;
  }
  const auto& groups = prefixes_[id.index()];
  if (groups.empty()) return;
  const std::size_t group =
      request.session > 0 ? request.session % groups.size() : below(state.groups, groups.size());
  request.sequence.prefix = groups[group];
}

}  // namespace specroute::sim
