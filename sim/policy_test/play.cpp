#include "sim/policy_test/play.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <specroute/router/policy.hpp>

#include "sim/records/status_name.hpp"

namespace specroute::sim {
namespace {

/// A policy that asks for more ticks than this in one test goes round in circles.
constexpr std::size_t kMostTicks = 1'000'000;
/// Decisions that answer outcomes of decisions, in a row.
constexpr std::size_t kMostOutcomes = 1'000;

/// What a status says of an event.
std::string refusal_text(std::int32_t status) {
  switch (status) {
    case SRP_E_ARG:
      return status_name(status) + ": counts or members that cannot be";
    case SRP_E_TIME:
      return status_name(status) + ": its date is before that of an earlier event";
    case SRP_E_STATE:
      return status_name(status) + ": this pairing has been bound for this profile";
    default:
      return status_name(status);
  }
}

template <class Event>
EventRecord record_of(const Event& event) {
  EventRecord record;
  record.storage.resize(sizeof(Event) / sizeof(std::uint64_t));
  std::copy_n(reinterpret_cast<const std::byte*>(&event), sizeof(Event),
              reinterpret_cast<std::byte*>(record.storage.data()));
  return record;
}

template <class Event>
Event event_at(std::uint16_t type, srp_ns date) {
  Event event{};
  event.h.size = sizeof event;
  event.h.type = type;
  event.h.now = date;
  return event;
}

class Host {
 public:
  Host(const PolicyTest& test, router::Policy policy) : test_(test), policy_(std::move(policy)) {}

  PlayedTest run() {
    for (std::size_t i = 0; i < test_.events.size() && going(); ++i) {
      const TimedEvent& event = test_.events[i];
      tick_until(event.record.head().now);
      judged_ = i >= test_.given;
      if (going()) send_one(event);
    }
    judged_ = true;
    tick_until(test_.until);
    return std::move(play_);
  }

 private:
  [[nodiscard]] bool going() const { return play_.stopped.empty(); }

  void tick_until(srp_ns date) {
    while (going() && test_.ticks && !wakes_.empty() && *wakes_.begin() <= date) {
      const srp_ns wake = *wakes_.begin();
      wakes_.erase(wakes_.begin());
      if (++ticks_ > kMostTicks) {
        play_.stopped = "it asked for more than a million ticks";
        return;
      }
      send({record_of(event_at<srp_ev_tick>(SRP_EV_TICK, wake)), {}});
    }
  }

  void send_one(const TimedEvent& event) {
    EventRecord record = event.record;
    if (event.of_latest) {
      auto& outcome = reinterpret_cast<srp_ev_outcome&>(record.head());
      outcome.decision = latest_of(outcome.h.pairing);
      if (outcome.decision == 0) {
        play_.events.push_back({std::move(record), event.pointer});
        play_.stopped = "there is no decision yet that this could be the outcome of";
        return;
      }
    }
    send({std::move(record), event.pointer});
  }

  /// The id of the latest decision but HOLD, of that pairing if it is not 0; 0 where there is none.
  [[nodiscard]] std::uint64_t latest_of(std::uint64_t pairing) const {
    for (auto said = play_.said.rbegin(); said != play_.said.rend(); ++said) {
      const srp_decision& decision = said->decision;
      const bool meant = pairing == 0 || decision.h.pairing == pairing;
      if (decision.h.type != SRP_HOLD && meant) return decision.id;
    }
    return 0;
  }

  void send(PlayedEvent event) {
    event.record.head().seq = play_.events.size() + 1;
    play_.events.push_back(std::move(event));
    const std::size_t first = play_.said.size();
    deliver();
    for (std::size_t i = first; going() && i < play_.said.size(); ++i) tell_outcome(i);
  }

  void deliver() {
    const srp_record& head = play_.events.back().record.head();
    for (bool more = true; more;) {
      const auto answer = policy_.on_record(head);
      more = answer.status == SRP_E_SPACE && !answer.decisions.empty();
      const bool taken = more || answer.status >= 0 || answer.status == SRP_E_FULL;
      if (!taken) play_.stopped = "the policy refused it with " + refusal_text(answer.status);
      for (const srp_decision& decision : answer.decisions) {
        play_.said.push_back({decision, play_.events.size() - 1, judged_});
        if (decision.wake_at > head.now && decision.wake_at != SRP_FOREVER)
          wakes_.insert(decision.wake_at);
      }
    }
  }

  void tell_outcome(std::size_t index) {
    const srp_decision decision = play_.said[index].decision;
    if (!test_.outcome || decision.h.type == SRP_HOLD || decision.dry_run != 0) return;
    if (++outcomes_ > kMostOutcomes * test_.events.size()) {
      play_.stopped = "it answered outcomes with ever more decisions";
      return;
    }
    const srp_ns now = play_.events.back().record.head().now;
    auto outcome = event_at<srp_ev_outcome>(SRP_EV_OUTCOME, now);
    outcome.h.pairing = decision.h.pairing;
    outcome.decision = decision.id;
    outcome.result = *test_.outcome;
    PlayedEvent event{record_of(outcome), {}};
    event.record.head().seq = play_.events.size() + 1;
    play_.events.push_back(std::move(event));
    deliver();
  }

  const PolicyTest& test_;
  router::Policy policy_;
  PlayedTest play_;
  std::set<srp_ns> wakes_;
  std::size_t ticks_ = 0;
  std::size_t outcomes_ = 0;
  bool judged_ = false;
};

}  // namespace

PlayedTest play(const PolicyTest& test, const srp_module& module) {
  auto policy = router::Policy::create(module, test.config_json);
  if (policy) return Host(test, std::move(policy).value()).run();
  PlayedTest none;
  none.stopped = "no policy: " + to_string(policy.diagnostics().front());
  return none;
}

}  // namespace specroute::sim
