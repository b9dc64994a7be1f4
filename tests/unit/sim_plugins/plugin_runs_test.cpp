// Black-box tests of policies from outside: what the program prints, keeps, and exits with where
// one of them does wrong.
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <sstream>
#include <thread>

#include "tests/unit/sim_cli/cli_fixture.hpp"

namespace specroute::sim {
namespace {

const std::string kSmall = SPECROUTE_SOURCE_DIR "/tests/unit/sim_cli/small.json";
const std::string kGatePy = SPECROUTE_SOURCE_DIR "/router/examples/gate_exec.py";
const std::string kHostilePy = SPECROUTE_SOURCE_DIR "/tests/unit/sim_plugins/hostile_gate.py";

/// The interpreter itself: python3 may be a script that looks for it, at each start. Empty: none.
const std::string& python() {
  static const std::string path = [] {
    std::string text;
    if (FILE* const told = popen("python3 -c 'import sys; print(sys.executable)' 2>&-", "r")) {
      for (int c = 0; (c = std::fgetc(told)) > ' ';) text += static_cast<char>(c);
      pclose(told);
    }
    return text;
  }();
  return path;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class PluginRuns : public Cli {
 protected:
  ~PluginRuns() override { unsetenv("SPECROUTE_HOSTILE"); }

  [[nodiscard]] Outcome run_with(std::vector<std::string> words) const {
    words.insert(words.begin(), {"run", kSmall, "--gate", "none", "--out", in("r"), "--quiet"});
    return run(words);
  }

  /// The hostile module beside the gate `none`.
  [[nodiscard]] Outcome hostile(const std::string& how) const {
    setenv("SPECROUTE_HOSTILE", how.c_str(), 1);
    return run_with(
        {"--policy", std::string("bad=lib:") + HOSTILE_MODULE, "--policy-timeout-s", "1.5"});
  }

  /// The hostile program beside the gate `none`.
  [[nodiscard]] Outcome hostile_program(const std::string& how) const {
    return run_with({"--policy", "bad=exec:" + python() + " " + kHostilePy + " " + how,
                     "--policy-timeout-s", "3"});
  }

  /// That policy alone is lost: exit code 4, its name and its fault, and the other gate's results.
  void expect_lost(const Outcome& outcome, const std::string& fault) const {
    EXPECT_EQ(outcome.code, 4) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "gate bad")) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "a misbehaving policy (")) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, fault)) << outcome.err;
    const std::string summary = text_of(root_ / "r" / "summary.json");
    EXPECT_TRUE(contains(summary, "\"failures\"")) << outcome.err;
    EXPECT_TRUE(contains(summary, "\"none\": {"));
    EXPECT_FALSE(contains(summary, "\"bad\": {"));
    EXPECT_FALSE(contains(text_of(root_ / "r" / "decisions.jsonl"), "\"bad\""));
  }
};

struct Wrong {
  const char* how;
  const char* fault;
};

std::string name_of(const testing::TestParamInfo<Wrong>& info) {
  return info.param.how;
}

class HostileModule : public PluginRuns, public testing::WithParamInterface<Wrong> {};

TEST_P(HostileModule, LosesItsOwnResultAlone) {
  expect_lost(hostile(GetParam().how), GetParam().fault);
}

INSTANTIATE_TEST_SUITE_P(
    AtLoad, HostileModule,
    testing::Values(Wrong{"wrong_abi", "speaks ABI 2.3; this host speaks 1.0"},
                    Wrong{"null_module", "has no module for ABI 1.0: srp_module_get gave NULL"},
                    Wrong{"short_table", "has a table of 16 bytes; ABI 1 has "},
                    Wrong{"missing_function", "has a table without explain"},
                    Wrong{"crash_at_load", "crashed by signal 6 (abort) in its loading"},
                    Wrong{"hang_at_load", "hangs: no return after 1.5 s in its loading"},
                    Wrong{"crash_in_validate",
                          "crashed by signal 11 (segmentation fault) in "
                          "validate"},
                    Wrong{"crash_in_create", "crashed by signal 11 (segmentation fault) in create"},
                    Wrong{"no_instance", "create gave SRP_OK and no instance"},
                    Wrong{"refuse_after_all",
                          "create gave SRP_E_CONFIG for a configuration that "
                          "validate took: expected {"},
                    Wrong{"crash_in_destroy",
                          "crashed by signal 11 (segmentation fault) in "
                          "destroy"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    AtAnEvent, HostileModule,
    testing::Values(
        Wrong{"crash_on_event",
              "crashed by signal 11 (segmentation fault) in on_event of event 10 "
              "(window)"},
        Wrong{"hang_on_event", "hangs: no return after 1.5 s in on_event of event 10 (window)"},
        Wrong{"exit_on_event", "exited with code 0 before its result"},
        Wrong{"refuse_event", "refused event 10 (window) with SRP_E_STATE"},
        Wrong{"recurse", "crashed by signal 11 (segmentation fault) in on_event of event 10"},
        Wrong{"odd_bytes", "wrote 17 bytes for event 10 (window), which are no whole decisions"},
        Wrong{"too_many_bytes", "which are no whole decisions"},
        Wrong{"more_without_end", "says SRP_E_SPACE without end"},
        Wrong{"unknown_type", "with a bad decision: type 7 is no decision"},
        Wrong{"unknown_pairing", "LOCK: pairing 99 with profile 1 was never bound"},
        Wrong{"past_date", "LOCK: valid_until is not after now"},
        Wrong{"same_id", "id is 1 after 1"},
        Wrong{"absurd_reward", "LOCK: reward_ppm is 9223372036854775807"},
        Wrong{"shared_state", "is nondeterministic: two instances that were sent the same events"}),
    name_of);

class HostileProgram : public PluginRuns, public testing::WithParamInterface<Wrong> {
 protected:
  void SetUp() override {
    if (python().empty()) GTEST_SKIP() << "python3 is missing";
  }
};

TEST_P(HostileProgram, LosesItsOwnResultAlone) {
  expect_lost(hostile_program(GetParam().how), GetParam().fault);
}

INSTANTIATE_TEST_SUITE_P(
    , HostileProgram,
    testing::Values(
        Wrong{"greet_with_garbage", "malformed answer to the greeting"},
        Wrong{"die",
              "event 10 (window): it exited with code 3; its last lines on stderr:\nboom at "
              "ten"},
        Wrong{"killed", "event 10 (window): it was killed by signal 9"},
        Wrong{"hang", "event 10 (window): no answer within 3 s"},
        Wrong{"late", "event 10 (window): no answer within 3 s"},
        Wrong{"close", "event 10 (window): it closed its standard output"},
        Wrong{"garbage", "malformed answer to event 10 (window):\n1:1: expected a value"},
        Wrong{"long", "its answer is longer than 1048576 bytes: [1,1,"},
        Wrong{"endless", "its answer is longer than 1048576 bytes: xxx"},
        Wrong{"two_lines", "event 10 (window): it answered with more than one line: []"},
        Wrong{"half", "no answer within 3 s, only the beginning of one: [{\"type\""},
        Wrong{"misspelt",
              "found \"lok\"; did you mean \"lock\"?\n/1/paring: found an unknown key; "
              "did you mean \"pairing\"?\n(the line: [{\"type\": \"lok\""},
        Wrong{"unknown_pairing", "HOLD: pairing 77 with profile 1 was never bound"},
        Wrong{"no_end", "NO_DRAFT: valid_until is not after now"},
        Wrong{"number", "expected an array of at most 4096 decisions"},
        Wrong{"dice", "is nondeterministic: two instances"},
        Wrong{"last_word", "after its last answer: it said more than it was asked: []"},
        Wrong{"bad_end",
              "after its last answer: it exited with code 5; its last lines on stderr:\ncould not "
              "save"},
        Wrong{"crash_at_end", "after its last answer: it was killed by signal 11"}),
    name_of);

TEST_F(PluginRuns, SaysOnceWhatAPolicyDoesWrongUnderEverySeed) {
  setenv("SPECROUTE_HOSTILE", "crash_on_event", 1);
  const Outcome outcome =
      run_with({"--policy", std::string("bad=lib:") + HOSTILE_MODULE, "--seeds", "5"});
  EXPECT_EQ(outcome.code, 4);
  EXPECT_EQ(outcome.err.find("crashed by"), outcome.err.rfind("crashed by")) << outcome.err;
}

TEST_F(PluginRuns, RefusesWhatTheUserCanMend) {
  const std::string hostile_path = HOSTILE_MODULE;
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"lib:" + in("none.so"), "expected the path of a module, found no file"},
      {"lib:" + hostile_path + ":" + in("none.json"), "expected the path of a configuration"},
      {"lib:" + hostile_path + ":{\"windows\": 0}",
       "found byte 1 of its configuration: \"windows\": expected {"},
      {"lib:" + hostile_path + ":{\"windows\": 2, \"lok_s\": 5}",
       "found byte 15 of its configuration: \"lok_s\": expected {"},
      {"lib:" + hostile_path + ":{\"windows\"", ":{\"windows\": CONFIG 1:11: expected"},
      {"exec:" + in("none") + " x", "expected a program that can be started, found No such file"},
      {"exec:", "expected a command, found none"},
      {"exec:a 'b", "found a quote that is not closed"},
      {"none=lib:" + hostile_path, "expected a name that no other gate has, found \"none\""},
      {"a b=lib:" + hostile_path, "expected a name of at most 64 letters"},
      {"gate.so", "expected [NAME=]lib:PATH[:CONFIG] or [NAME=]exec:COMMAND, found neither"}};
  for (const auto& [argument, fault] : cases) {
    const Outcome outcome = run_with({"--policy", argument});
    EXPECT_EQ(outcome.code, 2) << argument;
    EXPECT_TRUE(contains(outcome.err, fault)) << argument << ": " << outcome.err;
    EXPECT_FALSE(fs::exists(in("r"))) << argument;
  }
}

TEST_F(PluginRuns, CallsWhatIsNoModuleMisbehaving) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {NO_MODULE, "is no policy module: it exports no srp_module_get"},
      {kSmall, "cannot be loaded: "}};
  for (const auto& [path, fault] : cases) {
    const Outcome outcome = run_with({"--policy", "bad=lib:" + path});
    expect_lost(outcome, fault);
    fs::remove_all(in("r"));
  }
}

TEST_F(PluginRuns, RefusesAProgramThatRefuses) {
  if (python().empty()) GTEST_SKIP() << "python3 is missing";
  const Outcome outcome = hostile_program("refuse");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(contains(outcome.err, "it refuses: found I only serve on Sundays")) << outcome.err;
}

TEST_F(PluginRuns, NamesPoliciesAfterTheirFilesAndSaysWhatTheyWere) {
  const Outcome outcome = run(
      {"run", kSmall, "--gate", "none", "--policy", std::string("lib:") + EXAMPLE_MODULE,
       "--policy", std::string("lib:") + EXAMPLE_MODULE + ":{\"windows\": 5}", "--out", in("r")});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "us an event")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "events alone: without create, explain")) << outcome.out;
  const std::string manifest = text_of(root_ / "r" / "manifest.json");
  EXPECT_TRUE(contains(manifest, "\"example_gate\": {"));
  EXPECT_TRUE(contains(manifest, "\"example_gate-2\": {"));
  EXPECT_TRUE(contains(manifest, R"("policy": "lib:libexample_gate.so", "sha256": ")"));
  EXPECT_TRUE(contains(manifest, R"("module": "example_gate", "module_version": "1.0")"));
  EXPECT_TRUE(contains(manifest, R"({\"windows\": 5})"));
  EXPECT_FALSE(contains(manifest, fs::path(EXAMPLE_MODULE).parent_path().string()));
  EXPECT_TRUE(contains(text_of(root_ / "r" / "timing.json"), "\"example_gate\": {"));
}

/// The lines of one gate, without its label.
std::string of_gate(const std::string& text, const std::string& label) {
  std::string lines;
  std::stringstream all(text);
  for (std::string line; std::getline(all, line);)
    if (const auto at = line.find(label); at != std::string::npos)
      lines += line.erase(at, label.size()) + '\n';
  return lines;
}

/// The incident with its fault after 20 s and a minute in all.
std::string short_incident(const std::string& path) {
  std::string text = text_of(SPECROUTE_SOURCE_DIR "/scenarios/incident-2026-11-06.json");
  const auto replace = [&text](const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
  };
  replace("\"horizon_s\": 620", "\"horizon_s\": 40");
  replace("\"at_s\": 300}", "\"at_s\": 20}");
  replace("\"from_s\": 60", "\"from_s\": 5");
  replace("\"owner_gone_s\": 240", "\"owner_gone_s\": 15");
  std::ofstream(path) << text;
  return path;
}

TEST_F(PluginRuns, DecideAlikeInTheirOwnProcessAndInOurs) {
  if (python().empty()) GTEST_SKIP() << "python3 is missing";
  const Outcome outcome =
      run({"run", short_incident(root_.string() + ".json"), "--gate", "none", "--policy",
           std::string("inside=lib:") + EXAMPLE_MODULE, "--policy",
           "outside=exec:" + python() + " " + kGatePy, "--out", in("r"), "--quiet"});
  fs::remove(root_.string() + ".json");
  EXPECT_NE(outcome.code, 2) << outcome.err;
  EXPECT_NE(outcome.code, 4) << outcome.err;
  for (const char* file : {"decisions.jsonl", "timeseries.csv"}) {
    const std::string text = text_of(root_ / "r" / file);
    const std::string inside = of_gate(text, "inside");
    EXPECT_GT(inside.size(), 1000U) << file;
    EXPECT_EQ(inside, of_gate(text, "outside")) << file;
  }
  const std::string decisions = of_gate(text_of(root_ / "r" / "decisions.jsonl"), "inside");
  EXPECT_TRUE(contains(decisions, "\"type\":\"REBIND\""));
  EXPECT_TRUE(contains(decisions, "\"explanation\":\"3 consistent windows in a row\""));
  const std::string summary = text_of(root_ / "r" / "summary.json");
  const std::string digests = summary.substr(summary.find("\"digests\""));
  const auto digest = [&](const std::string& label) {
    return digests.substr(digests.find("\"" + label + "\": [") + label.size() + 4, 20);
  };
  EXPECT_EQ(digest("inside"), digest("outside"));
  EXPECT_NE(digest("inside"), digest("none"));
}

/// Processes of this machine whose command line has `part`.
int processes_with(const std::string& part) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") == std::string::npos)
      count += contains(text_of(entry.path() / "cmdline"), part);
  }
  return count;
}

/// Waits a minute at most: a busy machine takes its time to start an interpreter.
bool comes_true(const std::function<bool()>& holds) {
  for (int i = 0; i < 6000 && !holds(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds{10});
  return holds();
}

/// A shell that leaves two sleepers behind, one of them in a session of its own, and becomes the
/// hostile program.
class PluginOffspring : public PluginRuns {
 protected:
  void SetUp() override {
    if (python().empty()) GTEST_SKIP() << "python3 is missing";
  }
  [[nodiscard]] std::string policy(const std::string& how) const {
    return "bad=exec:sh -c 'sleep " + nap_ + " & setsid sleep " + nap_ + " & exec " + python() +
           " " + kHostilePy + " " + how + " " + nap_ + "'";
  }
  [[nodiscard]] int sleepers() const { return processes_with(std::string("sleep") + '\0' + nap_); }
  [[nodiscard]] int hanging() const { return processes_with(std::string("hang") + '\0' + nap_); }

  /// Of this process alone, whatever other test runs on this machine; the command of the program
  /// under test has it too, and those of its processes.
  const std::string nap_ = "1000." + std::to_string(getpid());
};

TEST_F(PluginOffspring, GoesWithTheProgramWhenThatIsKilled) {
  const pid_t pid = start({"run", kSmall, "--gate", "none", "--policy", policy("hang")});
  // The probe, the first instance and its twin come one after another: all but the latter end.
  EXPECT_TRUE(comes_true([&] { return hanging() == 2 && sleepers() == 4; }));
  kill(pid, SIGKILL);
  waitpid(pid, nullptr, 0);
  EXPECT_TRUE(comes_true([&] { return processes_with(nap_) == 0; }));
}

TEST_F(PluginOffspring, GoesWithAPolicyThatIsLate) {
  expect_lost(run_with({"--policy", policy("hang"), "--policy-timeout-s", "1"}),
              "no answer within 1 s");
  EXPECT_EQ(processes_with(nap_), 0);
}

TEST_F(PluginOffspring, GoesWithAPolicyThatIsDone) {
  EXPECT_EQ(run_with({"--policy", policy("well")}).code, 0);
  EXPECT_EQ(processes_with(nap_), 0);
}

TEST_F(PluginOffspring, GoesWithAPolicyThatDies) {
  expect_lost(run_with({"--policy", policy("bad_end")}), "it exited with code 5");
  EXPECT_EQ(processes_with(nap_), 0);
}

}  // namespace
}  // namespace specroute::sim
