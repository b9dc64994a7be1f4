#include "router/outcome_events.hpp"

#include <algorithm>

#include "router/recent.hpp"

namespace specroute::router {
namespace {

constexpr std::uint64_t kMostRequests = std::uint64_t{1} << 40U;

/// Two decisions at most are made of one event.
bool may_speak(const Session& session) {
  return session.out.used() < 2 * sizeof(srp_decision);
}

/// Adds outcomes to a live row, unless it is in quarantine: they are of what was in flight. One
/// whose date has come is released, which is said: where there is no room, with a later event.
/// @return whether they count
bool count(Session& session, BindRow& row, const Outcomes& more) {
  const std::uint64_t now = session.event.now;
  if (row.ended != 0 || quarantined(row, now)) return false;
  if (awaits_release(row, now)) {
    if (!may_speak(session)) return false;
    end_quarantine(session, row);
  }
  count_recent(row.tally, more, now, session.policy.config.observation_ns);
  return true;
}

}  // namespace

std::int32_t on_health(Session& session, const srp_ev_health& event) {
  if (event.requests >= kMostRequests || event.errors > event.requests ||
      event.timeouts > event.requests - event.errors)
    return SRP_E_ARG;
  if (!session.policy.gate->reads_health) return SRP_IGNORED;
  const Outcomes more{event.requests, event.errors + event.timeouts};
  std::int32_t status = SRP_IGNORED;
  for (BindRow& row : session.policy.binds.rows.all()) {
    if (row.target.side.backend != event.backend || !count(session, row, more)) continue;
    status = SRP_OK;
    if (may_speak(session)) judge_outcomes(session, row);
  }
  return status;
}

std::int32_t on_quality(Session& session, const srp_ev_quality& event) {
  if (event.sampled >= kMostRequests || event.looping > event.sampled ||
      event.schema_invalid > event.sampled)
    return SRP_E_ARG;
  if (!session.policy.gate->reads_quality) return SRP_IGNORED;
  BindRow* row = session.policy.binds.find(event.h.pairing, event.profile);
  if (row == nullptr) return SRP_IGNORED;
  // Which of the completions are both is not said: as many as there are at least.
  const std::uint64_t bad = std::min(event.sampled, event.looping + event.schema_invalid);
  if (!count(session, *row, {event.sampled, bad})) return SRP_IGNORED;
  judge_outcomes(session, *row);
  return SRP_OK;
}

}  // namespace specroute::router
