#include "sim/experiment/campaign.hpp"

#include <atomic>
#include <cstring>
#include <memory>
#include <new>

#include <sys/mman.h>

#include <specroute/vocab/check.hpp>

#include "sim/engine/platform.hpp"
#include "sim/experiment/published_metrics.hpp"
#include "sim/world/prepared.hpp"
#include "sim/world/world.hpp"

namespace specroute::sim {
namespace {

/// A counter that the forked replications share.
class SharedCounter {
 public:
  SharedCounter() {
    void* page =
        mmap(nullptr, sizeof(Counter), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page != MAP_FAILED) counter_ = new (page) Counter(0);
  }
  ~SharedCounter() {
    if (counter_ != nullptr) munmap(counter_, sizeof(Counter));
  }
  SharedCounter(const SharedCounter&) = delete;
  SharedCounter& operator=(const SharedCounter&) = delete;

  /// 0 where there is no memory to share.
  std::uint64_t increment() { return counter_ == nullptr ? 0 : counter_->fetch_add(1) + 1; }

 private:
  using Counter = std::atomic<std::uint64_t>;
  static_assert(Counter::is_always_lock_free, "processes share it");
  Counter* counter_ = nullptr;
};

/// All that a replication needs; made before the fork, read after it.
struct Setting {
  const std::vector<Gate>& gates;
  const CampaignOptions& options;
  const std::vector<Job>& jobs;
  const Prepared& as_given;
  const Prepared& healthy;
  SharedCounter& ended;
};

std::string replicate(const Setting& setting, Platform& platform, std::uint64_t index) {
  const Job& job = setting.jobs[index];
  const bool is_shown = job.seed == 0 && !job.healthy;
  RunResult result = run_replication(job.healthy ? setting.healthy : setting.as_given, platform,
                                     setting.gates[job.gate],
                                     {.seed = setting.options.seeds[job.seed],
                                      .mode = setting.options.mode,
                                      .keep_requests = setting.options.keep_requests && is_shown});
  if (!is_shown) {  // memory stays flat in the number of seeds
    result.decisions.clear();
    result.timeseries_csv.clear();
  }
  const std::uint64_t ended = setting.ended.increment();
  if (setting.options.progress) setting.options.progress(ended, setting.jobs.size());
  return seal(result);
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
std::optional<JobFailure> open_result(const JobResult& result, RunResult& opened) {
  if (result.end != JobEnd::finished) return failure_of(result);
  auto run = unseal(result.output);
  if (!run)
    return JobFailure{.kind = JobFailure::Kind::misbehaving,
                      .gate = {},
                      .seed = 0,
                      .healthy = false,
                      .diagnosis = "what it sent is not a result"};
  if (!run->failure.empty())
    return JobFailure{.kind = JobFailure::Kind::stuck,
                      .gate = {},
                      .seed = 0,
                      .healthy = false,
                      .diagnosis = run->failure};
  opened = *std::move(run);
  return std::nullopt;
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
  SharedCounter ended;
  const Setting setting{gates, options, jobs, as_given, healthy, ended};
  // What was prepared here is the zygote's by copy on write; only the engine has to wait for it.
  const auto start_engine = [&]() -> Replication {
    const auto platform = std::make_shared<Platform>(platform_plan(scenario));
    return
        [&setting, platform](std::uint64_t index) { return replicate(setting, *platform, index); };
  };
  const auto results = run_forked(
      start_engine, {.count = jobs.size(), .jobs = options.jobs, .timeout = options.timeout});
  return gather(gates, options.seeds, jobs, results);
}

Campaign gather(const std::vector<Gate>& gates, const std::vector<std::uint64_t>& seeds,
                const std::vector<Job>& jobs, const std::vector<JobResult>& results) {
  check(jobs.size() == results.size(), "every job has a result");
  Campaign campaign{.seeds = seeds, .gates = {}, .failures = {}};
  for (const Gate& gate : gates)
    campaign.gates.push_back({gate.label, gate.config_json, {}, {}, {}});
  Metrics unpaired;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const Job& job = jobs[i];
    RunResult run;
    if (auto failure = open_result(results[i], run)) {
      failure->gate = gates[job.gate].label;
      failure->seed = seeds[job.seed];
      failure->healthy = job.healthy;
      campaign.failures.push_back(*std::move(failure));
    } else if (campaign.failures.empty()) {
      const bool paired = i + 1 < jobs.size() && jobs[i + 1].healthy;
      place(campaign.gates[job.gate], job, std::move(run), unpaired, paired);
    }
  }
  return campaign;
}

std::string seal(const RunResult& result) {
  const std::string body = to_bytes(result);
  const std::uint64_t sum = checksum(body);
  std::string bytes(sizeof sum, '\0');
  std::memcpy(bytes.data(), &sum, sizeof sum);
  return bytes + body;
}

std::optional<RunResult> unseal(const std::string& bytes) {
  std::uint64_t sum = 0;
  if (bytes.size() < sizeof sum) return std::nullopt;
  std::memcpy(&sum, bytes.data(), sizeof sum);
  const std::string body = bytes.substr(sizeof sum);
  if (checksum(body) != sum) return std::nullopt;
  return from_bytes(body);
}

}  // namespace specroute::sim
