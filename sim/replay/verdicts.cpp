#include "sim/replay/verdicts.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <specroute/router/decision_name.hpp>

namespace specroute::sim {
namespace {

using Place = std::pair<std::uint64_t, std::uint64_t>;  // pairing, profile

/// What is in force of a decision at `now`.
std::string in_force(const srp_decision* decision, UnixTime now) {
  if (decision == nullptr) return "-";
  const bool ends = decision->valid_until != 0 && decision->valid_until <= now;
  return ends ? "HOLD" : std::string(router::decision_name(decision->h.type));
}

/// Walks over windows with the decisions that were made by then.
class Walk {
 public:
  Walk(const Play& play, std::size_t gates) : play_(play), gates_(gates) {}

  /// Verdicts on the place once all of `now` was heard. Dates do not fall from call to call.
  std::vector<std::string> at(const Place& place, UnixTime now) {
    for (; next_ < play_.decisions.size() && play_.decisions[next_].decision.h.now <= now;
         ++next_) {
      const GateDecision& one = play_.decisions[next_];
      of({one.decision.h.pairing, one.decision.profile})[one.gate] = &one.decision;
    }
    std::vector<std::string> verdicts;
    for (const srp_decision* decision : of(place)) verdicts.push_back(in_force(decision, now));
    return verdicts;
  }

 private:
  std::vector<const srp_decision*>& of(const Place& place) {
    auto& last = last_[place];
    last.resize(gates_);
    return last;
  }

  const Play& play_;
  std::size_t gates_;
  std::size_t next_ = 0;
  std::map<Place, std::vector<const srp_decision*>> last_;
};

/// The stretches of one pairing and profile.
class Stretches {
 public:
  void take(const srp_ev_window& window, std::vector<std::string> verdicts) {
    const bool differ =
        std::ranges::adjacent_find(verdicts, std::ranges::not_equal_to{}) != verdicts.end();
    const UnixTime now = window.h.now;
    if (differ && (!open_ || list_.back().verdicts != verdicts))
      list_.push_back(
          {window.h.pairing, window.profile.id, now, now, 0, 0, 0, std::move(verdicts)});
    open_ = differ;
    if (!differ) return;
    Difference& stretch = list_.back();
    stretch.to = now;
    ++stretch.windows;
    stretch.drafted += window.drafted;
    stretch.accepted += window.accepted;
  }
  [[nodiscard]] const std::vector<Difference>& list() const { return list_; }

 private:
  std::vector<Difference> list_;
  bool open_ = false;
};

}  // namespace

std::vector<Difference> differences(const Script& script, const Play& play, std::size_t gates) {
  std::map<Place, Stretches> found;
  Walk walk(play, gates);
  for (const ScriptEvent& event : script.events) {
    const srp_record& head = event.record.head();
    if (head.type != SRP_EV_WINDOW) continue;
    const auto& window = reinterpret_cast<const srp_ev_window&>(head);
    const Place place{head.pairing, window.profile.id};
    found[place].take(window, walk.at(place, head.now));
  }
  std::vector<Difference> all;
  for (const auto& [place, stretches] : found)
    all.insert(all.end(), stretches.list().begin(), stretches.list().end());
  std::ranges::stable_sort(all, {}, &Difference::from);
  return all;
}

std::vector<GateTally> gate_tallies(const Script& script, const Play& play, std::size_t gates) {
  std::vector<GateTally> summaries(gates);
  for (GateTally& summary : summaries) summary.first_after.resize(script.handovers.size());
  for (const GateError& one : play.errors)
    ++(one.status == SRP_E_FULL ? summaries[one.gate].full : summaries[one.gate].refused);
  for (const GateDecision& one : play.decisions) {
    GateTally& summary = summaries[one.gate];
    switch (one.decision.h.type) {
      case SRP_LOCK:
        ++summary.locks;
        break;
      case SRP_REBIND:
        ++summary.rebinds;
        break;
      case SRP_NO_DRAFT:
        ++summary.no_drafts;
        break;
      case SRP_QUARANTINE:
        ++summary.quarantines;
        break;
      default:
        ++summary.holds;
        break;
    }
    for (std::size_t i = 0; i < script.handovers.size(); ++i)
      if (script.handovers[i].pairing == one.decision.h.pairing &&
          script.handovers[i].at <= one.decision.h.now && summary.first_after[i] == nullptr)
        summary.first_after[i] = &one;
  }
  return summaries;
}

}  // namespace specroute::sim
