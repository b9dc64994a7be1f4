#include "sim/report/manifest.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "sim/digest/sha256.hpp"
#include "sim/report/build_info.hpp"
#include "sim/report/json_layout.hpp"

namespace specroute::sim {
namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const srp_str& text) {
  return {text.ptr, text.len};
}

Json plugin_json(const Plugin& plugin) {
  Json json = {{"policy", plugin.identity.source},
               {"sha256", plugin.identity.sha256},
               {"module", plugin.identity.name},
               {"module_version", plugin.identity.version},
               {"configuration", plugin.config_json},
               {"configuration_sha256", sha256_hex(plugin.config_json)}};
  for (const auto& [name, sha256] : plugin.identity.files) json["files_sha256"][name] = sha256;
  return json;
}

Json gates_json(const Report& report, const srp_module& module) {
  Json gates = Json::object();
  for (const GateRuns& gate : report.campaign.gates) {
    if (gate.plugin) {
      gates[gate.label] = plugin_json(*gate.plugin);
      continue;
    }
    gates[gate.label] = {{"module", text_of(module.name)},
                         {"module_version", text_of(module.version)},
                         {"configuration_sha256", sha256_hex(gate.config_json)}};
  }
  return gates;
}

/// The trace files, by class.
Json traces_json(const Scenario& scenario) {
  Json traces = Json::object();
  for (const RequestClass& c : scenario.classes) {
    if (!c.arrivals.trace) continue;
    const Trace& rows = *c.arrivals.trace->rows;
    traces[c.name] = {{"file", std::filesystem::path(c.arrivals.trace->file).filename().string()},
                      {"sha256", rows.sha256},
                      {"rows", rows.counts.rows},
                      {"kept", rows.counts.kept},
                      {"zero_token_rows", rows.counts.zero_tokens}};
  }
  return traces;
}

}  // namespace

std::string manifest_json(const Report& report, const srp_module& module,
                          const std::vector<std::string>& command,
                          const std::vector<ResultFile>& files) {
  const BuildInfo& build = build_info();
  Json json;
  json["schema"] = "specroute-manifest/1";
  json["specroute"] = {
      {"version", build.version}, {"commit", build.commit}, {"dirty", build.dirty}};
  json["compiler"] = build.compiler;
  json["simgrid"] = build.simgrid;
  json["scenario"] = {{"name", report.scenario.name},
                      {"sha256", sha256_hex(report.scenario.resolved_json)}};
  if (Json traces = traces_json(report.scenario); !traces.empty())
    json["traces"] = std::move(traces);
  json["seeds"] = report.campaign.seeds;
  json["gates"] = gates_json(report, module);
  json["command"] = command;
  Json hashes = Json::object();
  for (const ResultFile& file : files) hashes[file.name] = sha256_hex(file.text);
  json["files_sha256"] = std::move(hashes);
  return laid_out(json.dump(-1, ' ', false, Json::error_handler_t::replace)) + '\n';
}

}  // namespace specroute::sim
