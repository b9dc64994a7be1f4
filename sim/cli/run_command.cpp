#include "sim/cli/run_command.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

#include <specroute/policy_abi.h>

#include "sim/cli/destinations.hpp"
#include "sim/cli/progress.hpp"
#include "sim/cli/refusal.hpp"
#include "sim/experiment/line_up.hpp"
#include "sim/experiment/load_scenario.hpp"
#include "sim/json/diagnostics_text.hpp"
#include "sim/report/failures.hpp"
#include "sim/report/result_files.hpp"
#include "sim/report/table.hpp"

namespace specroute::sim {
namespace {

using Clock = std::chrono::steady_clock;

Destinations destinations(const RunArguments& arguments) {
  return {arguments.out, arguments.json, arguments.force, arguments.quiet};
}

CampaignOptions campaign_options(const RunArguments& arguments) {
  CampaignOptions options;
  options.seeds = arguments.seeds;
  options.jobs = arguments.jobs;
  options.mode = arguments.lockstep ? LaneMode::lockstep : LaneMode::lookahead;
  options.keep_requests = arguments.requests;
  if (arguments.timeout_s > 0.0) options.timeout = Seconds{arguments.timeout_s};
  options.policy_timeout = Seconds{arguments.policy_timeout_s};
  return options;
}

/// The command that makes the same results anywhere: no paths, nothing that cannot change them.
std::vector<std::string> command_of(const RunArguments& arguments,
                                    const std::vector<Plugin>& plugins) {
  std::vector<std::string> command = {
      "specroute", "run", std::filesystem::path(arguments.scenario).filename().string()};
  for (const std::string& gate : arguments.gates) command.insert(command.end(), {"--gate", gate});
  for (const Plugin& plugin : plugins) {
    std::string policy = plugin.label + '=' + plugin.identity.source;
    if (plugin.has_config) policy += ':' + plugin.config_json;
    command.insert(command.end(), {"--policy", std::move(policy)});
  }
  if (!arguments.trace.empty())
    command.push_back("--trace=" + std::filesystem::path(arguments.trace).filename().string());
  command.push_back(arguments.seeds_option);
  if (arguments.lockstep) command.emplace_back("--lockstep");
  if (arguments.requests) command.emplace_back("--requests");
  return command;
}

ExitCode failure_code(const Campaign& campaign) {
  const bool misbehaving = std::ranges::any_of(campaign.failures, [](const JobFailure& failure) {
    return failure.kind == JobFailure::Kind::misbehaving;
  });
  return misbehaving ? ExitCode::misbehaving : ExitCode::incomplete;
}

ExitCode report_failures(const RunArguments& arguments, const Campaign& campaign,
                         std::ostream& err) {
  err << format_diagnostics(failure_diagnostics(arguments.scenario, campaign))
      << "nothing was written: " << campaign.failures.size() << " of the "
      << (only_plugins_failed(campaign) ? "policies" : "replications") << " gave no result\n";
  return failure_code(campaign);
}

std::string report_text(const RunArguments& arguments, const Report& report) {
  std::string text = terminal_report(report);
  if (!arguments.policies.empty()) text += '\n' + policy_times(report.campaign);
  return text;
}

/// Where a command writes.
struct Streams {
  std::ostream& out;
  std::ostream& err;
};

/// The results of the gates that have them. Where plug-ins failed, that is said after all else.
ExitCode conclude(const RunArguments& arguments, const Scenario& scenario, const Campaign& campaign,
                  const Making& making, Streams streams) {
  const auto summaries = summarise(campaign);
  const auto outcomes = judge_expectations(scenario.expect, summaries);
  const Report report{scenario, campaign, summaries, outcomes};
  const auto files = result_files(report, *srp_module_get(SRP_ABI_V1), making);
  const auto text = report_text(arguments, report);
  if (const auto faults = hand_out(destinations(arguments), files, text, streams.out);
      !faults.empty())
    return refuse(faults, streams.err);
  const auto failed = std::ranges::count(outcomes, Verdict::fail, &ExpectationOutcome::verdict);
  if (failed > 0)
    streams.err << arguments.scenario << ": " << failed << " of " << outcomes.size()
                << " expectations failed\n";
  if (!campaign.failures.empty()) {
    streams.err << format_diagnostics(failure_diagnostics(arguments.scenario, campaign))
                << "without a result: " << campaign.failures.size()
                << " of the policies from outside; those of the other gates are kept\n";
    return failure_code(campaign);
  }
  return failed == 0 ? ExitCode::ran : ExitCode::expectation_failed;
}

/// Runs who can be run; plug-ins that failed at their start are among the failures.
Result<Campaign> campaign_of(const RunArguments& arguments, const Scenario& scenario,
                             const LineUp& line_up) {
  CampaignOptions options = campaign_options(arguments);
  options.plugins = line_up.plugins;
  const auto progress = arguments.quiet ? nullptr : Progress::on_terminal();
  if (progress != nullptr)
    options.progress = [&progress](std::uint64_t ended, std::uint64_t planned) {
      progress->show(ended, planned);
    };
  auto campaign = run_campaign(scenario, *srp_module_get(SRP_ABI_V1), line_up.gates, options);
  if (progress != nullptr) progress->clear();
  if (!campaign) return campaign;
  Campaign whole = std::move(campaign).value();
  whole.failures.insert(whole.failures.begin(), line_up.failures.begin(), line_up.failures.end());
  return whole;
}

}  // namespace

ExitCode run_command(const RunArguments& arguments, std::ostream& out, std::ostream& err) {
  const auto start = Clock::now();
  const auto scenario =
      load_scenario(arguments.scenario, *srp_module_get(SRP_ABI_V1), arguments.trace);
  if (!scenario) return refuse(scenario.diagnostics(), err);
  const auto who =
      line_up(scenario.value(), {.gates = arguments.gates,
                                 .policies = arguments.policies,
                                 .policy_timeout = Seconds{arguments.policy_timeout_s}});
  if (!who) return refuse(who.diagnostics(), err);
  if (const auto faults = check_destinations(destinations(arguments)); !faults.empty())
    return refuse(faults, err);

  const auto campaign = campaign_of(arguments, scenario.value(), who.value());
  if (!campaign) return refuse(in_file(arguments.scenario, campaign.diagnostics()), err);
  if (campaign.value().gates.empty() || !only_plugins_failed(campaign.value()))
    return report_failures(arguments, campaign.value(), err);
  const Making making{command_of(arguments, who.value().asked), arguments.jobs,
                      Clock::now() - start};
  return conclude(arguments, scenario.value(), campaign.value(), making, {out, err});
}

}  // namespace specroute::sim
