/// @file
/// The router's control loop: fail-over, bind, re-bind, lock, re-selection; the policy inside it.
///
/// A plain object that sees only what a real router sees: probe verdicts, answers to its own
/// questions at bind time, telemetry windows. It acts through a list of actions that the world
/// carries out, and nothing it asks for is instantaneous: a bind is a command on the wire, a
/// verification, a rebuild of contexts, and only then a commit. The old pairing serves until then.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <specroute/policy_abi.h>
#include <specroute/vocab/id.hpp>
#include <specroute/vocab/units.hpp>

#include "sim/routing/dispatcher.hpp"
#include "sim/routing/policy_host.hpp"
#include "sim/routing/policy_reports.hpp"
#include "sim/routing/window_report.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/topology/assignment.hpp"
#include "sim/topology/pairing_graph.hpp"

namespace specroute::sim {

enum class BindCause : std::uint8_t { start, target_lost, draft_lost, policy, reselect, readmit };
inline constexpr BindCause kBindCauses[] = {BindCause::start,      BindCause::target_lost,
                                            BindCause::draft_lost, BindCause::policy,
                                            BindCause::reselect,   BindCause::readmit};
[[nodiscard]] constexpr const char* to_string(BindCause cause) {
  constexpr const char* kNames[] = {"start",  "target_lost", "draft_lost",
                                    "policy", "reselect",    "readmit"};
  return kNames[static_cast<std::size_t>(cause)];
}

/// A pairing as the router keeps it. `draft` does not exist while the target serves alone.
struct PairingRecord {
  BackendId target;
  BackendId draft;
  BindCause cause = BindCause::start;
  Seconds bound{0.0};
  std::optional<Seconds> ended;
  Seconds locked_until{0.0};
  std::optional<Seconds> quarantined_until;  ///< no request is sent to it before
  bool rejected = false;                     ///< by the policy: what it measures is discarded
  bool target_lost = false;                  ///< it ended because probes found its target dead
};

/// What the two ends of a bind answer to the router's questions.
struct VerificationAnswer {
  bool target_reachable = false;
  bool draft_reachable = false;
  std::vector<srp_side> target;  ///< live, by profile id
  std::vector<srp_side> draft;
};

/// A bind under way.
struct BindOperation {
  BindCause cause = BindCause::start;
  BackendId target;
  BackendId draft;  ///< none: the target is to serve alone
  PairingId replaces;
  bool verify_parameters = false;
  bool solo = false;
  Seconds solo_until{0.0};
  std::optional<srp_constraint> constraint;
  std::uint64_t decision = 0;  ///< the policy's, that asked for it; 0: none
  std::uint64_t profile = 0;
  std::vector<BackendId> tried;  ///< candidates that failed verification or died
  VerificationAnswer answer;     ///< the ends' own words, where parameters were verified
  bool open = true;
};
using OperationId = std::uint32_t;

struct ControlAction {
  enum class Kind : std::uint8_t {
    verify_at,   ///< `date`: call on_verification(operation, answers)
    rebuild,     ///< rebuild contexts on the new draft, then call on_rebuilt(operation)
    rebuilt_at,  ///< `date`: call on_rebuilt(operation); there is nothing to rebuild
    bound,       ///< `pairing` serves from now on
    unbound,     ///< `pairing` serves no more
    tick_at,     ///< `date`: call on_tick
    retry_at,    ///< `date`: call on_retry(operation), which left something undone
    readmit_at,  ///< `date`: call on_readmit(pairing), whose time alone is over
    released,    ///< `pairing` takes requests again: its quarantine is over
  };
  Kind kind;
  Seconds date{0.0};
  OperationId operation = 0;
  PairingId pairing{};
};

/// A policy decision as it came, for the record.
struct DecisionRecord {
  Seconds at;
  PairingId pairing;
  srp_decision decision;
};

class Control {
 public:
  Control(const Scenario& scenario, const PairingGraph& graph, Dispatcher& dispatcher,
          PolicyHost& policy);

  /// @param answers of both ends of each initial pairing, in the scenario's order: pairings that
  /// serve at the start were verified when they were bound.
  void start(const std::vector<VerificationAnswer>& answers, Seconds now);
  void on_backend_down(BackendId backend, Seconds now);
  void on_backend_up(BackendId backend, std::uint64_t incarnation, Seconds now);
  /// Also where an end that had answered is found unreachable before the commit.
  void on_verification(OperationId operation, const VerificationAnswer& answer, Seconds now);
  void on_rebuilt(OperationId operation, Seconds now);
  void on_window(const WindowReport& window, Seconds now);
  void on_health(BackendId backend, const HealthReport& report, Seconds now);
  void on_quality(PairingId pairing, ProfileId profile, const QualityReport& report, Seconds now);
  void on_reselect(Seconds now);
  void on_tick(Seconds now);
  void on_retry(OperationId operation, Seconds now);
  void on_readmit(PairingId pairing, Seconds now);

  /// What is to be done, in order; the caller empties it.
  [[nodiscard]] std::vector<ControlAction>& actions() { return actions_; }
  /// All policy decisions since the last call that emptied it.
  [[nodiscard]] std::vector<DecisionRecord>& decisions() { return decisions_; }

  [[nodiscard]] const PairingRecord& pairing(PairingId id) const { return pairings_[id.index()]; }
  [[nodiscard]] std::size_t pairings() const { return pairings_.size(); }
  [[nodiscard]] PairingId serving(BackendId target) const { return serving_[target.index()]; }
  [[nodiscard]] const BindOperation& operation(OperationId id) const { return operations_[id]; }

 private:
  /// Acceptance of one (target, draft), as telemetry has it.
  struct Measured {
    std::uint64_t accepted = 0;  ///< in the re-selection period under way
    std::uint64_t drafted = 0;
    std::optional<double> rate;  ///< of the latest period that had drafts
  };

  // control.cpp: who is up, who is bound
  void end_pairing(PairingId id, Seconds now);
  void fail_over_target(BackendId lost, PairingId old, Seconds now);
  void replace_dead_draft(const std::vector<PairingId>& pairings, Seconds now);
  [[nodiscard]] std::optional<BackendId> standby_target(
      PoolId pool, const std::vector<BackendId>& not_these) const;
  void announce_candidate(BackendId backend, Seconds now);

  // control_assign.cpp: which candidates operations take
  void begin(BindOperation operation, Seconds now);
  void begin_all(std::vector<BindOperation> operations, Seconds now);
  void advance(OperationId id, Seconds now);
  void assign(const std::vector<OperationId>& ids);
  void command(OperationId id, Seconds now);
  void take_any_target(BindOperation& operation) const;
  [[nodiscard]] bool has_candidate(BindOperation& operation) const;
  [[nodiscard]] std::uint32_t taken(BackendId draft) const;
  [[nodiscard]] std::uint32_t draft_room(BackendId draft) const;
  [[nodiscard]] bool drafts_for(BackendId draft, PairingId pairing) const;
  [[nodiscard]] std::vector<DraftRoom> free_drafts() const;
  [[nodiscard]] std::vector<BackendId> standby_targets(const BindOperation& operation) const;

  // control_bind.cpp: an operation from command to commit
  [[nodiscard]] bool pick_target_for_draft(BindOperation& operation) const;
  [[nodiscard]] bool excluded(const BindOperation& operation, BackendId backend) const;
  [[nodiscard]] static bool samples_as_wanted(const BindOperation& operation,
                                              const srp_profile& wanted, const srp_side& draft,
                                              const srp_side& target);
  [[nodiscard]] bool consistent(const BindOperation& operation,
                                const VerificationAnswer& answer) const;
  void begin_again(OperationId id, BackendId dead, Seconds now);
  void close(OperationId id, std::uint32_t result, Seconds now);
  void on_silent_target(OperationId id, Seconds now);
  void rearm(OperationId id, Seconds now);
  [[nodiscard]] bool lacks_draft(const PairingRecord& record, PairingId id) const;
  void give_up(OperationId id, Seconds now);
  void commit(OperationId id, Seconds now);
  void tell_policy_of_bind(PairingId id, const BindOperation& operation, Seconds now);
  void tell_policy_of_sides(std::uint64_t pairing, const BindOperation& operation, Seconds now);
  [[nodiscard]] srp_side claimed(BackendId backend, ProfileId profile,
                                 std::uint32_t provenance) const;
  void limit_to_configuration(srp_side& side) const;
  [[nodiscard]] bool operating(BackendId target) const;

  // control_policy.cpp: decisions carried out
  template <class Record>
  void tell(Record& record, std::uint16_t type, Seconds now, std::uint64_t pairing) {
    policy_.send(record, type, now, pairing, fresh_);
  }
  void carry_out(Seconds now);
  void carry_out(const srp_decision& decision, PairingId pairing, Seconds now);
  bool reject(PairingId pairing);
  void rebind(const srp_decision& decision, PairingId pairing, Seconds now);
  void serve_alone(const srp_decision& decision, PairingId pairing, Seconds now);
  void quarantine(const srp_decision& decision, PairingId pairing, Seconds now);
  void release(PairingId pairing);
  void release_quarantined(Seconds now);
  void outcome(std::uint64_t decision, PairingId pairing, std::uint32_t result, Seconds now);

  const Scenario& scenario_;
  const PairingGraph& graph_;
  Dispatcher& dispatcher_;
  PolicyHost& policy_;
  std::vector<bool> up_;  ///< as probes have it
  std::vector<std::uint64_t> incarnation_;
  std::vector<PairingId> serving_;                ///< by target
  std::vector<std::vector<PairingId>> bound_to_;  ///< by draft: the pairings that it drafts for
  std::vector<std::vector<ProfileId>> profiles_;  ///< by pool, in order
  std::vector<std::uint32_t> rules_;              ///< by profile: that it is to be served by
  std::vector<srp_profile> required_;             ///< by profile
  std::vector<PairingRecord> pairings_;
  std::vector<BindOperation> operations_;
  std::vector<std::vector<Measured>> measured_;  ///< [target][draft]
  std::vector<srp_decision> fresh_;
  std::vector<ControlAction> actions_;
  std::vector<DecisionRecord> decisions_;
};

}  // namespace specroute::sim
