#include "sim/experiment/campaign.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

#include <unistd.h>

#include <specroute/vocab/check.hpp>

#include "sim/engine/platform.hpp"
#include "sim/experiment/published_metrics.hpp"
#include "sim/experiment/shared_words.hpp"
#include "sim/plugins/open_policy.hpp"
#include "sim/plugins/policy_fault.hpp"
#include "sim/plugins/probe.hpp"
#include "sim/world/prepared.hpp"
#include "sim/world/world.hpp"

namespace specroute::sim {
namespace {

/// All that a replication needs; made before the fork, read after it.
struct Setting {
  const std::vector<Gate>& gates;
  const CampaignOptions& options;
  const std::vector<Job>& jobs;
  const Prepared& as_given;
  const Prepared& healthy;
  const SharedWords& ended;   ///< one word: how many replications ended
  const SharedWords& failed;  ///< by gate: whether its policy did wrong in any process
};

const Plugin* plugin_of(const std::vector<Plugin>& plugins, const Gate& gate) {
  const auto found = std::ranges::find(plugins, gate.label, &Plugin::label);
  return found == plugins.end() ? nullptr : &*found;
}

/// A policy for one job. The first seed of a plug-in is held against a second instance: enough to
/// find a policy that is no function of its events.
std::unique_ptr<PolicyPort> policy_of(const Setting& setting, const Job& job, PolicyTime& time) {
  const Gate& gate = setting.gates[job.gate];
  if (const Plugin* plugin = plugin_of(setting.options.plugins, gate)) {
    FaultFlag* const flag = setting.failed.at(job.gate);
    if (flag != nullptr && flag->load() != 0) _exit(kPolicySkippedExit);
    return open_policy(*plugin,
                       {.timeout = setting.options.policy_timeout,
                        .verify = job.seed == 0 && !job.healthy,
                        .flag = flag},
                       time);
  }
  auto policy = linked_policy(*setting.as_given.module, gate.label, gate.config_json);
  check(policy.ok(), "a gate's configuration was validated before any replication");
  return timed(std::move(policy).value(), time);
}

std::string replicate(const Setting& setting, Platform& platform, std::uint64_t index) {
  const Job& job = setting.jobs[index];
  const bool is_shown = job.seed == 0 && !job.healthy;
  PolicyTime time;
  RunResult result;
  {
    PolicyHost policy(*setting.as_given.module, policy_of(setting, job, time));
    result = run_replication(job.healthy ? setting.healthy : setting.as_given, platform, policy,
                             {.seed = setting.options.seeds[job.seed],
                              .mode = setting.options.mode,
                              .keep_requests = setting.options.keep_requests && is_shown});
  }  // what a policy does wrong at its end is known before its result is sent
  if (!is_shown) {  // memory stays flat in the number of seeds
    result.decisions.clear();
    result.timeseries_csv.clear();
  }
  SharedWords::Word* const counter = setting.ended.at(0);
  const std::uint64_t ended = counter == nullptr ? 0 : counter->fetch_add(1) + 1;
  if (setting.options.progress) setting.options.progress(ended, setting.jobs.size());
  return seal(result, time);
}

std::uint64_t checksum(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;  // FNV-1a
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3ULL;
  return hash;
}

JobFailure failure_of(const JobResult& result) {
  const bool late = result.end == JobEnd::timed_out;
  JobFailure failure{};
  failure.kind = late ? JobFailure::Kind::stuck : JobFailure::Kind::misbehaving;
  failure.diagnosis = describe(result);
  if (!result.last_words.empty()) failure.diagnosis += "; its last words:\n" + result.last_words;
  return failure;
}

/// The result of a job, or why there is none.
std::optional<JobFailure> open_result(const JobResult& result, Sent& opened) {
  if (result.end != JobEnd::finished) return failure_of(result);
  JobFailure failure{};
  auto sent = unseal(result.output);
  if (sent && sent->run.failure.empty()) {
    opened = *std::move(sent);
    return std::nullopt;
  }
  failure.kind = sent ? JobFailure::Kind::stuck : JobFailure::Kind::misbehaving;
  failure.diagnosis = sent ? sent->run.failure : "what it sent is not a result";
  return failure;
}

bool was_skipped(const JobResult& result) {
  return result.end == JobEnd::exited && result.code == kPolicySkippedExit;
}

/// Whether the policy ended the process: it was caught in the act, or a module called exit, which
/// the simulator never does. A livelock, an invariant that broke or a crash between its calls is
/// the simulator's, whatever policy runs.
bool is_of_policy(const JobResult& result, const Plugin& plugin) {
  return result.end == JobEnd::exited &&
         (result.code == kPolicyFaultExit || plugin.kind == Plugin::Kind::lib);
}

/// Says once of a policy from outside what it did wrong, and takes its gates out of the campaign.
void drop_failed_plugins(Campaign& campaign) {
  std::vector<JobFailure> told;
  for (JobFailure& failure : campaign.failures) {
    const bool known =
        !failure.policy.empty() && std::ranges::any_of(told, [&](const JobFailure& other) {
          return other.gate == failure.gate && !other.policy.empty();
        });
    if (!known) told.push_back(std::move(failure));
  }
  campaign.failures = std::move(told);
  std::erase_if(campaign.gates, [&](const GateRuns& gate) {
    return gate.plugin && std::ranges::find(campaign.failures, gate.label, &JobFailure::gate) !=
                              campaign.failures.end();
  });
}

/// Puts a run under its gate. Healthy runs come right after the run that they are the pair of.
void place(GateRuns& gate, const Job& job, RunResult run, Metrics& unpaired, bool paired) {
  if (job.healthy) {
    gate.per_seed.push_back(published_metrics(unpaired, run.metrics));
    return;
  }
  gate.digests.push_back(run.digest);
  if (paired)
    unpaired = std::move(run.metrics);
  else
    gate.per_seed.push_back(published_metrics(run.metrics, run.metrics));
  run.metrics.clear();
  if (job.seed == 0) gate.first = std::move(run);
}

}  // namespace

std::vector<Job> plan_jobs(const Scenario& scenario, std::size_t gates, std::size_t seeds) {
  const bool ails = !scenario.faults.empty() || !scenario.random_faults.empty() ||
                    !scenario.overrides.empty() || !scenario.engine_changes.empty() ||
                    !scenario.telemetry_faults.empty();
  std::vector<Job> jobs;
  for (std::size_t gate = 0; gate < gates; ++gate)
    for (std::size_t seed = 0; seed < seeds; ++seed) {
      jobs.push_back({gate, seed, false});
      if (ails) jobs.push_back({gate, seed, true});
    }
  return jobs;
}

Result<Campaign> run_campaign(const Scenario& scenario, const srp_module& module,
                              const std::vector<Gate>& gates, const CampaignOptions& options) {
  check(!options.seeds.empty() && options.jobs >= 1, "a campaign has a seed and a job");
  auto prepared = prepare(scenario, module);
  if (!prepared) return prepared.diagnostics();
  const Prepared as_given = std::move(prepared).value();
  const Scenario well = without_faults(scenario);
  const Prepared healthy = healthy_twin(as_given, well);
  const auto jobs = plan_jobs(scenario, gates.size(), options.seeds.size());
  const SharedWords ended(1);
  const SharedWords failed(std::max<std::size_t>(gates.size(), 1));
  const Setting setting{gates, options, jobs, as_given, healthy, ended, failed};
  // What was prepared here is the zygote's by copy on write; only the engine has to wait for it.
  const auto start_engine = [&]() -> Replication {
    const auto platform = std::make_shared<Platform>(platform_plan(scenario));
    return
        [&setting, platform](std::uint64_t index) { return replicate(setting, *platform, index); };
  };
  const auto results = run_forked(
      start_engine, {.count = jobs.size(), .jobs = options.jobs, .timeout = options.timeout});
  return gather(gates, options.seeds, jobs, results, options.plugins);
}

Campaign gather(const std::vector<Gate>& gates, const std::vector<std::uint64_t>& seeds,
                const std::vector<Job>& jobs, const std::vector<JobResult>& results,
                const std::vector<Plugin>& plugins) {
  check(jobs.size() == results.size(), "every job has a result");
  Campaign campaign{.seeds = seeds, .gates = {}, .failures = {}};
  std::vector<const Plugin*> outside;
  for (const Gate& gate : gates) {
    campaign.gates.push_back({gate.label, gate.config_json, {}, {}, {}});
    outside.push_back(plugin_of(plugins, gate));
    if (outside.back() != nullptr) campaign.gates.back().plugin = *outside.back();
  }
  Metrics unpaired;
  std::vector<bool> failed(gates.size(), false);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const Job& job = jobs[i];
    Sent sent;
    if (was_skipped(results[i])) continue;  // the process that found out says why
    if (auto failure = open_result(results[i], sent)) {
      failure->gate = gates[job.gate].label;
      failure->seed = seeds[job.seed];
      failure->healthy = job.healthy;
      const Plugin* const plugin = outside[job.gate];
      if (plugin != nullptr && is_of_policy(results[i], *plugin)) {
        failure->policy = plugin->identity.source;
        failure->diagnosis = fault_text(results[i]);
      }
      campaign.failures.push_back(*std::move(failure));
      failed[job.gate] = true;
    } else if (!failed[job.gate]) {
      GateRuns& gate = campaign.gates[job.gate];
      gate.policy_time.wall_s += sent.policy_time.wall_s;
      gate.policy_time.events += sent.policy_time.events;
      const bool paired = i + 1 < jobs.size() && jobs[i + 1].healthy;
      place(gate, job, std::move(sent.run), unpaired, paired);
    }
  }
  drop_failed_plugins(campaign);
  return campaign;
}

bool only_plugins_failed(const Campaign& campaign) {
  return std::ranges::none_of(campaign.failures, &std::string::empty, &JobFailure::policy);
}

std::string seal(const RunResult& result, const PolicyTime& policy_time) {
  std::string body(sizeof policy_time, '\0');
  std::memcpy(body.data(), &policy_time, sizeof policy_time);
  body += to_bytes(result);
  const std::uint64_t sum = checksum(body);
  std::string bytes(sizeof sum, '\0');
  std::memcpy(bytes.data(), &sum, sizeof sum);
  return bytes + body;
}

std::optional<Sent> unseal(const std::string& bytes) {
  std::uint64_t sum = 0;
  PolicyTime policy_time;
  if (bytes.size() < sizeof sum + sizeof policy_time) return std::nullopt;
  std::memcpy(&sum, bytes.data(), sizeof sum);
  const std::string body = bytes.substr(sizeof sum);
  if (checksum(body) != sum) return std::nullopt;
  std::memcpy(&policy_time, body.data(), sizeof policy_time);
  return Sent{from_bytes(body.substr(sizeof policy_time)), policy_time};
}

}  // namespace specroute::sim
