#include "sim/faults/fault_plan.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include <specroute/vocab/check.hpp>

namespace specroute::sim {
namespace {

constexpr Seconds kForEver{std::numeric_limits<double>::infinity()};

using Kind = HostEvent::Kind;

struct Ends {
  Kind begins;
  Kind ends;
};
Ends ends_of(Fault::Kind kind) {
  switch (kind) {
    case Fault::Kind::crash:
      return {Kind::down, Kind::up};
    case Fault::Kind::hang:
      return {Kind::hang, Kind::hang_over};
    case Fault::Kind::slow:
      return {Kind::slow, Kind::slow_over};
    case Fault::Kind::errors:
      return {Kind::errors, Kind::errors_over};
    case Fault::Kind::partition:
      return {Kind::cut, Kind::mended};
    case Fault::Kind::drain:
      return {Kind::drain, Kind::drain_over};
    case Fault::Kind::wrong_tokens:
      return {Kind::wrong_tokens, Kind::wrong_tokens_over};
  }
  check(false, "every kind of fault has its events");
  return {Kind::down, Kind::up};
}

double amount_of(const Fault& fault) {
  if (fault.kind == Fault::Kind::slow) return fault.factor;
  if (fault.kind == Fault::Kind::errors) return fault.share;
  return fault.kind == Fault::Kind::wrong_tokens ? fault.hazard_per_token : 0.0;
}

/// Plays the faults by date and keeps those that can happen.
class Planner {
 public:
  void add(const Fault& fault) {
    const bool crash = fault.kind == Fault::Kind::crash;
    const bool hang = fault.kind == Fault::Kind::hang;
    if ((crash || hang) && fault.at <= until(down_, fault.backend)) return;
    const Subject subject{fault.kind, fault.backend, fault.from, fault.to};
    const auto known = lasts_.find(subject);
    if (!crash && known != lasts_.end() && fault.at < known->second) return;
    const Seconds end = fault.restart_after ? fault.at + *fault.restart_after : kForEver;
    lasts_[subject] = end;
    if (crash) {
      down_[fault.backend] = end;
      lasts_.erase({Fault::Kind::hang, fault.backend, {}, {}});
    }
    const auto [begins, ends] = ends_of(fault.kind);
    plan_.push_back(event(fault, begins, fault.at));
    if (hang) hangs_[{fault.backend, fault.at}] = end;
    if (fault.restart_after) plan_.push_back(event(fault, ends, end));
  }

  std::vector<HostEvent> take() {
    std::ranges::sort(plan_);
    drop_ends_of_dead_hangs();
    return std::move(plan_);
  }

 private:
  using Subject = std::tuple<Fault::Kind, BackendId, BackendId, BackendId>;

  static HostEvent event(const Fault& fault, Kind kind, Seconds date) {
    return {.date = date,
            .backend = fault.backend,
            .kind = kind,
            .from = fault.from,
            .to = fault.to,
            .amount = amount_of(fault),
            .silent = fault.silent,
            .answer = fault.answer};
  }

  static Seconds until(const std::map<BackendId, Seconds>& table, BackendId backend) {
    const auto known = table.find(backend);
    return known == table.end() ? -kForEver : known->second;
  }

  /// A process that hung and then died hangs no more: the end of its hang is none.
  void drop_ends_of_dead_hangs() {
    std::map<BackendId, Seconds> hung;  // until when
    std::erase_if(plan_, [&](const HostEvent& event) {
      if (event.kind == Kind::hang) hung[event.backend] = hangs_[{event.backend, event.date}];
      if (event.kind == Kind::down) hung.erase(event.backend);
      if (event.kind != Kind::hang_over) return false;
      const auto known = hung.find(event.backend);
      return known == hung.end() || known->second != event.date;
    });
  }

  std::vector<HostEvent> plan_;
  std::map<BackendId, Seconds> down_;                       ///< until when
  std::map<Subject, Seconds> lasts_;                        ///< until when
  std::map<std::pair<BackendId, Seconds>, Seconds> hangs_;  ///< from when until when
};

}  // namespace

const char* to_string(HostEvent::Kind kind) {
  static constexpr std::array kNames{"down",         "up",
                                     "hang",         "hang_over",
                                     "slow",         "slow_over",
                                     "errors",       "errors_over",
                                     "cut",          "mended",
                                     "drain",        "drain_over",
                                     "wrong_tokens", "wrong_tokens_over"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::vector<HostEvent> plan_faults(const std::vector<Fault>& faults) {
  std::vector<Fault> by_date = faults;
  std::ranges::stable_sort(by_date, {}, &Fault::at);
  Planner planner;
  for (const Fault& fault : by_date) planner.add(fault);
  return planner.take();
}

std::vector<HostEvent> plan_run(const Scenario& scenario, const models::Seed& seed) {
  if (scenario.random_faults.empty()) return plan_faults(scenario.faults);
  std::vector<Fault> all = scenario.faults;
  const std::vector<Fault> drawn = draw_faults(scenario, seed);
  all.insert(all.end(), drawn.begin(), drawn.end());
  return plan_faults(all);
}

}  // namespace specroute::sim
