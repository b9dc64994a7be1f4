#include "sim/cli/replay_command.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "sim/cli/destinations.hpp"
#include "sim/cli/refusal.hpp"
#include "sim/cli/replay_gates.hpp"
#include "sim/json/json_places.hpp"
#include "sim/json/text_file.hpp"
#include "sim/replay/replay.hpp"
#include "sim/report/replay_json.hpp"
#include "sim/report/replay_manifest.hpp"
#include "sim/report/replay_text.hpp"
#include "sim/telemetry/read_telemetry.hpp"

namespace specroute::sim {
namespace {

void append_faults(Diagnostics& all, const Diagnostics& more) {
  all.insert(all.end(), more.begin(), more.end());
}

/// The whole file, or a fault.
std::string whole_file(const std::string& path, Diagnostics& faults) {
  auto text = text_of_file(path);
  if (text) return std::move(text).value();
  append_faults(faults, text.diagnostics());
  return {};
}

Destinations destinations(const ReplayArguments& arguments) {
  return {arguments.out, arguments.json, arguments.force, arguments.quiet};
}

std::string name_of(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

/// All that the command reads.
struct Inputs {
  std::optional<Mapping> mapping;
  std::string mapping_text;
  std::vector<EventFile> files;
  std::vector<ReplayGate> gates;
};

void read_files(const ReplayArguments& arguments, Inputs& inputs, Diagnostics& faults) {
  for (const std::string& path : arguments.files) {
    const std::string name = name_of(path);
    if (std::ranges::find(inputs.files, name, &EventFile::name) != inputs.files.end())
      faults.push_back({.file = path,
                        .place = {},
                        .expected = "files whose names differ without their folders",
                        .found = '"' + name + "\" twice",
                        .nearest = {}});
    inputs.files.push_back({name, whole_file(path, faults)});
  }
}

Diagnostics read_inputs(const ReplayArguments& arguments, Inputs& inputs) {
  Diagnostics faults;
  if (!arguments.mapping.empty()) {
    inputs.mapping_text = whole_file(arguments.mapping, faults);
    if (faults.empty()) {
      auto mapping = parse_mapping(inputs.mapping_text, arguments.mapping);
      if (mapping)
        inputs.mapping = std::move(mapping).value();
      else
        append_faults(faults, mapping.diagnostics());
    }
  }
  std::string gates_file = arguments.gates_file;
  std::string gates_text;
  if (!gates_file.empty()) {
    const std::size_t before = faults.size();
    gates_text = whole_file(gates_file, faults);
    if (faults.size() != before) gates_file.clear();
  }
  auto gates = replay_gates(*srp_module_get(SRP_ABI_V1), arguments.gates, gates_text, gates_file);
  if (gates)
    inputs.gates = std::move(gates).value();
  else
    append_faults(faults, gates.diagnostics());
  read_files(arguments, inputs, faults);
  append_faults(faults, check_destinations(destinations(arguments)));
  return faults;
}

/// Faults of the mapping that only the data show stand in the mapping's file.
Diagnostics in_mapping(Diagnostics faults, const std::string& mapping, const std::string& text) {
  if (!mapping.empty()) mark_places(faults, mapping, text);
  return faults;
}

std::vector<ResultFile> replay_files(const Replay& replay, const ReplayArguments& arguments,
                                     const Inputs& inputs) {
  std::vector<ResultFile> read;
  if (!arguments.mapping.empty()) read.push_back({name_of(arguments.mapping), inputs.mapping_text});
  for (const EventFile& file : inputs.files) read.push_back({file.name, file.text});
  std::vector<ResultFile> files = {{"summary.json", replay_summary_json(replay)},
                                   {"decisions.jsonl", replay_decisions_jsonl(replay)},
                                   {"report.txt", replay_report(replay)}};
  files.push_back({"manifest.json", replay_manifest_json(replay, read, files)});
  return files;
}

}  // namespace

ExitCode replay_command(const ReplayArguments& arguments, std::ostream& out, std::ostream& err) {
  Inputs inputs;
  if (const auto faults = read_inputs(arguments, inputs); !faults.empty())
    return refuse(faults, err);
  ReplayInput input;
  input.title = inputs.mapping ? inputs.mapping->title : "";
  input.files = inputs.files;
  input.format = format_named(arguments.format);
  input.mapping = inputs.mapping ? &*inputs.mapping : nullptr;
  input.gates = inputs.gates;
  const auto done = replay(std::move(input));
  if (!done)
    return refuse(in_mapping(done.diagnostics(), arguments.mapping, inputs.mapping_text), err);
  const Replay& result = done.value();
  if (arguments.strict && result.bad_lines() != 0) {
    err << replay_reading(result) << "nothing was written: " << result.bad_lines()
        << " bad lines, and --strict\n";
    return ExitCode::bad_usage;
  }
  const auto files = replay_files(result, arguments, inputs);
  const auto where = destinations(arguments);
  if (const auto faults = hand_out(where, files, replay_report(result), out); !faults.empty())
    return refuse(faults, err);
  return ExitCode::ran;
}

}  // namespace specroute::sim
