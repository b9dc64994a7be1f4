/// @file
/// A campaign: one scenario under several gates and seeds, each replication in a process of its
/// own, each paired with a healthy run of the same gate and seed.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <specroute/policy_abi.h>
#include <specroute/vocab/result.hpp>
#include <specroute/vocab/units.hpp>

#include "sim/engine/lane.hpp"
#include "sim/engine/zygote.hpp"
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
};

/// A replication that gave no result.
struct JobFailure {
  enum class Kind {
    stuck,        ///< a livelock, or more wall time than it was given
    misbehaving,  ///< it crashed, exited, or sent what is not a result
  };
  Kind kind;
  std::string gate;
  std::uint64_t seed;
  bool healthy;
  std::string diagnosis;
};

/// Complete where `failures` is empty; else `gates` is not to be used.
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
[[nodiscard]] Campaign gather(const std::vector<Gate>& gates,
                              const std::vector<std::uint64_t>& seeds, const std::vector<Job>& jobs,
                              const std::vector<JobResult>& results);

/// A result on its way out of a replication, with what tells it from anything else.
[[nodiscard]] std::string seal(const RunResult& result);

/// The result in `bytes`; absent where these are not bytes that `seal` wrote.
[[nodiscard]] std::optional<RunResult> unseal(const std::string& bytes);

}  // namespace specroute::sim
