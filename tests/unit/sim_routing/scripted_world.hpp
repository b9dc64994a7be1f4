/// @file
/// A world on rails around the router's control loop and the real policy
/// library: backends answer verifications as they are, telemetry reports a
/// scripted acceptance, probes take 0.3 s.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/routing/control.hpp"
#include "sim/routing/fingerprint.hpp"
#include "tests/unit/sim_routing/small_fleet.hpp"

namespace specroute::sim {

inline constexpr Seconds kDetection{0.3};
inline constexpr std::uint64_t kDraftedPerWindow = 1000;

class ScriptedWorld {
 public:
  ScriptedWorld(Scenario given, const std::string& gate_config);

  /// Sets `sampling` on a backend, as a job would; it stays until someone
  /// restarts the backend.
  void override_sampling(BackendId backend, const Sampling& sampling);
  void clear_override(BackendId backend) { truth_[backend.index()].override_in_force.reset(); }
  void crash(BackendId backend, Seconds at);
  void restart(BackendId backend, Seconds at);
  /// Out of reach from one date to another, and no probe notices.
  void silence(BackendId backend, Seconds from, Seconds to);
  void at(Seconds date, std::function<void()> what) { events_.emplace(date, std::move(what)); }
  void run_until(Seconds date);

  /// The draft that a target is served with; none while it serves alone or not
  /// at all.
  [[nodiscard]] BackendId draft_of(BackendId target) const;
  /// Decisions of one type, HOLDs included.
  [[nodiscard]] std::vector<DecisionRecord> said(std::uint32_t type) const;
  [[nodiscard]] std::string reason(const DecisionRecord& record) const {
    return policy.reason(record.decision);
  }

  Scenario scenario;
  PairingGraph graph;
  Dispatcher dispatcher;
  PolicyHost policy;
  Control control;
  Seconds now{0.0};
  /// Accepted of 1000 drafted by (target, draft); otherwise 410 where both
  /// sides apply the same parameters, and 940 where they differ and logits are
  /// forwarded.
  std::map<std::pair<BackendId, BackendId>, std::uint64_t> acceptance;
  std::vector<DecisionRecord> decisions;
  std::vector<std::pair<Seconds, PairingId>> bound;
  bool telemetry = true;

 private:
  struct Truth {
    bool alive = true;
    std::uint64_t incarnation = 0;
    std::optional<Sampling> override_in_force;
  };
  [[nodiscard]] std::vector<srp_side> live(BackendId backend) const;
  [[nodiscard]] Sampling applied(BackendId backend, const Sampling& requested) const;
  [[nodiscard]] std::uint64_t accepted(const PairingRecord& pairing) const;
  [[nodiscard]] VerificationAnswer answer(BackendId target, BackendId draft) const;
  void carry_out();
  void carry_out(const ControlAction& action);
  void cut_telemetry();
  void cut(PairingId id);
  void begin();

  std::vector<Truth> truth_;
  bool begun_ = false;
  std::multimap<Seconds, std::function<void()>> events_;  ///< equal dates: in order of insertion
};

}  // namespace specroute::sim
