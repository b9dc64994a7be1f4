#include "sim/cli/run_cli.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <optional>
#include <thread>

#include <CLI/CLI.hpp>

#include "sim/cli/catalogue_commands.hpp"
#include "sim/cli/exit_code.hpp"
#include "sim/cli/make_trace_command.hpp"
#include "sim/cli/misspelling.hpp"
#include "sim/cli/policy_command.hpp"
#include "sim/cli/replay_command.hpp"
#include "sim/cli/run_command.hpp"
#include "sim/cli/validate_models_command.hpp"

namespace specroute::sim {
namespace {

constexpr int kMostSeeds = 10'000;
constexpr int kMostJobs = 1'024;

/// Everything that a command line can say.
struct Words {
  RunArguments run;
  int seeds = 1;
  std::optional<std::uint64_t> seed;
  int jobs = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1U, 1'024U));
  std::vector<std::string> validated;
  std::string listed = "scenarios";
  ValidateModelsArguments models;
  MakeTraceArguments made;
  PolicyWords policy;
  ReplayArguments replayed;
};

/// CLI11 alone would take "-1" for 2^64 - 1, and so any number beyond.
std::string seed_fault(const std::string& text) {
  std::uint64_t seed = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, seed);
  if (read.ec == std::errc{} && read.ptr == end) return {};
  return "expected a whole number from 0 to 2^64 - 1, found \"" + text + '"';
}

/// CLI11's Range lets "nan" through, which is less than nothing and greater than nothing.
std::string nan_fault(const std::string& text) {
  const bool is_nan = std::isnan(std::strtod(text.c_str(), nullptr));
  return is_nan ? "expected a number, found \"" + text + '"' : "";
}

std::string empty_fault(const std::string& text) {
  return text.empty() ? "expected a path, found none" : "";
}

/// CLI11's IsMember names no nearest spelling.
CLI::Validator one_of(const std::vector<std::string>& choices) {
  std::string shown;
  for (const std::string& choice : choices) shown += (shown.empty() ? "{" : ",") + choice;
  return {[choices](const std::string& word) { return choice_fault(choices, word); }, shown + '}'};
}

void add_run(CLI::App& app, Words& words) {
  CLI::App* run = app.add_subcommand("run", "Simulate a scenario under its gates");
  RunArguments& into = words.run;
  run->add_option("SCENARIO", into.scenario, "Scenario file")->required();
  run->add_option("--gate,--gates", into.gates, "Labels of gates to run; all if not given")
      ->delimiter(',')
      ->type_name("LABEL,...");
  run->add_option("--policy", into.policies,
                  "Run a policy from outside too, once for each use; without --gate all\n"
                  "gates of the scenario run beside it:\n"
                  "[NAME=]lib:PATH[:CONFIG] or [NAME=]exec:COMMAND (docs/plugins.md)")
      ->allow_extra_args(false)
      ->type_name("POLICY");
  run->add_option("--policy-timeout-s", into.policy_timeout_s,
                  "Wall time of such a policy for one event")
      ->check(CLI::Range(1e-3, 1e6))
      ->check(CLI::Validator(nan_fault, ""))
      ->type_name("T")
      ->capture_default_str();
  auto* const count = run->add_option("--seeds", words.seeds, "Run the seeds 1 to N")
                          ->check(CLI::Range(1, kMostSeeds))
                          ->type_name("N")
                          ->capture_default_str();
  run->add_option("--seed", words.seed, "Run this seed alone")
      ->check(CLI::Validator(seed_fault, "UNSIGNED"))
      ->type_name("S")
      ->excludes(count);
  run->add_option("--trace", into.trace, "Play FILE in place of the scenario's traces")
      ->check(CLI::Validator(empty_fault, ""))
      ->type_name("FILE");
  run->add_option("--out", into.out, "Write the result directory DIR")
      ->check(CLI::Validator(empty_fault, ""))
      ->type_name("DIR");
  run->add_flag("--force", into.force, "Replace DIR if it is a result");
  run->add_option("--json", into.json, "Write summary.json to FILE; - for standard output")
      ->expected(0, 1)
      ->default_str("-")
      ->type_name("FILE");
  run->add_option("--jobs", words.jobs, "Replications at a time")
      ->check(CLI::Range(1, kMostJobs))
      ->type_name("J")
      ->capture_default_str();
  run->add_option("--timeout-s", into.timeout_s, "Wall time of one replication")
      ->check(CLI::Range(1e-3, 1e9))
      ->check(CLI::Validator(nan_fault, ""))
      ->type_name("T");
  run->add_flag("--lockstep", into.lockstep, "One engine round per date: slow, equal results");
  run->add_flag("--requests", into.requests, "Keep a row per request of the first seed");
  run->add_flag("--quiet", into.quiet, "No table, no progress");
}

void add_validate_models(CLI::App& app, Words& words) {
  CLI::App* command = app.add_subcommand(
      "validate-models", "Hold the models against measurements; exit with 1 if a bound is missed");
  ValidateModelsArguments& into = words.models;
  command
      ->add_option("--data", into.data,
                   "Data files: perf/serving_measured.csv, perf/gemm_bf16_*.csv,\n"
                   "perf/decode_attention_*.csv, perf/allreduce_*.csv, acceptance/*.csv;\n"
                   "without it, published facts alone")
      ->check(CLI::Validator(empty_fault, ""))
      ->type_name("DIR");
  command->add_option("--markdown", into.markdown, "Write the page to FILE; - for standard output")
      ->check(CLI::Validator(empty_fault, ""))
      ->type_name("FILE");
  command->add_option("--json", into.json, "Write every comparison to FILE; - for standard output")
      ->expected(0, 1)
      ->default_str("-")
      ->type_name("FILE");
  command->add_flag("--quiet", into.quiet, "No table");
}

void add_make_trace(CLI::App& app, Words& words) {
  CLI::App* command = app.add_subcommand("make-trace", "Make a synthetic trace");
  TraceRecipe& recipe = words.made.recipe;
  command->add_option("--format", words.made.format, "Whose layout the file has")
      ->check(one_of({"azure", "mooncake", "burstgpt", "specroute"}))
      ->capture_default_str();
  command->add_option("--requests", recipe.requests, "Rows")
      ->check(CLI::Range(1, 1'000'000))
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--seed", recipe.seed, "What all draws follow from")
      ->check(CLI::Validator(seed_fault, "UNSIGNED"))
      ->type_name("S")
      ->capture_default_str();
  command->add_option("--rate-per-s", recipe.rate_per_s, "Mean arrivals per second")
      ->check(CLI::Range(1e-3, 1e6))
      ->check(CLI::Validator(nan_fault, ""))
      ->capture_default_str();
  command->add_option("--gap-cv", recipe.gap_cv, "Coefficient of variation of the gaps")
      ->check(CLI::Range(0.05, 50.0))
      ->check(CLI::Validator(nan_fault, ""))
      ->capture_default_str();
  command->add_option("--mean-prompt-tokens", recipe.mean_prompt_tokens, "Of a first turn")
      ->check(CLI::Range(1.0, 16'384.0))
      ->check(CLI::Validator(nan_fault, ""))
      ->capture_default_str();
  command->add_option("--mean-output-tokens", recipe.mean_output_tokens, "Of an answer")
      ->check(CLI::Range(1.0, 1'024.0))
      ->check(CLI::Validator(nan_fault, ""))
      ->capture_default_str();
  command->add_option("--out", words.made.out, "Write FILE instead of standard output")
      ->check(CLI::Validator(empty_fault, ""))
      ->type_name("FILE");
}

void add_replay(CLI::App& app, Words& words) {
  CLI::App* command =
      app.add_subcommand("replay", "Play production telemetry to gates and compare what they say");
  ReplayArguments& into = words.replayed;
  command->add_option("FILES", into.files, "Metrics, logs, or our own events")->required();
  command
      ->add_option("--map", into.mapping, "Which engine is which pairing, and what happened when")
      ->check(CLI::Validator(empty_fault, ""))
      ->type_name("MAPPING");
  command->add_option("--gate", into.gates, "Gates by name; none and validity if nothing is given")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME,...");
  command->add_option("--gates", into.gates_file, "Configurations by label, as a scenario has them")
      ->check(CLI::Validator(empty_fault, ""))
      ->type_name("FILE");
  command->add_option("--format", into.format, "Of all files; found out if not given")
      ->check(one_of({"auto", "prometheus", "query_range", "vllm_log", "sglang_log",
                      "llama_cpp_log", "events"}))
      ->capture_default_str();
  command->add_option("--out", into.out, "Write the result directory DIR")
      ->check(CLI::Validator(empty_fault, ""))
      ->type_name("DIR");
  command->add_flag("--force", into.force, "Replace DIR if it is a result");
  command->add_option("--json", into.json, "Write summary.json to FILE; - for standard output")
      ->check(CLI::Validator(empty_fault, ""))
      ->type_name("FILE");
  command->add_flag("--strict", into.strict, "Exit with 2 and write nothing where a line is bad");
  command->add_flag("--quiet", into.quiet, "No table");
}

void add_commands(CLI::App& app, Words& words) {
  app.require_subcommand(1);
  app.set_version_flag("--version", version_text);
  add_run(app, words);
  app.add_subcommand("validate", "Check scenario files without simulating")
      ->add_option("SCENARIO", words.validated, "Scenario files")
      ->required();
  add_validate_models(app, words);
  add_make_trace(app, words);
  add_policy_command(app, words.policy);
  add_replay(app, words);
  app.add_subcommand("list", "Title and question of every scenario in a directory")
      ->add_option("DIR", words.listed, "Directory")
      ->capture_default_str();
  app.add_subcommand("gates", "Gates that the policy library offers");
  app.add_subcommand("devices", "Device catalogue");
  app.add_subcommand("version", "Version, commit and SimGrid");
}

/// The run's seeds and jobs as it wants them.
RunArguments run_arguments(const Words& words) {
  RunArguments arguments = words.run;
  arguments.jobs = static_cast<unsigned>(words.jobs);
  if (words.seed) {
    arguments.seeds = {*words.seed};
    arguments.seeds_option = "--seed=" + std::to_string(*words.seed);
  } else {
    arguments.seeds.resize(static_cast<std::size_t>(words.seeds));
    std::iota(arguments.seeds.begin(), arguments.seeds.end(), std::uint64_t{1});
    arguments.seeds_option = "--seeds=" + std::to_string(words.seeds);
  }
  return arguments;
}

ExitCode dispatch(const CLI::App& app, const Words& words, std::ostream& out, std::ostream& err) {
  if (app.got_subcommand("run")) return run_command(run_arguments(words), out, err);
  if (app.got_subcommand("validate")) return validate_command(words.validated, out, err);
  if (app.got_subcommand("validate-models")) return validate_models_command(words.models, out, err);
  if (app.got_subcommand("make-trace")) return make_trace_command(words.made, out, err);
  if (app.got_subcommand("policy")) return policy_command(app, words.policy, out, err);
  if (app.got_subcommand("replay")) return replay_command(words.replayed, out, err);
  if (app.got_subcommand("list")) return list_command(words.listed, out, err);
  if (app.got_subcommand("gates")) return gates_command(out);
  if (app.got_subcommand("devices")) return devices_command(out);
  out << version_text() << '\n';
  return ExitCode::ran;
}

}  // namespace

int run_cli(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err) {
  CLI::App app("Simulates speculative-decoding routers through fail-overs.", "specroute");
  Words words;
  add_commands(app, words);
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::ParseError& end) {  // how CLI11 says "help", "version" and "wrong" alike
    if (const std::string fault = misspelling(app, arguments);
        end.get_exit_code() != 0 && !fault.empty()) {
      err << fault << "\nRun with --help for more information.\n";
      return static_cast<int>(ExitCode::bad_usage);
    }
    const int code = app.exit(end, out, err);
    return static_cast<int>(code == 0 ? ExitCode::ran : ExitCode::bad_usage);
  }
  const ExitCode code = dispatch(app, words, out, err);
  if (out.flush() || code != ExitCode::ran) return static_cast<int>(code);
  err << "standard output: expected room for what was asked for, found an error\n";
  return static_cast<int>(ExitCode::bad_usage);
}

}  // namespace specroute::sim
