#include "router/events.hpp"

#include "router/binding_events.hpp"
#include "router/outcome_events.hpp"
#include "router/window_events.hpp"

namespace specroute::router {
namespace {

/// Bytes that a record of `type` must have at least; 0 for a type that is not known.
std::size_t least_size(std::uint16_t type) {
  switch (type) {
    case SRP_EV_CANDIDATE:
      return sizeof(srp_ev_candidate);
    case SRP_EV_BIND:
      return sizeof(srp_ev_bind);
    case SRP_EV_UNBIND:
      return sizeof(srp_ev_unbind);
    case SRP_EV_WINDOW:
      return sizeof(srp_ev_window);
    case SRP_EV_FAILOVER:
      return sizeof(srp_ev_failover);
    case SRP_EV_SAMPLING:
      return sizeof(srp_ev_sampling);
    case SRP_EV_HEALTH:
      return sizeof(srp_ev_health);
    case SRP_EV_QUALITY:
      return sizeof(srp_ev_quality);
    case SRP_EV_OUTCOME:
      return sizeof(srp_ev_outcome);
    case SRP_EV_TICK:
      return sizeof(srp_ev_tick);
    default:
      return 0;
  }
}

/// The record as its type says; its size was checked.
template <class Event>
const Event& as(const srp_record& record) {
  return reinterpret_cast<const Event&>(record);
}

std::int32_t on_candidate(Session& session, const srp_ev_candidate& event) {
  if (!session.policy.gate->rebinds) return SRP_IGNORED;
  if (event.role != SRP_REPLACE_DRAFT && event.role != SRP_REPLACE_TARGET) return SRP_E_ARG;
  return session.policy.candidates.hear(event) ? SRP_E_FULL : SRP_OK;
}

std::int32_t serve(Session& session) {
  const srp_record& event = session.event;
  switch (event.type) {
    case SRP_EV_CANDIDATE:
      return on_candidate(session, as<srp_ev_candidate>(event));
    case SRP_EV_BIND:
      return on_bind(session, as<srp_ev_bind>(event));
    case SRP_EV_UNBIND:
      return on_unbind(session, as<srp_ev_unbind>(event));
    case SRP_EV_WINDOW:
      return on_window(session, as<srp_ev_window>(event));
    case SRP_EV_FAILOVER:
      return on_failover(session, as<srp_ev_failover>(event));
    case SRP_EV_SAMPLING:
      return on_sampling(session, as<srp_ev_sampling>(event));
    case SRP_EV_HEALTH:
      return on_health(session, as<srp_ev_health>(event));
    case SRP_EV_QUALITY:
      return on_quality(session, as<srp_ev_quality>(event));
    case SRP_EV_OUTCOME:
      return on_outcome(session, as<srp_ev_outcome>(event));
    case SRP_EV_TICK:
      return on_tick(session);
    default:
      return SRP_IGNORED;
  }
}

}  // namespace

std::int32_t on_event(srp_policy& policy, const srp_record& event, void* out, std::size_t cap,
                      std::size_t& used) {
  used = 0;
  if (event.size < sizeof(srp_record)) return SRP_E_ARG;
  const std::size_t least = least_size(event.type);
  if (least == 0) return SRP_IGNORED;
  if (event.size < least) return SRP_E_ARG;
  if (event.now < policy.last_now) return SRP_E_TIME;
  if (event.now >= SRP_FOREVER - 1) return SRP_E_ARG;  // every date that is said lies after it
  // No event but a tick makes more than two decisions, so none can fail half-way for space.
  if (cap < 2 * sizeof(srp_decision)) return SRP_E_SPACE;
  DecisionWriter writer(out, cap);
  Session session{policy, event, writer};
  const std::int32_t status = serve(session);
  used = writer.used();
  if (status == SRP_OK || status == SRP_E_FULL || used != 0) policy.last_now = event.now;
  return status;
}

}  // namespace specroute::router
