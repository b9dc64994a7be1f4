/// @file
/// A campaign: one scenario under several gates and seeds, each replication in a process of its
/// own, each paired with a healthy run of the same gate and seed.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <specroute/policy_abi.h>
#include <specroute/vocab/result.hpp>
#include <specroute/vocab/units.hpp>

#include "sim/engine/lane.hpp"
#include "sim/engine/zygote.hpp"
#include "sim/plugins/plugin.hpp"
#include "sim/plugins/timed_policy.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/world/run_result.hpp"

namespace specroute::sim {

struct CampaignOptions {
  std::vector<std::uint64_t> seeds = {1};  ///< at least one
  unsigned jobs = 1;                       ///< replications alive at a time, at least 1
  LaneMode mode = LaneMode::lookahead;
  bool keep_requests = false;                                ///< of the first seed of each gate
  Seconds timeout{std::numeric_limits<double>::infinity()};  ///< wall time of one replication
  /// Told of each replication that ends, IN THAT REPLICATION'S PROCESS (the campaign's own process
  /// must stay single-threaded and waits): it may write to a terminal, and nothing it changes
  /// lasts.
  std::function<void(std::uint64_t ended, std::uint64_t planned)> progress;
  std::vector<Plugin> plugins = {};         ///< gates of these labels are policies from outside
  Seconds policy_timeout = kPolicyTimeout;  ///< wall time of one call or answer of theirs
};

/// One replication to make.
struct Job {
  std::size_t gate;
  std::size_t seed;  ///< index among the campaign's seeds
  bool healthy;      ///< without faults and overrides: the one that excess is counted against
};

/// What one gate came to.
struct GateRuns {
  std::string label;
  std::string config_json;
  std::vector<Metrics> per_seed;       ///< under published names, in the order of the seeds
  std::vector<std::uint64_t> digests;  ///< likewise
  RunResult first;  ///< of the first seed: decisions, time series, requests; no metrics
  std::optional<Plugin> plugin = {};  ///< where the policy is from outside
  PolicyTime policy_time = {};        ///< wall time, healthy runs included: of no result
};

/// A replication that gave no result.
struct JobFailure {
  enum class Kind {
    stuck,        ///< a livelock, or more wall time than it was given
    misbehaving,  ///< it crashed, exited, or sent what is not a result; or its policy did wrong
  };
  Kind kind;
  std::string gate;
  std::uint64_t seed;
  bool healthy;
  std::string diagnosis;
  std::string policy = {};  ///< where a policy from outside did it: what that is
  bool at_start = false;    ///< before any replication: seed and healthy mean nothing
};

/// Complete where `failures` is empty. A policy from outside that failed is in `failures`, once,
/// and its gate not in `gates`; where any other gate failed, `gates` is not to be used.
struct Campaign {
  std::vector<std::uint64_t> seeds;
  std::vector<GateRuns> gates;
  std::vector<JobFailure> failures;
};

/// Every job of a campaign in the order of its results. A scenario that nothing ails needs no
/// healthy runs: each replication is its own.
[[nodiscard]] std::vector<Job> plan_jobs(const Scenario& scenario, std::size_t gates,
                                         std::size_t seeds);

/// Prepares the scenario once, then runs every gate with every seed. Fails where the scenario
/// cannot be prepared. May be called any number of times; never starts a simulation here.
/// @param gates those to run, each from the scenario, their configurations valid
[[nodiscard]] Result<Campaign> run_campaign(const Scenario& scenario, const srp_module& module,
                                            const std::vector<Gate>& gates,
                                            const CampaignOptions& options);

/// Pairs and sorts results into a campaign. @param results one per job, in the jobs' order
/// @param plugins those of the gates that are from outside
[[nodiscard]] Campaign gather(const std::vector<Gate>& gates,
                              const std::vector<std::uint64_t>& seeds, const std::vector<Job>& jobs,
                              const std::vector<JobResult>& results,
                              const std::vector<Plugin>& plugins = {});

/// Whether every failure is of a policy from outside, so that the other gates' results hold.
[[nodiscard]] bool only_plugins_failed(const Campaign& campaign);

/// What a replication sends: its result, and the time that its policy took, which is part of none.
struct Sent {
  RunResult run;
  PolicyTime policy_time;
};

/// A result on its way out of a replication, with what tells it from anything else.
[[nodiscard]] std::string seal(const RunResult& result, const PolicyTime& policy_time = {});

/// What is in `bytes`; absent where these are not bytes that `seal` wrote.
[[nodiscard]] std::optional<Sent> unseal(const std::string& bytes);

}  // namespace specroute::sim
