#include "sim/replay/play.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <specroute/router/policy.hpp>

namespace specroute::sim {
namespace {

/// One policy with its clock.
class Listener {
 public:
  Listener(router::Policy policy, std::size_t gate, Play& play)
      : policy_(std::move(policy)), gate_(gate), play_(play) {}

  void hear(const ScriptEvent& event, std::size_t index) {
    tick_until(event.record.head().now);
    deliver(event.record.head(), index);
  }

 private:
  void tick_until(srp_ns now) {
    while (!wakes_.empty() && *wakes_.begin() <= now) {
      srp_ev_tick tick{};
      tick.h.size = sizeof tick;
      tick.h.type = SRP_EV_TICK;
      tick.h.now = *wakes_.begin();
      wakes_.erase(wakes_.begin());
      deliver(tick.h, std::nullopt);
    }
  }

  void deliver(const srp_record& event, std::optional<std::size_t> index) {
    for (bool more = true; more;) {
      const router::Answer answer = policy_.on_record(event);
      // A tick may have more to say than fits: what was written holds, and it is sent again.
      more = answer.status == SRP_E_SPACE && !answer.decisions.empty();
      if (answer.status < 0 && !more) play_.errors.push_back({gate_, event, index, answer.status});
      for (const srp_decision& decision : answer.decisions) {
        play_.decisions.push_back({gate_, decision, index});
        if (decision.wake_at > event.now) wakes_.insert(decision.wake_at);
      }
    }
  }

  router::Policy policy_;
  std::size_t gate_;
  Play& play_;
  std::set<srp_ns> wakes_;
};

}  // namespace

Result<Play> play_script(const Script& script, const std::vector<ReplayGate>& gates) {
  Play play;
  Diagnostics faults;
  std::vector<router::Policy> policies;
  for (const ReplayGate& gate : gates) {
    auto made = router::Policy::create(*gate.module, gate.config_json);
    if (made) {
      policies.push_back(std::move(made).value());
      continue;
    }
    for (Diagnostic fault : made.diagnostics()) {
      fault.file = "gate " + gate.label;
      faults.push_back(std::move(fault));
    }
  }
  if (!faults.empty()) return faults;
  for (std::size_t g = 0; g < gates.size(); ++g) {
    Listener listener(std::move(policies[g]), g, play);
    for (std::size_t e = 0; e < script.events.size(); ++e) listener.hear(script.events[e], e);
  }
  std::ranges::stable_sort(play.errors, [](const GateError& a, const GateError& b) {
    return std::pair(a.event.now, a.gate) < std::pair(b.event.now, b.gate);
  });
  std::ranges::stable_sort(play.decisions, [](const GateDecision& a, const GateDecision& b) {
    return std::pair(a.decision.h.now, a.gate) < std::pair(b.decision.h.now, b.gate);
  });
  return play;
}

}  // namespace specroute::sim
