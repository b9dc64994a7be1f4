#include "sim/cli/catalogue_commands.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <specroute/policy_abi.h>

#include "models/devices/device.hpp"
#include "sim/experiment/load_scenario.hpp"
#include "sim/json/diagnostics_text.hpp"
#include "sim/report/build_info.hpp"
#include "sim/report/gate_names.hpp"
#include "sim/report/table.hpp"

namespace specroute::sim {
namespace {

/// The scenario files of a directory, by name.
Result<std::vector<std::string>> scenario_files(const std::string& directory) {
  std::error_code failed;
  std::vector<std::string> files;
  for (std::filesystem::directory_iterator entry(directory, failed), end; !failed && entry != end;
       entry.increment(failed))
    if (entry->path().extension() == ".json") files.push_back(entry->path().string());
  if (failed)
    return Diagnostic{.file = directory,
                      .place = {},
                      .expected = "a directory of scenarios",
                      .found = failed.message(),
                      .nearest = {}};
  std::ranges::sort(files);
  return files;
}

}  // namespace

ExitCode validate_command(const std::vector<std::string>& scenarios, std::ostream& out,
                          std::ostream& err) {
  const srp_module& module = *srp_module_get(SRP_ABI_V1);
  ExitCode code = ExitCode::ran;
  for (const std::string& path : scenarios) {
    if (const auto scenario = load_scenario(path, module)) {
      out << path << ": valid\n";
    } else {
      err << format_diagnostics(scenario.diagnostics());
      code = ExitCode::bad_usage;
    }
  }
  return code;
}

ExitCode list_command(const std::string& directory, std::ostream& out, std::ostream& err) {
  const auto files = scenario_files(directory);
  if (!files) {
    err << format_diagnostics(files.diagnostics());
    return ExitCode::bad_usage;
  }
  const srp_module& module = *srp_module_get(SRP_ABI_V1);
  ExitCode code = ExitCode::ran;
  for (const std::string& file : files.value()) {
    if (const auto scenario = load_scenario(file, module)) {
      out << scenario.value().name << ": " << scenario.value().title << "\n  "
          << scenario.value().question << '\n';
      if (!scenario.value().reading.empty()) out << "  " << scenario.value().reading << '\n';
    } else {
      err << format_diagnostics(scenario.diagnostics());
      code = ExitCode::bad_usage;
    }
  }
  return code;
}

ExitCode gates_command(std::ostream& out) {
  for (const std::string& name : gate_names(*srp_module_get(SRP_ABI_V1))) out << name << '\n';
  return ExitCode::ran;
}

ExitCode devices_command(std::ostream& out) {
  std::vector<std::vector<std::string>> lines = {
      {"device", "bf16 TFLOP/s", "fp8 TFLOP/s", "memory GB", "memory GB/s", "link GB/s", "USD/h"}};
  for (const models::Device& device : models::devices()) {
    const auto fp8 =
        device.has_fp8() ? std::optional(device.fp8_dense.value() / 1e12) : std::nullopt;
    lines.push_back({std::string(device.name), fixed_text(device.bf16_dense.value() / 1e12, 1),
                     fixed_text(fp8, 1), fixed_text(device.memory.value() / 1e9, 0),
                     fixed_text(device.memory_bandwidth.value() / 1e9, 0),
                     fixed_text(device.link.value() / 1e9, 0), fixed_text(device.usd_per_hour, 2)});
  }
  out << aligned(lines);
  return ExitCode::ran;
}

std::string version_text() {
  const BuildInfo& build = build_info();
  const auto text = [](std::string_view part) { return std::string(part); };
  return "specroute " + text(build.version) + " (commit " + text(build.commit) +
         (build.dirty ? "+changes" : "") + ", SimGrid " + text(build.simgrid) + ", " +
         text(build.compiler) + ')';
}

}  // namespace specroute::sim
