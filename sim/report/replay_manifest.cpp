#include "sim/report/replay_manifest.hpp"

#include <nlohmann/json.hpp>

#include "sim/digest/sha256.hpp"
#include "sim/report/build_info.hpp"
#include "sim/report/json_layout.hpp"

namespace specroute::sim {
namespace {

using ManifestJson = nlohmann::ordered_json;

ManifestJson hashes_of(const std::vector<ResultFile>& files) {
  ManifestJson hashes = ManifestJson::object();
  for (const ResultFile& file : files) hashes[file.name] = sha256_hex(file.text);
  return hashes;
}

}  // namespace

std::string replay_manifest_json(const Replay& replay, const std::vector<ResultFile>& inputs,
                                 const std::vector<ResultFile>& results) {
  const BuildInfo& build = build_info();
  ManifestJson json;
  json["schema"] = "specroute-manifest/1";
  json["specroute"] = {
      {"version", build.version}, {"commit", build.commit}, {"dirty", build.dirty}};
  json["compiler"] = build.compiler;
  json["inputs_sha256"] = hashes_of(inputs);
  json["gates"] = ManifestJson::object();
  for (const ReplayGate& gate : replay.gates)
    json["gates"][gate.label] = {
        {"module", std::string(gate.module->name.ptr, gate.module->name.len)},
        {"module_version", std::string(gate.module->version.ptr, gate.module->version.len)},
        {"configuration_sha256", sha256_hex(gate.config_json)}};
  json["files_sha256"] = hashes_of(results);
  return laid_out(json.dump(-1, ' ', false, ManifestJson::error_handler_t::replace)) + '\n';
}

}  // namespace specroute::sim
