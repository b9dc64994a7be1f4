#include "sim/experiment/published_metrics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace specroute::sim {
namespace {

TEST(PublishedMetrics, RenameWhatARunReports) {
  const Metrics run = {{"requests.completed", 7.0}, {"detection_ms", std::nullopt}};
  const Metrics published = published_metrics(run, run);
  EXPECT_EQ(published[0], (Metrics::value_type{"completions", 7.0}));
  EXPECT_EQ(published[1], (Metrics::value_type{"detection_ms", std::nullopt}));
}

// 12 degraded under faults, 3 of them would have been without: an excess of 9. Of schema violations
// the healthy run has one more: luck has a sign.
TEST(PublishedMetrics, CountExcessAgainstThePairedRun) {
  const Metrics run = {{"degraded.total", 12.0}, {"degraded.schema", 0.0}};
  const Metrics healthy = {{"degraded.total", 3.0}, {"degraded.schema", 1.0}};
  const Metrics published = published_metrics(run, healthy);
  EXPECT_EQ(metric_value(published, "degraded_completions"), 12.0);
  EXPECT_EQ(metric_value(published, "excess_degraded_completions"), 9.0);
  EXPECT_EQ(metric_value(published, "excess_schema_violations"), -1.0);
}

TEST(PublishedMetrics, HaveNoExcessWhereEitherRunHasNoCount) {
  const Metrics counted = {{"degraded.total", 12.0}};
  const Metrics absent = {{"degraded.total", std::nullopt}};
  EXPECT_EQ(metric_value(published_metrics(counted, absent), "excess_degraded_completions"),
            std::nullopt);
  EXPECT_EQ(metric_value(published_metrics(absent, counted), "excess_degraded_completions"),
            std::nullopt);
}

TEST(PublishedMetrics, HaveOneNameEach) {
  const auto names = fixed_metric_names();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
}

TEST(PublishedMetrics, ReplaceOnlyPathsThatARunReports) {
  const auto names = fixed_metric_names();
  for (const std::string& path : replaced_metric_paths())
    EXPECT_EQ(std::ranges::count(names, published_name(path)), 1) << path;
}

// The names that the command line's users are promised.
TEST(PublishedMetrics, HaveEveryPromisedName) {
  const auto names = fixed_metric_names();
  for (const char* promised : {"completions",
                               "degraded_completions",
                               "excess_degraded_completions",
                               "loop_completions",
                               "schema_violations",
                               "corrupted_completions",
                               "acceptance_before",
                               "acceptance_after_failover",
                               "acceptance_after_rebind",
                               "outage_ms",
                               "spike_observed_ms",
                               "detection_ms",
                               "rebind_ms",
                               "rebinds",
                               "locked_on_bad_pairing_s",
                               "e2e_p50_before_ms",
                               "e2e_p50_after_failover_ms",
                               "ttft_p50_ms",
                               "ttft_p99_ms",
                               "tpot_p50_ms",
                               "goodput_rps",
                               "healthy_goodput_rps",
                               "slo_attainment",
                               "wrongly_credited_windows",
                               "benign_rejections"})
    EXPECT_EQ(std::ranges::count(names, promised), 1) << promised;
}

TEST(PublishedMetrics, NameBackendsAndTheirPairingsWithinAPool) {
  Scenario scenario{};
  scenario.pools.resize(2);
  scenario.backends.resize(3);
  scenario.backends[0].name = "t";
  scenario.backends[0].role = Role::target;
  scenario.backends[0].pool = PoolId{0};
  scenario.backends[1].name = "d";
  scenario.backends[1].role = Role::draft;
  scenario.backends[1].pool = PoolId{0};
  scenario.backends[2].name = "other";
  scenario.backends[2].role = Role::draft;
  scenario.backends[2].pool = PoolId{1};
  const auto names = metric_names(scenario);
  for (const char* there : {"utilisation.t", "utilisation.d", "kv_peak.t",
                            "degraded.by_pairing.t+d", "degraded.by_pairing.t+alone"})
    EXPECT_EQ(std::ranges::count(names, there), 1) << there;
  for (const char* absent : {"kv_peak.d", "degraded.by_pairing.t+other"})
    EXPECT_EQ(std::ranges::count(names, absent), 0) << absent;
}

// A copy has a name of its own, where copies are made and on a target alone.
TEST(PublishedMetrics, NameTheOwnersOfCopiedOverrides) {
  Scenario scenario;
  scenario.backends.resize(2);
  scenario.backends[0].role = Role::target;
  scenario.backends[1].role = Role::draft;
  scenario.overrides.resize(2);
  scenario.overrides[0].backend = BackendId{0};
  scenario.overrides[0].owner = "job";
  scenario.overrides[1].backend = BackendId{1};
  scenario.overrides[1].owner = "other job";
  const auto counts = [&](const std::string& owners) {
    return std::ranges::count(metric_names(scenario), "degraded.by_override." + owners);
  };
  EXPECT_EQ(counts("job (copied from the primary)"), 0);
  scenario.router.standby_parameters = StandbyParameters::copied_from_primary;
  EXPECT_EQ(counts("job"), 1);
  EXPECT_EQ(counts("job (copied from the primary)"), 1);
  const std::string both = "job (copied from the primary) and other job";
  EXPECT_EQ(counts(both), 0) << "who changed both sides is named where somebody asks for it";
  scenario.expect.resize(2);
  scenario.expect[0].metric = "degraded.by_override." + both;
  scenario.expect[1].metric = "degraded.by_override.other job and job";
  EXPECT_EQ(counts(both), 1);
  EXPECT_EQ(counts("other job and job"), 0) << "the target's comes first";
  EXPECT_EQ(counts("other job (copied from the primary)"), 0);
}

}  // namespace
}  // namespace specroute::sim
