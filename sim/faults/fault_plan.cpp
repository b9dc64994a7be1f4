#include "sim/faults/fault_plan.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include <specroute/vocab/check.hpp>

namespace specroute::sim {
namespace {

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

/// A fault that happens, for as long as it does.
struct Spell {
  Fault fault;
  bool cut_short = false;  ///< by a crash: its end is then no event of its own

  [[nodiscard]] bool lasts(Seconds date) const { return lasts_at(fault.until, date); }
};

/// Whether the later goes on exactly as the earlier did, so that together they are one.
bool goes_on(const Fault& earlier, const Fault& later) {
  return earlier.until == later.at && later.kind != Fault::Kind::crash &&
         amount_of(earlier) == amount_of(later) && earlier.answer == later.answer;
}

/// Takes the faults by date and keeps those that can happen.
class Planner {
 public:
  explicit Planner(const std::vector<Backend>& backends) : backends_(backends) {}

  void add(const Fault& fault) {
    if (const Spell* other = in_the_way(fault)) {
      check(fault.drawn || other->fault.drawn,
            "a fault of a file gives way to none but a drawn one");
      return;
    }
    if (fault.kind == Fault::Kind::crash) end_hangs(fault);
    std::vector<Spell>& spells = spells_[subject(fault)];
    if (spells.empty() || !goes_on(spells.back().fault, fault)) {
      spells.push_back({.fault = fault});
      return;
    }
    spells.back().fault.until = fault.until;
    spells.back().fault.drawn |= fault.drawn;
  }

  [[nodiscard]] std::vector<HostEvent> events() const {
    std::vector<HostEvent> plan;
    for (const auto& [of, spells] : spells_)
      if (std::get<Fault::Kind>(of) != Fault::Kind::crash) tell(spells, plan);
    for (const BackendId backend : crashed()) tell(outages(backend), plan);
    std::ranges::sort(plan);
    return plan;
  }

 private:
  using Subject = std::tuple<Fault::Kind, BackendId, BackendId, BackendId>;

  static Subject subject(const Fault& fault) {
    return {fault.kind, fault.backend, fault.from, fault.to};
  }

  [[nodiscard]] const std::vector<Spell>& crashes(BackendId backend) const {
    static const std::vector<Spell> kNone;
    const auto found = spells_.find({Fault::Kind::crash, backend, {}, {}});
    return found == spells_.end() ? kNone : found->second;
  }

  /// Of a co-located backend: the one that owns its devices.
  [[nodiscard]] BackendId owner(BackendId backend) const {
    return backend.index() < backends_.size() ? backends_[backend.index()].hosting.on_devices_of
                                              : BackendId{};
  }

  [[nodiscard]] std::vector<BackendId> guests(BackendId backend) const {
    std::vector<BackendId> result;
    for (std::uint32_t b = 0; b < backends_.size(); ++b)
      if (backends_[b].hosting.on_devices_of == backend) result.push_back(BackendId{b});
    return result;
  }

  /// What it would befall is in such a state already, or, of a hang, has no process.
  [[nodiscard]] const Spell* in_the_way(const Fault& fault) const {
    const auto lasting = [&](const std::vector<Spell>& spells) {
      return !spells.empty() && spells.back().lasts(fault.at) ? &spells.back() : nullptr;
    };
    const auto known = spells_.find(subject(fault));
    const Spell* found = known == spells_.end() ? nullptr : lasting(known->second);
    if (fault.kind != Fault::Kind::hang || found != nullptr) return found;
    found = lasting(crashes(fault.backend));
    const BackendId host = owner(fault.backend);
    return found != nullptr || !host.exists() ? found : lasting(crashes(host));
  }

  void end_hangs(const Fault& crash) {
    std::vector<BackendId> dying = guests(crash.backend);
    dying.push_back(crash.backend);
    for (const BackendId backend : dying) {
      const auto hangs = spells_.find({Fault::Kind::hang, backend, {}, {}});
      if (hangs == spells_.end() || !hangs->second.back().lasts(crash.at)) continue;
      hangs->second.back().fault.until = crash.at;
      hangs->second.back().cut_short = true;
    }
  }

  [[nodiscard]] std::set<BackendId> crashed() const {
    std::set<BackendId> result;
    for (const auto& [of, spells] : spells_) {
      const BackendId backend = std::get<1>(of);
      if (std::get<Fault::Kind>(of) != Fault::Kind::crash) continue;
      result.insert(backend);
      for (const BackendId guest : guests(backend)) result.insert(guest);
    }
    return result;
  }

  /// A co-located backend is down as long as its own crash or its owner's keeps it down.
  [[nodiscard]] std::vector<Spell> outages(BackendId backend) const {
    std::vector<Spell> all = crashes(backend);
    const BackendId host = owner(backend);
    if (!host.exists()) return all;
    const std::vector<Spell>& hosts = crashes(host);
    all.insert(all.end(), hosts.begin(), hosts.end());
    std::ranges::stable_sort(all, {}, [](const Spell& spell) { return spell.fault.at; });
    std::vector<Spell> nested;
    for (Spell& spell : all) {
      spell.fault.backend = backend;
      if (nested.empty() || !nested.back().lasts(spell.fault.at)) {
        nested.push_back(spell);
        continue;
      }
      auto& until = nested.back().fault.until;
      if (until && (!spell.fault.until || *until < *spell.fault.until)) until = spell.fault.until;
    }
    return nested;
  }

  static void tell(const std::vector<Spell>& spells, std::vector<HostEvent>& plan) {
    for (const auto& [fault, cut_short] : spells) {
      const auto [begins, ends] = ends_of(fault.kind);
      plan.push_back(event(fault, begins, fault.at));
      if (fault.until && !cut_short) plan.push_back(event(fault, ends, *fault.until));
    }
  }

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

  const std::vector<Backend>& backends_;
  std::map<Subject, std::vector<Spell>> spells_;  ///< by date; no two of one subject overlap
};

}  // namespace

const char* to_string(HostEvent::Kind kind) {
  static constexpr std::array kNames{
      "up",   "hang_over", "slow_over", "errors_over", "mended", "drain_over", "wrong_tokens_over",
      "down", "hang",      "slow",      "errors",      "cut",    "drain",      "wrong_tokens"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::vector<HostEvent> plan_faults(const std::vector<Fault>& faults,
                                   const std::vector<Backend>& backends) {
  std::vector<Fault> by_date = faults;
  // At one date crashes come first: what hangs in that instant has no process left to hang.
  std::ranges::stable_sort(by_date, {}, [](const Fault& fault) {
    return std::pair(fault.at, fault.kind != Fault::Kind::crash);
  });
  Planner planner(backends);
  for (const Fault& fault : by_date) {
    const bool lasts = lasts_at(fault.until, fault.at);
    check(lasts || fault.drawn, "a fault of a file ends after its beginning");
    if (lasts) planner.add(fault);
  }
  return planner.events();
}

std::vector<HostEvent> plan_run(const Scenario& scenario, const models::Seed& seed) {
  std::vector<Fault> all = scenario.faults;
  const std::vector<Fault> drawn = draw_faults(scenario, seed);
  all.insert(all.end(), drawn.begin(), drawn.end());
  return plan_faults(all, scenario.backends);
}

}  // namespace specroute::sim
