// Arrivals, tenants and traces as a scenario states them.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "sim/digest/sha256.hpp"
#include "sim/scenario/tenants.hpp"
#include "tests/unit/sim_scenario/minimal.hpp"

namespace specroute::sim {
namespace {

namespace fs = std::filesystem;

const std::string kPoisson = R"("arrivals": {"kind": "poisson", "rate_per_s": 5})";
const std::string kLengths =
    R"("prompt_tokens": {"kind": "fixed", "mean_tokens": 48, "limit_tokens": 4096},
        "output_tokens": {"kind": "lognormal", "mean_tokens": 64, "cv": 0.5, "limit_tokens": 256},)";

Scenario with_arrivals(const std::string& arrivals) {
  auto read = parsed(edited(kPoisson, "\"arrivals\": " + arrivals));
  EXPECT_TRUE(read.ok()) << (read.ok() ? "" : format_diagnostics(read.diagnostics()));
  return read.ok() ? std::move(read).value() : Scenario{};
}

TEST(ArrivalInput, ReadsEveryOpenProcess) {
  using models::ArrivalKind;
  const auto open = [](const std::string& text) {
    return with_arrivals(text).classes.at(0).arrivals.open;
  };
  EXPECT_EQ(open(R"({"kind": "gamma", "rate_per_s": 3, "cv": 2})").cv, 2.0);
  const auto modulated = open(
      R"({"kind": "markov_modulated", "states": [{"rate_per_s": 1, "mean_dwell_s": 9}, {"rate_per_s": 0, "mean_dwell_s": 1}]})");
  EXPECT_EQ(modulated.kind, ArrivalKind::markov_modulated);
  EXPECT_EQ(modulated.states.at(0).mean_dwell, Seconds{9.0});
  const auto diurnal =
      open(R"({"kind": "diurnal", "rate_per_s": 3, "amplitude": 0.5, "period_s": 86400})");
  EXPECT_EQ(diurnal.period, Seconds{86400.0});
  EXPECT_EQ(diurnal.peak, Seconds{0.0});
  const auto ramp = open(
      R"({"kind": "piecewise", "between": "linear", "points": [{"at_s": 0, "rate_per_s": 1}, {"at_s": 4, "rate_per_s": 2}]})");
  EXPECT_TRUE(ramp.linear);
  EXPECT_EQ(ramp.points.at(1).rate_per_s, 2.0);
  const auto bursts = open(
      R"({"kind": "none", "bursts": [{"at_s": 3, "requests": 7}, {"at_s": 4, "requests": 1, "over_s": 2}]})");
  EXPECT_EQ(bursts.kind, ArrivalKind::none);
  EXPECT_EQ(bursts.request_bursts.at(0).over, Seconds{0.0});
  EXPECT_EQ(bursts.request_bursts.at(1).over, Seconds{2.0});
}

TEST(ArrivalInput, ReadsUsersOfAClosedLoop) {
  const auto scenario = with_arrivals(
      R"({"kind": "closed_loop", "users": 12, "think_time": {"kind": "lognormal", "mean_s": 3, "cv": 0.5}})");
  const ClosedLoop& loop = scenario.classes.at(0).arrivals.closed_loop.value();
  EXPECT_EQ(loop.users, 12U);
  EXPECT_EQ(loop.think, ClosedLoop::Think::lognormal);
  EXPECT_EQ(loop.mean_think, Seconds{3.0});
}

TEST(ArrivalInput, WritesNoKeyOfAnotherKindIntoTheResolvedScenario) {
  const std::string resolved =
      with_arrivals(R"({"kind": "poisson", "rate_per_s": 5})").resolved_json;
  for (const char* key : {"time_scale", "peak_at_s", "bursts", "tenants", "think_time", "between"})
    EXPECT_EQ(resolved.find('"' + std::string(key) + '"'), std::string::npos) << key;
  EXPECT_NE(resolved.find("\"priority\": 0"), std::string::npos);
}

class TraceInput : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("specroute-trace-input-" + std::to_string(getpid()));
    fs::create_directories(folder_ / "traces");
    write("traces/t.csv", kTrace);
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  /// The minimal scenario with a trace, as if it lay in the folder.
  [[nodiscard]] Result<Scenario> read(const std::string& more, const std::string& trace_file = {}) {
    std::string text = edited(
        kPoisson, R"("arrivals": {"kind": "trace", "format": "specroute", "path": "traces/t.csv")" +
                      more + "}" + of_class_);
    text.replace(text.find(kLengths), kLengths.size(), "");
    ReadOptions options = plain_options();
    options.traces = &store_;
    options.trace_file = trace_file;
    return parse_scenario(text, (folder_ / "s.json").string(), options);
  }

  static constexpr const char* kTrace =
      "arrival_s,prompt_tokens,output_tokens,tenant\n0,100,20,a\n1,300,0,a\n2,200,700,b\n";
  fs::path folder_;
  TraceStore store_;
  std::string of_class_;  ///< more keys of the class
};

TEST_F(TraceInput, FindsTheFileBesideTheScenarioAndHashesIt) {
  const auto scenario = read(R"(, "output_limit_tokens": 512)");
  ASSERT_TRUE(scenario.ok()) << format_diagnostics(scenario.diagnostics());
  const RequestClass& c = scenario.value().classes.at(0);
  EXPECT_EQ(c.arrivals.trace->rows->size(), 2U);
  EXPECT_EQ(c.prompt.limit, 200U);
  EXPECT_EQ(c.output.limit, 512U);
  EXPECT_EQ(tenant_names(scenario.value()), (std::vector<std::string>{"a", "b"}));
  const std::string hash = "\"sha256\": \"" + sha256_hex(kTrace) + '"';
  EXPECT_NE(scenario.value().resolved_json.find(hash), std::string::npos);
}

// Where a file lies is no part of a result: the resolved text has its name alone.
TEST_F(TraceInput, PlaysAnotherFileOnDemand) {
  write("other.csv", "arrival_s,prompt_tokens,output_tokens\n5,1,1\n");
  const auto scenario = read("", (folder_ / "other.csv").string());
  ASSERT_TRUE(scenario.ok());
  EXPECT_EQ(scenario.value().classes.at(0).arrivals.trace->rows->size(), 1U);
  EXPECT_NE(scenario.value().resolved_json.find("\"path\": \"other.csv\""), std::string::npos);
  EXPECT_EQ(scenario.value().resolved_json.find(folder_.string()), std::string::npos);
}

TEST_F(TraceInput, RefusesAFileThatIsNotThatOfTheHash) {
  const std::string hash(64, '0');
  const auto scenario = read(R"(, "sha256": ")" + hash + '"');
  ASSERT_FALSE(scenario.ok());
  EXPECT_EQ(scenario.diagnostics().front().place, "/workload/classes/0/arrivals/sha256");
  EXPECT_TRUE(read(R"(, "sha256": ")" + sha256_hex(kTrace) + '"').ok());
}

TEST_F(TraceInput, TellsLinesInOrderAndTheFileThatIsMissing) {
  std::string text = "arrival_s,prompt_tokens,output_tokens\n";
  for (int line = 0; line < 12; ++line) text += "?\n";
  write("traces/t.csv", text);
  const auto malformed = read("");
  ASSERT_FALSE(malformed.ok());
  EXPECT_EQ(malformed.diagnostics().size(), 12U);
  const std::string told = format_diagnostics(malformed.diagnostics());
  EXPECT_LT(told.find("t.csv: 2:1:"), told.find("t.csv: 10:1:"));
  fs::remove(folder_ / "traces/t.csv");
  const auto missing = read("");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.diagnostics().front().place, "/workload/classes/0/arrivals/path");
  EXPECT_EQ(missing.diagnostics().front().found,
            "no such file: " + (folder_ / "traces/t.csv").string());
}

/// The places of the diagnostics, and what was found there.
std::string told(const Result<Scenario>& scenario) {
  std::string text;
  if (!scenario)
    for (const Diagnostic& fault : scenario.diagnostics())
      text += fault.place + ": " + fault.expected + ", " + fault.found + "\n";
  return text;
}

// From 1 on the only row with tokens is at 2: it arrives at 5 + (2 - 1) x scale. The horizon is 10.
TEST_F(TraceInput, RefusesATraceWithoutARowBeforeTheHorizon) {
  EXPECT_EQ(told(read(R"(, "from_s": 1, "start_s": 5, "time_scale": 4.9)")), "");
  EXPECT_EQ(told(read(R"(, "from_s": 1, "start_s": 5, "time_scale": 5)")),
            "/workload/classes/0/arrivals: a row that arrives before horizon_s (10), the first at "
            "10\n");
}

TEST_F(TraceInput, RefusesMoreTenantsThanResultsCanTell) {
  std::string text = "arrival_s,prompt_tokens,output_tokens,tenant\n";
  for (int tenant = 0; tenant < 1000; ++tenant) text += "0,1,1,t" + std::to_string(tenant) + "\n";
  write("traces/t.csv", text);
  EXPECT_EQ(told(read("")), "");
  write("traces/t.csv", text + "0,1,1,one-more\n");
  store_ = {};
  EXPECT_EQ(told(read("")),
            "/workload/classes/0/arrivals/path: a trace of at most 1000 tenants, 1001 in " +
                (folder_ / "traces/t.csv").string() + "\n");
}

TEST_F(TraceInput, RefusesTenantsBesideThoseOfTheTrace) {
  of_class_ = R"(, "tenants": [{"name": "c", "weight": 1}])";
  EXPECT_EQ(
      told(read("")),
      "/workload/classes/0/tenants: no such key where the trace has tenants of its own, 2 in " +
          (folder_ / "traces/t.csv").string() + "\n");
  write("other.csv", "arrival_s,prompt_tokens,output_tokens,tenant\n0,1,1,\n");
  EXPECT_EQ(told(read("", (folder_ / "other.csv").string())), "") << "a column that names nobody";
}

TEST(TraceOption, WantsATraceToReplace) {
  ReadOptions options = plain_options();
  TraceStore store;
  options.traces = &store;
  options.trace_file = "x.csv";
  const auto scenario = parse_scenario(minimal_text(), "s.json", options);
  ASSERT_FALSE(scenario.ok());
  EXPECT_EQ(scenario.diagnostics().front().place, "/workload/classes");
}

}  // namespace
}  // namespace specroute::sim
