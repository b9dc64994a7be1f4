#include "sim/report/result_files.hpp"

#include <nlohmann/json.hpp>

#include "sim/report/comma_separated.hpp"
#include "sim/report/decisions_jsonl.hpp"
#include "sim/report/faults_csv.hpp"
#include "sim/report/manifest.hpp"
#include "sim/world/time_series.hpp"

namespace specroute::sim {
namespace {

constexpr const char* kRequestsHeader =
    "gate,request,class,arrival_s,end_state,end_s,first_token_s,prompt_tokens,output_tokens,"
    "retries,loop_pairing,schema_pairing,corruption_pairing,tenant,session,first_cause,target,"
    "draft,"
    "override,decision\n";

std::string timeseries(const Campaign& campaign) {
  std::string text = std::string("gate,") + kTimeSeriesHeader;
  for (const GateRuns& gate : campaign.gates)
    text += prefix_rows(gate.label, gate.first.timeseries_csv);
  return text;
}

std::string decisions(const Campaign& campaign) {
  std::string text;
  for (const GateRuns& gate : campaign.gates)
    for (std::size_t i = 0; i < gate.first.decisions.size(); ++i)
      text += decision_line({gate.label, campaign.seeds.front(), i}, gate.first.decisions[i]);
  return text;
}

std::string requests(const Campaign& campaign) {
  std::string rows;
  for (const GateRuns& gate : campaign.gates)
    rows += prefix_rows(gate.label, gate.first.requests_csv);
  return rows.empty() ? rows : kRequestsHeader + rows;
}

std::string resolved(const Scenario& scenario) {
  return scenario.resolved_json.ends_with('\n') ? scenario.resolved_json
                                                : scenario.resolved_json + '\n';
}

std::string timing_json(const Campaign& campaign, const Making& making) {
  nlohmann::ordered_json json;
  json["wall_s"] = making.wall.count();
  json["jobs"] = making.jobs;
  json["seeds"] = campaign.seeds.size();
  json["gates"] = campaign.gates.size();
  for (const GateRuns& gate : campaign.gates)
    json["policies"][gate.label] = {{"events", gate.policy_time.events},
                                    {"wall_s", gate.policy_time.wall_s}};
  return json.dump(2) + '\n';
}

}  // namespace

std::vector<ResultFile> result_files(const Report& report, const srp_module& module,
                                     const Making& making) {
  const Campaign& campaign = report.campaign;
  std::vector<ResultFile> files = {{"summary.json", summary_json(report)},
                                   {"timeseries.csv", timeseries(campaign)},
                                   {"decisions.jsonl", decisions(campaign)},
                                   {"scenario.json", resolved(report.scenario)}};
  if (std::string rows = requests(campaign); !rows.empty())
    files.push_back({"requests.csv", std::move(rows)});
  if (std::string plan = faults_csv(report.scenario, campaign.seeds); !plan.empty())
    files.push_back({"faults.csv", std::move(plan)});
  files.push_back({"manifest.json", manifest_json(report, module, making.command, files)});
  files.push_back({"timing.json", timing_json(campaign, making)});
  return files;
}

}  // namespace specroute::sim
