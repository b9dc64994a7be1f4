/// @file
/// The world of one replication: it owns every object, carries their actions out, and lets time
/// pass. Engines, router and policy never call each other; they meet here, by events.
#pragma once

#include <memory>
#include <vector>

#include <specroute/policy_abi.h>

#include "models/random/stream.hpp"
#include "sim/engine/flows.hpp"
#include "sim/engine/lane.hpp"
#include "sim/engine/platform.hpp"
#include "sim/routing/circuit_breaker.hpp"
#include "sim/routing/control.hpp"
#include "sim/routing/dispatcher.hpp"
#include "sim/routing/prober.hpp"
#include "sim/routing/retry.hpp"
#include "sim/serving/target_engine.hpp"
#include "sim/topology/pairing_graph.hpp"
#include "sim/world/attribution.hpp"
#include "sim/world/event_kinds.hpp"
#include "sim/world/fleet_meters.hpp"
#include "sim/world/flow_tag.hpp"
#include "sim/world/incident_record.hpp"
#include "sim/world/links.hpp"
#include "sim/world/pairing_ledger.hpp"
#include "sim/world/policy_feed.hpp"
#include "sim/world/prepared.hpp"
#include "sim/world/prompt_sharing.hpp"
#include "sim/world/request_table.hpp"
#include "sim/world/run_result.hpp"
#include "sim/world/time_series.hpp"
#include "sim/world/totals.hpp"
#include "sim/world/traffic_totals.hpp"
#include "sim/world/transfer_book.hpp"
#include "sim/world/try_state.hpp"

namespace specroute::sim {

struct RunOptions {
  std::uint64_t seed = 1;
  LaneMode mode = LaneMode::lookahead;
  bool keep_requests = false;  ///< write a row for every request
  bool keep_outcomes = false;  ///< for pairing with the run of another gate
};

/// The hosts of a scenario: the router first, then the backends in their order, then storage where
/// weights come from it.
[[nodiscard]] PlatformPlan platform_plan(const Scenario& scenario);

class World {
 public:
  /// @param platform built from `platform_plan` of the prepared scenario
  World(const Prepared& prepared, Platform& platform, PolicyHost& policy,
        const RunOptions& options);

  /// Runs to the end. A livelock is reported in the result, not by aborting.
  [[nodiscard]] RunResult run();

  void on_local(const Event& event);
  void on_platform(const Event& event);

 private:
  /// A backend as it is, not as the router believes it to be.
  struct BackendState {
    bool alive = true;
    std::uint64_t incarnation = 0;
    std::uint64_t bound_incarnation = 0;  ///< of the process that was bound: a restart forgets it
    std::vector<TargetEngine> engines;
    std::vector<DraftEngine> drafts;
    PairingId pairing;                ///< of a target: the one its engines serve
    std::uint32_t first_engine = 0;   ///< index of its first engine among all
    std::vector<std::uint32_t> lost;  ///< slots of requests that died with it, not yet noticed
    std::vector<srp_side> live;       ///< fingerprints by profile
    Seconds to_router{0.0};           ///< one way
    Ailments ailments;
    std::uint64_t loops_ended = 0;  ///< completions that its detector ended
    Seconds load_began{0.0};        ///< of its weights, at its latest start
    Seconds load_due{0.0};          ///< when the load begins, or begins again
    Seconds warm_at{0.0};           ///< when its latest warm-up ends
    /// Whether its processes do what they are asked to.
    [[nodiscard]] bool works() const { return alive && !ailments.hung; }
    [[nodiscard]] bool serves() const {
      return alive && pairing.exists() && incarnation == bound_incarnation;
    }
  };
  struct EngineRef {
    BackendId backend;
    std::uint32_t index;
  };
  struct UserRef {
    ClassId request_class;
    std::uint32_t index;
  };

  // world.cpp
  void add_backend(BackendId id, const models::Seed& seed);
  void add_class(ClassId id, const models::Seed& seed);
  void schedule_start();
  void on_control_event(const Event& event);
  [[nodiscard]] bool is_over() const;
  void end_where_nobody_waits();
  void every(Seconds period, EventKind kind, std::uint32_t object);
  void check_invariants() const;
  void check_kv_books() const;
  [[nodiscard]] RunResult finish(RunEnd end);
  [[nodiscard]] std::optional<double> first_harmful_lock() const;
  [[nodiscard]] std::vector<BackendMeter> meters();
  void report_scheduling(Metrics& metrics, std::size_t backend) const;
  void mix(std::uint64_t word);

  // world_traffic.cpp: requests from arrival to end
  void schedule_arrival(ClassId id);
  void on_arrival(ClassId id);
  void on_user_asks(std::uint32_t user);
  void user_waits_no_more(std::uint32_t user, Seconds answered);
  void admit(ClassId id, const Asked& asked, std::uint32_t user);
  [[nodiscard]] TrafficRow first_row(std::uint32_t kind, RequestId request) const;
  void dispatch(std::uint32_t slot, bool retry);
  [[nodiscard]] bool locked(BackendId target, Seconds date) const;
  void on_submit(std::uint32_t slot);
  void take_place(PoolId pool, std::uint32_t slot, bool retry);
  void bounce(std::uint32_t slot);
  void flush_queue(PoolId pool);
  void pull_waiting(PoolId pool);
  void retry_lost(BackendId backend, bool moved);

  // world_tries.cpp: tries of a request, and what follows when one fails
  void begin_tries(std::uint32_t slot);
  void send(std::uint32_t slot, BackendId target);
  void answer_later(std::uint32_t slot, TryOutcome answer, Seconds date);
  void on_answer(std::uint32_t slot);
  void fail_try(std::uint32_t slot, TryOutcome outcome, std::uint32_t layer);
  void retry_legacy(std::uint32_t slot);
  void release(std::uint32_t slot, TryOutcome outcome);
  void begin_again(std::uint32_t slot);
  void watch_tries(std::uint32_t slot, std::uint32_t from_layer);
  void on_retry(std::uint32_t slot);
  void on_try_timeout(std::uint32_t slot);
  void take_back(std::uint32_t slot);
  void receive(const Sequence& left, BackendId target);
  void settle_try(BackendId target, const SentTry& sent, TryOutcome outcome);
  void follow_breaker(BackendId target);
  void on_breaker_wakes(BackendId target);
  void on_breaker_sweep();
  [[nodiscard]] double draw(const models::StreamKey& key, std::uint32_t slot,
                            std::uint32_t entity) const;
  void report_tries(Metrics& metrics) const;
  void expire_waiting();
  void on_engine(std::uint32_t engine_and_half, EngineActions::Due due);
  void carry_out(EngineRef engine);
  void complete(const Sequence& sequence, EngineRef engine);
  void end_request(std::uint32_t slot, const Sequence& sequence, EndState state);
  void write_row(const Ending& ending, const Request& request);
  void note_outcome(const Ending& ending);
  Outcomes take_outcomes();
  [[nodiscard]] std::string blame_cells(const Sequence& sequence) const;
  void end_all_unfinished();

  // world_control.cpp: the router's wishes
  void carry_out_control();
  void carry_out(const ControlAction& action);
  [[nodiscard]] std::string overrides_behind(const PairingRecord& pairing, Seconds at) const;
  [[nodiscard]] std::string owners_behind(PairingId pairing) const;
  [[nodiscard]] std::uint32_t deciding(PairingId pairing, const BindOperation& operation);
  void note_decisions();
  void bind(PairingId id, OperationId operation);
  void tell_incident(PairingId id, const BindOperation& operation);
  void unbind(PairingId id);
  void strip(BackendId backend);
  [[nodiscard]] VerificationAnswer ask(BackendId target, BackendId draft) const;
  void take_over_parameters(const BindOperation& operation);
  void on_verify(OperationId operation);
  void on_rebuilt(OperationId operation);
  void rebuild_contexts(OperationId operation);
  void prefill_contexts(OperationId operation, Seconds start);
  void on_transfer(OperationId operation);
  void on_transfer_end(OperationId operation, bool whole);

  // world_hosting.cpp: paths, shared drafts, flows, what a restart takes
  struct Path {
    Seconds latency{0.0};  ///< one way, that between racks included
    BytesPerSecond bandwidth;
    Seconds between_racks{0.0};
    bool crosses_network = false;
  };
  [[nodiscard]] Path path(BackendId a, BackendId b) const;
  [[nodiscard]] Seconds between(BackendId a, BackendId b, Bytes size) const;
  [[nodiscard]] std::vector<DraftEngine*> draft_engines(BackendId target, BackendId draft);
  void on_flow_end(FlowTag tag, FlowEnd end);
  void start_process(BackendId backend);
  void load_weights(BackendId backend);
  void load_again(BackendId backend);
  void on_weights(BackendId backend, bool whole);
  void warm_up(BackendId backend);
  void on_warm(BackendId backend);
  void come_alive(BackendId backend);
  void on_drafts_leave(std::uint32_t engine_and_half);
  void on_drafts_forwarded(FlowCargo cargo, bool whole);

  // world_faults.cpp: what befalls backends and paths
  void on_host_event(const HostEvent& fault);
  void lose_host(BackendId backend);
  void go_down(const HostEvent& fault);
  void come_up(BackendId backend);
  void hang(BackendId backend);
  void hang_over(BackendId backend);
  void slow_down(BackendId backend, double factor);
  void cut(BackendId from, BackendId to);
  void mended(BackendId from, BackendId to);
  void compute_wrongly(BackendId backend, double hazard);
  static void count_exposed(TryState& tries, std::uint32_t emitted, double hazard);
  void taint(Sequence& sequence, BackendId backend);
  [[nodiscard]] bool reaches(BackendId a, BackendId b) const { return links_.answers(a, b); }
  [[nodiscard]] bool draft_is_silent(PairingId pairing) const;
  void wake_parked();
  void expire_held();
  template <class Visit>
  void each_held(BackendId target, Visit visit);

  // world_fleet.cpp: probes, what backends sample with and are
  void set_draft_alive(BackendId draft, bool alive);
  void on_probe(BackendId backend);
  void on_probe_result(BackendId backend, bool answered);
  void on_condition_change(BackendId backend);
  void refresh_live(BackendId backend);
  [[nodiscard]] std::uint32_t live_rule(BackendId id, std::size_t profile) const;
  void on_mark(std::uint32_t mark);
  [[nodiscard]] static TimeSeries::TargetState target_state(const BackendState& backend);
  void on_second();
  void close_series();

  // world_telemetry.cpp: from counters to windows at the router
  void cut_telemetry();
  [[nodiscard]] bool scrape_fails(BackendId target) const;
  void send(std::vector<WindowReport>& bundle, Seconds date);
  void cut_pairing(PairingId id, std::vector<WindowReport>& bundle);
  void read_counters(const std::vector<RowCounts>& counts, std::vector<RowCounts>& reported,
                     std::uint32_t draft_tokens, std::vector<WindowReport>& windows) const;
  void read_increments(LedgerEntry& entry);
  void take_latencies(WindowReport& window, BackendId target, ProfileId profile);
  void on_counter_reset(BackendId target);
  void on_windows(std::uint32_t bundle);
  void report_health();
  void report_quality();

  static constexpr std::uint32_t kMinuteBefore = 0;
  static constexpr std::uint32_t kFaultStrikes = 1;
  static constexpr std::uint32_t kWatchEnds = 2;

  const Prepared& prepared_;
  const Scenario& scenario_;
  Platform& platform_;
  PolicyHost& policy_;
  RunOptions options_;
  std::vector<HostEvent> faults_;  ///< the plan of this run
  bool stalls_ = false;            ///< some of them keep engines from going on
  Lane lane_;
  Flows flows_;
  PairTableBook tables_;
  ConditionPlan conditions_;
  PairingGraph graph_;
  Dispatcher dispatcher_;
  Control control_;
  Prober prober_;
  RetryPolicy retry_;
  CircuitBreakers breakers_;
  Links links_;
  TryCounts tries_;
  PolicyFeed feed_;
  models::StreamKey error_key_;
  models::StreamKey jitter_key_;
  models::StreamKey wrong_key_;
  models::StreamKey scrape_key_;
  std::vector<BackendState> backends_;
  std::vector<EngineRef> engines_;
  std::vector<ClassArrivals> arrivals_;
  std::vector<UserRef> users_;
  bool has_priorities_;                                     ///< some class goes before others
  std::vector<std::vector<std::uint32_t>> kinds_of_class_;  ///< traffic kind by content phase
  std::vector<ProfileId> profile_of_kind_;
  std::vector<std::uint32_t> rules_of_profiles_;
  PromptSharing sharing_;
  RequestTable requests_;
  std::uint64_t next_request_ = 0;
  models::StreamKey request_kind_key_;  ///< how easy a request's text is to draft
  std::vector<std::vector<WindowReport>> bundles_;
  std::vector<std::uint32_t> free_bundles_;
  std::vector<WindowReport> cut_;                      ///< the bundle being made
  std::vector<WindowReport> windows_of_cut_;           ///< of one pairing, by profile
  std::vector<std::vector<double>> window_latencies_;  ///< [target x profiles + profile]
  PairingLedger ledger_;
  Attribution attribution_;
  Totals totals_;
  TenantTotals tenants_;
  IncidentRecord incident_;
  std::uint64_t series_period_s_;
  TimeSeries series_;
  std::uint64_t seconds_ = 0;  ///< beats of the time series so far
  TransferBook weight_loads_;
  TransferBook draft_flows_;
  std::vector<DecisionEntry> decisions_;
  std::string request_rows_;
  Outcomes outcomes_;
  std::vector<std::shared_ptr<const PairTables>> retired_tables_;
  bool watch_ended_ = false;
  EngineActions actions_;
  std::uint64_t digest_ = 0xcbf29ce484222325ULL;
};

/// Builds the platform and the policy in this process and runs one replication.
/// One call per process: SimGrid allows one engine, ever.
[[nodiscard]] RunResult run_replication(const Prepared& prepared, Platform& platform,
                                        const Gate& gate, const RunOptions& options);
/// The same with a policy that was made elsewhere, and has seen no event yet.
[[nodiscard]] RunResult run_replication(const Prepared& prepared, Platform& platform,
                                        PolicyHost& policy, const RunOptions& options);

}  // namespace specroute::sim
