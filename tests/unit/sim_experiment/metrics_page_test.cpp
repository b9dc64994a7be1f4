// docs/metrics.md names every metric that a summary can hold.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <string>

#include "sim/experiment/published_metrics.hpp"

namespace specroute::sim {
namespace {

/// A name, or three where it stands for quantiles.
void add_name(std::set<std::string>& names, const std::string& name) {
  const auto place = name.find("pNN");
  if (place == std::string::npos) {
    names.insert(name);
    return;
  }
  for (const char* const quantile : {"p50", "p95", "p99"})
    names.insert(std::string(name).replace(place, 3, quantile));
}

/// All that the page has between backticks; ".last" has the other parts of the name before it.
std::set<std::string> documented() {
  std::ifstream file(SPECROUTE_SOURCE_DIR "/docs/metrics.md");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::set<std::string> names;
  std::string before;
  std::size_t begin = text.find('`');
  while (begin != std::string::npos) {
    const std::size_t end = text.find('`', begin + 1);
    std::string name = text.substr(begin + 1, end - begin - 1);
    if (name.starts_with('.')) name.insert(0, before, 0, before.rfind('.'));
    add_name(names, name);
    before = name;
    begin = end == std::string::npos ? end : text.find('`', end + 1);
  }
  return names;
}

/// A scenario that has all the kinds of metrics, of a target T, a draft D and others called NAME.
Scenario with_everything() {
  Scenario s{};
  s.pools.resize(1);
  Backend target{};
  target.name = "T";
  target.role = Role::target;
  target.pool = PoolId{0};
  target.repetition_detection = RepetitionDetection{1, 2, 3};
  target.options.admission = Admission::on_demand;
  target.options.prefix_caching = true;
  Backend draft{};
  draft.name = "D";
  draft.role = Role::draft;
  draft.pool = PoolId{0};
  s.backends = {target, draft};
  RequestClass one{};
  one.name = "NAME";
  one.tenants = {{"NAME", 1.0}};
  one.arrivals.trace.emplace();
  one.arrivals.trace->rows = std::make_shared<const Trace>();
  s.classes = {one};
  s.router.breaker.emplace();
  Override change{};
  change.backend = BackendId{1};
  change.owner = "OWNER";
  s.overrides = {change};
  return s;
}

/// The name as the page writes it.
std::string general(const std::string& name) {
  for (const char* const own : {".T", ".D"})
    if (name.ends_with(own)) return name.substr(0, name.size() - 1) + "NAME";
  return name == "degraded.by_pairing.T+alone" ? "degraded.by_pairing.T+D" : name;
}

TEST(MetricsPage, NamesEveryMetricOfASummary) {
  const auto page = documented();
  const auto names = metric_names(with_everything());
  EXPECT_GT(names.size(), 130U);
  for (const std::string& name : names)
    EXPECT_TRUE(page.contains(general(name))) << name << " is not in docs/metrics.md";
}

// The path that an expectation may use too is another name of one that the page has.
TEST(MetricsPage, NamesWhatReplacesAPath) {
  const auto page = documented();
  for (const std::string& path : replaced_metric_paths())
    EXPECT_TRUE(page.contains(published_name(path))) << path;
}

}  // namespace
}  // namespace specroute::sim
