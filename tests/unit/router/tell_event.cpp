// One line for each event, for whoever reads a witness.
#include <array>
#include <iomanip>
#include <sstream>
#include <string_view>

#include "tests/unit/router/event_stream.hpp"
#include "tests/unit/router/random_host.hpp"

namespace specroute::router::test {
namespace {

std::string tell_side(std::string_view role, const srp_side& side) {
  static constexpr std::array<std::string_view, 3> kSources{"claimed", "verified at bind", "live"};
  std::ostringstream out;
  out << role << ' ' << side.backend;
  if (side.incarnation > 1) out << " restarted";
  if ((side.known & kEverything) != kEverything) out << " partly unknown";
  if (side.tokenizer != 11) out << " other tokenizer";
  if (side.params_v1 == kStale) out << " stale";
  if (side.params_v1 != side.params_v2) out << " stale in version 2";
  if (side.provenance != SRP_LIVE) out << ' ' << kSources[side.provenance % 3];
  return out.str();
}

std::string tell_window(const srp_ev_window& seen) {
  static constexpr std::array<std::string_view, 4> kFlags{" partial", " late", " counter reset",
                                                          " from a ratio"};
  std::ostringstream out;
  out << "window of " << seen.h.pairing << '/' << seen.profile.id << ": " << seen.accepted << " of "
      << seen.drafted;
  for (std::size_t bit = 0; bit < kFlags.size(); ++bit)
    if ((seen.window_flags >> bit & 1U) != 0) out << kFlags[bit];
  out << ", " << tell_side("draft", seen.draft) << ", " << tell_side("target", seen.target);
  return out.str();
}

std::string tell_bind(const srp_ev_bind& bound) {
  static constexpr std::array<std::string_view, 3> kForwards{"tokens", "logits", "probabilities"};
  return "bind " + std::to_string(bound.h.pairing) + '/' + std::to_string(bound.profile.id) + ": " +
         tell_side("draft", bound.draft) + ", " + tell_side("target", bound.target) + ", " +
         std::string(kForwards[bound.forward % 3]);
}

std::string tell_body(const AnyEvent& event) {
  const std::string pairing = std::to_string(event.head().pairing);
  switch (event.head().type) {
    case SRP_EV_CANDIDATE:
      return tell_side("candidate", event.as<srp_ev_candidate>().side);
    case SRP_EV_BIND:
      return tell_bind(event.as<srp_ev_bind>());
    case SRP_EV_UNBIND:
      return "unbind " + pairing;
    case SRP_EV_WINDOW:
      return tell_window(event.as<srp_ev_window>());
    case SRP_EV_FAILOVER:
      return "fail-over of " + std::to_string(event.as<srp_ev_failover>().from_pairing) + " to " +
             pairing;
    case SRP_EV_SAMPLING:
      return "sampling of " + tell_side("backend", event.as<srp_ev_sampling>().side);
    case SRP_EV_HEALTH:
      return "health of backend " + std::to_string(event.as<srp_ev_health>().backend);
    case SRP_EV_QUALITY:
      return "quality of " + pairing;
    case SRP_EV_OUTCOME:
      return "outcome of decision " + std::to_string(event.as<srp_ev_outcome>().decision);
    case SRP_EV_TICK:
      return "tick";
    default:
      return "event of unknown type";
  }
}

}  // namespace

std::string tell(const AnyEvent& event) {
  std::ostringstream out;
  out << std::fixed << std::setprecision(2) << static_cast<double>(event.head().now) / 1e9
      << " s: " << tell_body(event);
  return out.str();
}

}  // namespace specroute::router::test
