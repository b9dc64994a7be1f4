#include "sim/cli/validate_models_command.hpp"

#include <filesystem>

#include "sim/report/result_directory.hpp"
#include "sim/report/validation_json.hpp"
#include "sim/report/validation_text.hpp"
#include "sim/validation/data_directory.hpp"
#include "sim/validation/validate_models.hpp"

namespace specroute::sim {
namespace {

/// In the order in which they were found: lines of a file stay in theirs.
ExitCode refuse_in_order(const Diagnostics& faults, std::ostream& err) {
  for (const Diagnostic& fault : faults) err << to_string(fault) << '\n';
  return ExitCode::bad_usage;
}

Diagnostics check_destinations(const ValidateModelsArguments& arguments) {
  Diagnostics faults;
  for (const std::string* path : {&arguments.markdown, &arguments.json}) {
    if (path->empty() || *path == "-") continue;
    for (Diagnostic& fault : check_file_destination(*path)) faults.push_back(std::move(fault));
  }
  if (arguments.markdown == "-" && arguments.json == "-")
    faults.push_back({.file = "standard output",
                      .place = {},
                      .expected = "one of --markdown and --json",
                      .found = "both",
                      .nearest = {}});
  return faults;
}

/// File names in data diagnostics are relative to the directory.
Diagnostics in_directory(const std::string& directory, Diagnostics faults) {
  for (Diagnostic& fault : faults)
    fault.file = (std::filesystem::path(directory) / fault.file).string();
  return faults;
}

/// Prints or writes one document. Diagnostics where it did not reach the disk.
Diagnostics deliver(const std::string& path, const std::string& text, std::ostream& out) {
  if (path.empty()) return {};
  if (path != "-") return write_whole_file(path, text);
  out << text;
  return {};
}

}  // namespace

ExitCode validate_models_command(const ValidateModelsArguments& arguments, std::ostream& out,
                                 std::ostream& err) {
  if (const auto faults = check_destinations(arguments); !faults.empty())
    return refuse_in_order(faults, err);
  validation::DataDirectory data;
  if (!arguments.data.empty()) {
    auto read = validation::DataDirectory::read(arguments.data);
    if (!read) return refuse_in_order(read.diagnostics(), err);
    data = std::move(read).value();
  }
  const auto result = validation::validate_models(data);
  if (!result) return refuse_in_order(in_directory(arguments.data, result.diagnostics()), err);
  const std::string markdown = validation_markdown(result.value(), data);
  const std::string json = validation_json(result.value(), data);
  if (const auto faults = deliver(arguments.markdown, markdown, out); !faults.empty())
    return refuse_in_order(faults, err);
  if (const auto faults = deliver(arguments.json, json, out); !faults.empty())
    return refuse_in_order(faults, err);
  const bool printed = arguments.markdown == "-" || arguments.json == "-";
  if (!printed && !arguments.quiet) out << validation_terminal(result.value());
  out.flush();
  if (!out)
    return refuse_in_order({{.file = "standard output",
                             .place = {},
                             .expected = "room for the results",
                             .found = "an error",
                             .nearest = {}}},
                           err);
  const std::size_t missed = validation::missed_bounds(result.value());
  if (missed == 0) return ExitCode::ran;
  err << missed << (missed == 1 ? " bound is" : " bounds are") << " missed\n";
  return ExitCode::expectation_failed;
}

}  // namespace specroute::sim
