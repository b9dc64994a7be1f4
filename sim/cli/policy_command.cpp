#include "sim/cli/policy_command.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include <CLI/CLI.hpp>

#include "sim/policy_test/config_check.hpp"
#include "sim/policy_test/report.hpp"
#include "sim/policy_test/suite.hpp"
#include "sim/report/result_directory.hpp"

namespace specroute::sim {
namespace {

std::string no_path_fault(const std::string& text) {
  return text.empty() ? "expected a path, found none" : "";
}

void add_validate(CLI::App& policy, PolicyValidateArguments& into) {
  CLI::App* command =
      policy.add_subcommand("validate", "Check configurations of gates without running them");
  command->add_option("CONFIG", into.configs,
                      "Files with a configuration each; - for standard input");
  command->add_flag("--print-schema", into.print_schema, "Print the schema of configurations");
  command->add_flag("--list", into.list, "List the gates, a line each");
  command->add_flag("--quiet", into.quiet, "Say nothing of what is valid");
}

void add_test(CLI::App& policy, PolicyTestArguments& into) {
  CLI::App* command = policy.add_subcommand(
      "test", "Run unit tests of gates, written as data; exit with 1 if one fails");
  command
      ->add_option("FILES", into.paths,
                   "Files of tests; of a folder, all *.json in it; - for standard input")
      ->required();
  command->add_option("--filter", into.filter, "Only tests with TEXT in their name")
      ->type_name("TEXT");
  command->add_option("--json", into.json, "Write the results to FILE; - for standard output")
      ->expected(0, 1)
      ->default_str("-")
      ->type_name("FILE");
  command->add_option("--junit", into.junit, "Write JUnit XML to FILE; - for standard output")
      ->check(CLI::Validator(no_path_fault, ""))
      ->type_name("FILE");
  command->add_flag("--quiet", into.quiet, "Failures alone");
}

/// The files of tests that `path` stands for.
Result<std::vector<std::string>> test_files(const std::string& path) {
  std::error_code failed;
  if (!std::filesystem::is_directory(path, failed)) return std::vector<std::string>{path};
  std::vector<std::string> files;
  for (std::filesystem::directory_iterator entry(path, failed), end; !failed && entry != end;
       entry.increment(failed))
    if (entry->path().extension() == ".json") files.push_back(entry->path().string());
  std::ranges::sort(files);
  if (!failed && !files.empty()) return files;
  return Diagnostic{.file = path,
                    .place = {},
                    .expected = "a folder of policy tests",
                    .found = failed ? failed.message() : "no *.json in it",
                    .nearest = {}};
}

Result<std::vector<PolicySuite>> read_suites(const std::vector<std::string>& paths,
                                             const srp_module& module) {
  std::vector<PolicySuite> suites;
  Diagnostics faults;
  const auto add = [&faults](const Diagnostics& more) {
    faults.insert(faults.end(), more.begin(), more.end());
  };
  for (const std::string& path : paths) {
    const auto files = test_files(path);
    if (!files) {
      add(files.diagnostics());
      continue;
    }
    for (const std::string& file : files.value()) {
      auto suite = read_suite(file, module);
      if (suite)
        suites.push_back(std::move(suite).value());
      else
        add(suite.diagnostics());
    }
  }
  if (!faults.empty()) return faults;
  return suites;
}

SuiteOutcome outcome_of(const PolicySuite& suite, const std::string& filter,
                        const srp_module& module) {
  SuiteOutcome outcome{.file = suite.file, .text = suite.text, .tests = {}};
  for (const PolicyTest& test : suite.tests)
    if (test.name.find(filter) != std::string::npos)
      outcome.tests.push_back(run_test(test, module));
  return outcome;
}

/// Where results are to go that can be no file, before any test runs.
Diagnostics destination_faults(const PolicyTestArguments& arguments) {
  Diagnostics faults;
  for (const std::string& path : {arguments.json, arguments.junit}) {
    if (path.empty() || path == "-") continue;
    const Diagnostics more = check_file_destination(path);
    faults.insert(faults.end(), more.begin(), more.end());
  }
  return faults;
}

/// Puts `text` where `path` says.
Diagnostics write_to(const std::string& path, const std::string& text, std::ostream& out) {
  if (path != "-") return write_whole_file(path, text);
  out << text;
  return {};
}

/// In the order in which files were named, and by place within each.
void print_faults(const Diagnostics& faults, std::ostream& err) {
  for (const Diagnostic& fault : faults) err << to_string(fault) << '\n';
}

void print_gates(const srp_module& module, std::ostream& out) {
  for (const GateLine& gate : gate_lines(module))
    out << gate.name << (gate.sentence.empty() ? "" : ": ") << gate.sentence << '\n';
}

void print(const std::vector<SuiteOutcome>& outcomes, bool quiet, std::ostream& out) {
  for (const SuiteOutcome& outcome : outcomes) {
    out << failure_text(outcome);
    if (!quiet) out << outcome.file << ": " << tally_text(tally_of({outcome})) << '\n';
  }
  if (!quiet) out << tally_text(tally_of(outcomes)) << '\n';
}

}  // namespace

void add_policy_command(CLI::App& app, PolicyWords& words) {
  CLI::App* policy = app.add_subcommand("policy", "Configurations and unit tests of gates");
  policy->require_subcommand(1);
  add_validate(*policy, words.validate);
  add_test(*policy, words.test);
}

ExitCode policy_command(const CLI::App& app, const PolicyWords& words, std::ostream& out,
                        std::ostream& err) {
  const srp_module& module = *srp_module_get(SRP_ABI_V1);
  const CLI::App& policy = *app.get_subcommand("policy");
  return policy.got_subcommand("validate")
             ? policy_validate_command(module, words.validate, out, err)
             : policy_test_command(module, words.test, out, err);
}

ExitCode policy_validate_command(const srp_module& module, const PolicyValidateArguments& arguments,
                                 std::ostream& out, std::ostream& err) {
  if (arguments.print_schema) {
    const srp_str schema = module.config_schema;
    out << std::string(schema.ptr, schema.len) << '\n';
  }
  if (arguments.list) print_gates(module, out);
  if (arguments.configs.empty() && !arguments.print_schema && !arguments.list) {
    err << "CONFIG is required (or --print-schema, or --list)\n";
    return ExitCode::bad_usage;
  }
  ExitCode code = ExitCode::ran;
  for (const std::string& path : arguments.configs) {
    const std::string name = path == "-" ? "(standard input)" : path;
    const auto text = text_of_input(path);
    const Diagnostics faults =
        text ? config_text_faults(module, text.value(), name) : text.diagnostics();
    print_faults(faults, err);
    if (!faults.empty()) code = ExitCode::bad_usage;
    if (faults.empty() && !arguments.quiet) out << name << ": valid\n";
  }
  return code;
}

ExitCode policy_test_command(const srp_module& module, const PolicyTestArguments& arguments,
                             std::ostream& out, std::ostream& err) {
  const auto suites = read_suites(arguments.paths, module);
  Diagnostics faults = suites ? Diagnostics{} : suites.diagnostics();
  const Diagnostics nowhere = destination_faults(arguments);
  faults.insert(faults.end(), nowhere.begin(), nowhere.end());
  if (!faults.empty()) {
    print_faults(faults, err);
    return ExitCode::bad_usage;
  }
  std::vector<SuiteOutcome> outcomes;
  for (const PolicySuite& suite : suites.value())
    outcomes.push_back(outcome_of(suite, arguments.filter, module));
  const Tally tally = tally_of(outcomes);
  if (tally.passed + tally.failed == 0) {
    err << "expected a test with \"" << arguments.filter << "\" in its name, found none\n";
    return ExitCode::bad_usage;
  }
  const bool to_streams = arguments.json == "-" || arguments.junit == "-";
  if (!to_streams) print(outcomes, arguments.quiet, out);
  Diagnostics unwritten;
  if (!arguments.json.empty()) unwritten = write_to(arguments.json, suites_json(outcomes), out);
  if (!arguments.junit.empty() && unwritten.empty())
    unwritten = write_to(arguments.junit, suites_junit(outcomes), out);
  print_faults(unwritten, err);
  if (!unwritten.empty()) return ExitCode::bad_usage;
  return tally.failed == 0 ? ExitCode::ran : ExitCode::expectation_failed;
}

}  // namespace specroute::sim
