#include "sim/cli/replay_command.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <utility>

#include "sim/cli/replay_gates.hpp"
#include "sim/json/diagnostics_text.hpp"
#include "sim/json/json_places.hpp"
#include "sim/replay/replay.hpp"
#include "sim/report/replay_json.hpp"
#include "sim/report/replay_manifest.hpp"
#include "sim/report/replay_text.hpp"
#include "sim/report/result_directory.hpp"
#include "sim/telemetry/read_telemetry.hpp"

namespace specroute::sim {
namespace {

void append_faults(Diagnostics& all, const Diagnostics& more) {
  all.insert(all.end(), more.begin(), more.end());
}

/// The whole file, or a fault.
std::string whole_file(const std::string& path, Diagnostics& faults) {
  std::error_code error;
  std::ifstream stream(path, std::ios::binary);
  if (std::filesystem::is_regular_file(path, error) && stream)
    return {std::istreambuf_iterator<char>(stream), {}};
  faults.push_back(
      {.file = path,
       .place = {},
       .expected = "a file that can be read",
       .found = std::filesystem::exists(path, error) ? "none that can" : "no such file",
       .nearest = {}});
  return {};
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
  const bool from_file = !arguments.gates_file.empty();
  const std::string gates_text = from_file ? whole_file(arguments.gates_file, faults) : "";
  auto gates =
      replay_gates(*srp_module_get(SRP_ABI_V1), arguments.gates, gates_text, arguments.gates_file);
  if (gates)
    inputs.gates = std::move(gates).value();
  else
    append_faults(faults, gates.diagnostics());
  read_files(arguments, inputs, faults);
  if (!arguments.out.empty())
    append_faults(faults, check_destination(arguments.out, arguments.force ? Existing::replace
                                                                           : Existing::refuse));
  if (!arguments.json.empty() && arguments.json != "-")
    append_faults(faults, check_file_destination(arguments.json));
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

Diagnostics hand_out(const ReplayArguments& arguments, const std::vector<ResultFile>& files,
                     const Replay& replay, std::ostream& out) {
  const Existing existing = arguments.force ? Existing::replace : Existing::refuse;
  if (!arguments.out.empty())
    if (auto faults = write_result(arguments.out, files, existing); !faults.empty()) return faults;
  if (arguments.json == "-")
    out << files.front().text;
  else if (!arguments.json.empty())
    if (auto faults = write_whole_file(arguments.json, files.front().text); !faults.empty())
      return faults;
  if (arguments.json != "-" && !arguments.quiet) {
    out << replay_report(replay);
    if (!arguments.out.empty()) out << "\nresults are in " << arguments.out << '\n';
  }
  out.flush();
  if (out) return {};
  return {{.file = "standard output",
           .place = {},
           .expected = "room for the results",
           .found = "an error",
           .nearest = {}}};
}

}  // namespace

ExitCode replay_command(const ReplayArguments& arguments, std::ostream& out, std::ostream& err) {
  const auto refuse_with = [&err](const Diagnostics& faults) {
    err << format_diagnostics(faults);
    return ExitCode::bad_usage;
  };
  Inputs inputs;
  if (const auto faults = read_inputs(arguments, inputs); !faults.empty())
    return refuse_with(faults);
  ReplayInput input;
  input.title = inputs.mapping ? inputs.mapping->title : "";
  input.files = inputs.files;
  input.format = format_named(arguments.format);
  input.mapping = inputs.mapping ? &*inputs.mapping : nullptr;
  input.gates = inputs.gates;
  const auto done = replay(std::move(input));
  if (!done)
    return refuse_with(in_mapping(done.diagnostics(), arguments.mapping, inputs.mapping_text));
  const Replay& result = done.value();
  if (arguments.strict && result.bad_lines() != 0) {
    err << replay_reading(result) << "nothing was written: " << result.bad_lines()
        << " bad lines, and --strict\n";
    return ExitCode::bad_usage;
  }
  const auto files = replay_files(result, arguments, inputs);
  if (const auto faults = hand_out(arguments, files, result, out); !faults.empty())
    return refuse_with(faults);
  return ExitCode::ran;
}

}  // namespace specroute::sim
