#include "sim/experiment/campaign.hpp"

#include <gtest/gtest.h>

#include "sim/experiment/published_metrics.hpp"
#include "sim/plugins/policy_fault.hpp"

namespace specroute::sim {
namespace {

const std::vector<Gate> kGates = {{"a", "{}"}, {"b", "{}"}};
const std::vector<std::uint64_t> kSeeds = {5, 9};

Scenario ailing() {
  Scenario scenario{};
  scenario.faults.resize(1);
  return scenario;
}

RunResult run_with(double degraded, std::uint64_t digest) {
  RunResult run;
  run.metrics = {{"degraded.total", degraded}};
  run.timeseries_csv = "row of " + std::to_string(digest) + '\n';
  run.digest = digest;
  return run;
}

JobResult finished(const RunResult& run) {
  return {.end = JobEnd::finished, .code = 0, .output = seal(run), .last_words = {}};
}

/// Sick runs degrade 100 + index, healthy ones their index: the excess is 100 - 1 everywhere.
std::vector<JobResult> results_for(const std::vector<Job>& jobs) {
  std::vector<JobResult> results;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const double index = static_cast<double>(i);
    results.push_back(finished(run_with(jobs[i].healthy ? index : 100.0 + index, i)));
  }
  return results;
}

TEST(PlanJobs, PairsEveryRunWithAHealthyOne) {
  const auto jobs = plan_jobs(ailing(), 2, 3);
  ASSERT_EQ(jobs.size(), 12U);
  for (std::size_t i = 0; i < jobs.size(); i += 2) {
    EXPECT_FALSE(jobs[i].healthy);
    EXPECT_TRUE(jobs[i + 1].healthy);
    EXPECT_EQ(jobs[i].gate, jobs[i + 1].gate);
    EXPECT_EQ(jobs[i].seed, jobs[i + 1].seed);
  }
}

TEST(PlanJobs, RunsAHealthyScenarioOnce) {
  EXPECT_EQ(plan_jobs(Scenario{}, 2, 3).size(), 6U);
}

TEST(Gather, PairsByGateAndSeed) {
  const auto jobs = plan_jobs(ailing(), 2, 2);
  const Campaign campaign = gather(kGates, kSeeds, jobs, results_for(jobs));
  EXPECT_TRUE(campaign.failures.empty());
  ASSERT_EQ(campaign.gates.size(), 2U);
  for (const GateRuns& gate : campaign.gates) {
    ASSERT_EQ(gate.per_seed.size(), 2U);
    for (const Metrics& metrics : gate.per_seed)
      EXPECT_EQ(metric_value(metrics, "excess_degraded_completions"), 99.0);
  }
  EXPECT_EQ(campaign.gates[1].label, "b");
  EXPECT_EQ(campaign.gates[1].digests, (std::vector<std::uint64_t>{4, 6}));
}

TEST(Gather, KeepsTheSeriesOfTheFirstSeedAsGiven) {
  const auto jobs = plan_jobs(ailing(), 2, 2);
  const Campaign campaign = gather(kGates, kSeeds, jobs, results_for(jobs));
  EXPECT_EQ(campaign.gates[0].first.timeseries_csv, "row of 0\n");
  EXPECT_EQ(campaign.gates[1].first.timeseries_csv, "row of 4\n");
}

TEST(Gather, PairsAHealthyScenarioWithItself) {
  const auto jobs = plan_jobs(Scenario{}, 1, 2);
  const Campaign campaign = gather({kGates[0]}, kSeeds, jobs, results_for(jobs));
  ASSERT_EQ(campaign.gates[0].per_seed.size(), 2U);
  for (const Metrics& metrics : campaign.gates[0].per_seed)
    EXPECT_EQ(metric_value(metrics, "excess_degraded_completions"), 0.0);
}

TEST(Gather, NamesEveryReplicationThatFailed) {
  const auto jobs = plan_jobs(ailing(), 2, 2);
  auto results = results_for(jobs);
  results[1] = {.end = JobEnd::crashed, .code = 6, .output = {}, .last_words = "must hold\n"};
  results[6] = {.end = JobEnd::timed_out, .code = 9, .output = {}, .last_words = {}};
  const Campaign campaign = gather(kGates, kSeeds, jobs, results);
  ASSERT_EQ(campaign.failures.size(), 2U);
  EXPECT_EQ(campaign.failures[0].kind, JobFailure::Kind::misbehaving);
  EXPECT_EQ(campaign.failures[0].gate, "a");
  EXPECT_EQ(campaign.failures[0].seed, 5U);
  EXPECT_TRUE(campaign.failures[0].healthy);
  EXPECT_NE(campaign.failures[0].diagnosis.find("signal 6"), std::string::npos);
  EXPECT_NE(campaign.failures[0].diagnosis.find("must hold"), std::string::npos);
  EXPECT_EQ(campaign.failures[1].kind, JobFailure::Kind::stuck);
  EXPECT_EQ(campaign.failures[1].gate, "b");
  EXPECT_EQ(campaign.failures[1].seed, 9U);
}

TEST(Gather, CallsALivelockStuck) {
  RunResult livelocked;
  livelocked.failure = "50000000 events at 3 s";
  const auto jobs = plan_jobs(Scenario{}, 1, 1);
  const Campaign campaign = gather({kGates[0]}, {1}, jobs, {finished(livelocked)});
  ASSERT_EQ(campaign.failures.size(), 1U);
  EXPECT_EQ(campaign.failures[0].kind, JobFailure::Kind::stuck);
  EXPECT_EQ(campaign.failures[0].diagnosis, livelocked.failure);
}

/// What is told of a replication of the gate `a`, which is that plug-in.
JobFailure failure_under(Plugin::Kind kind, const JobResult& result) {
  Plugin plugin;
  plugin.kind = kind;
  plugin.label = "a";
  plugin.identity.source = "the plug-in";
  const auto jobs = plan_jobs(Scenario{}, 1, 1);
  const Campaign campaign = gather({kGates[0]}, {1}, jobs, {result}, {plugin});
  EXPECT_EQ(campaign.failures.size(), 1U);
  EXPECT_EQ(only_plugins_failed(campaign), !campaign.failures.at(0).policy.empty());
  return campaign.failures.at(0);
}

TEST(Gather, BlamesAPolicyForWhatItDid) {
  const JobResult caught{.end = JobEnd::exited,
                         .code = kPolicyFaultExit,
                         .output = {},
                         .last_words = std::string(kPolicyFaultMark) + "answers late\n"};
  for (const auto kind : {Plugin::Kind::lib, Plugin::Kind::exec}) {
    EXPECT_EQ(failure_under(kind, caught).policy, "the plug-in");
    EXPECT_EQ(failure_under(kind, caught).diagnosis, "answers late");
  }
  const JobResult left{.end = JobEnd::exited, .code = 0, .output = {}, .last_words = {}};
  EXPECT_EQ(failure_under(Plugin::Kind::lib, left).policy, "the plug-in");
}

TEST(Gather, BlamesNoPolicyForWhatTheSimulatorDid) {
  RunResult livelocked;
  livelocked.failure = "50000000 events at 3 s";
  const JobResult broken{
      .end = JobEnd::crashed, .code = 6, .output = {}, .last_words = "must hold\n"};
  const JobResult late{.end = JobEnd::timed_out, .code = 9, .output = {}, .last_words = {}};
  for (const auto kind : {Plugin::Kind::lib, Plugin::Kind::exec}) {
    const JobFailure stuck = failure_under(kind, finished(livelocked));
    EXPECT_EQ(stuck.policy, "");
    EXPECT_EQ(stuck.kind, JobFailure::Kind::stuck);
    EXPECT_EQ(stuck.diagnosis, livelocked.failure);
    const JobFailure crash = failure_under(kind, broken);
    EXPECT_EQ(crash.policy, "");
    EXPECT_NE(crash.diagnosis.find("crashed by signal 6"), std::string::npos);
    EXPECT_NE(crash.diagnosis.find("must hold"), std::string::npos);
    EXPECT_EQ(failure_under(kind, late).policy, "");
  }
}

TEST(Gather, CallsWhatIsNoResultMisbehaving) {
  const auto jobs = plan_jobs(Scenario{}, 1, 1);
  const std::string whole = seal(run_with(1.0, 2));
  std::string flipped = whole;
  flipped[whole.size() / 2] ^= 1;
  for (const std::string& bytes :
       {std::string(), std::string("short"), whole.substr(0, 20), whole + 'x', flipped}) {
    const JobResult sent{.end = JobEnd::finished, .code = 0, .output = bytes, .last_words = {}};
    const Campaign campaign = gather({kGates[0]}, {1}, jobs, {sent});
    ASSERT_EQ(campaign.failures.size(), 1U);
    EXPECT_EQ(campaign.failures[0].kind, JobFailure::Kind::misbehaving);
  }
}

}  // namespace
}  // namespace specroute::sim
