#include "sim/experiment/load_scenario.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "sim/experiment/gate_selection.hpp"
#include "sim/json/diagnostics_text.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace specroute::sim {
namespace {

const std::string kSmall = SPECROUTE_SOURCE_DIR "/tests/unit/sim_cli/small.json";

/// The diagnostics of the small scenario with some text replaced.
std::string faults_with(const std::string& old_text, const std::string& new_text) {
  std::stringstream text;
  text << std::ifstream(kSmall).rdbuf();
  std::string edited = text.str();
  const std::size_t place = edited.find(old_text);
  EXPECT_NE(place, std::string::npos);
  edited.replace(place, old_text.size(), new_text);
  const ScratchFolder scratch;
  const auto path = scratch.path() / "scenario.json";
  std::ofstream(path) << edited;
  const auto scenario = load_scenario(path.string(), *srp_module_get(SRP_ABI_V1));
  return scenario ? "" : format_diagnostics(scenario.diagnostics());
}

Scenario small() {
  auto scenario = load_scenario(kSmall, *srp_module_get(SRP_ABI_V1));
  EXPECT_TRUE(scenario.ok());
  return std::move(scenario).value();
}

TEST(LoadScenario, KnowsTheMetricsOfItsOwnBackends) {
  EXPECT_EQ(faults_with("\"detection_ms\"", "\"utilisation.draft-a10g-02\""), "");
}

TEST(LoadScenario, RefusesAMetricOfABackendThatIsNotThere) {
  EXPECT_NE(faults_with("\"detection_ms\"", "\"utilisation.draft-a10g-03\"")
                .find("/expect/2/metric: expected a metric of the summary"),
            std::string::npos);
}

TEST(LoadScenario, NamesTheNearestMetric) {
  EXPECT_NE(
      faults_with("\"detection_ms\"", "\"detecton_ms\"").find("did you mean \"detection_ms\""),
      std::string::npos);
}

TEST(LoadScenario, LetsThePolicyModuleJudgeGates) {
  EXPECT_NE(faults_with("\"gate\": \"validity\"", "\"gate\": \"vality\"").find("/gates/validity"),
            std::string::npos);
}

TEST(SelectGates, KeepsTheOrderOfTheScenario) {
  const auto gates = select_gates(small(), {"validity", "none", "validity"});
  ASSERT_TRUE(gates.ok());
  ASSERT_EQ(gates.value().size(), 2U);
  EXPECT_EQ(gates.value()[0].label, "none");
}

TEST(SelectGates, TakesAllWhereNoneIsNamed) {
  EXPECT_EQ(select_gates(small(), {}).value().size(), 2U);
}

TEST(SelectGates, NamesEveryLabelThatNoGateHas) {
  const auto gates = select_gates(small(), {"vality", "x"});
  ASSERT_FALSE(gates.ok());
  ASSERT_EQ(gates.diagnostics().size(), 2U);
  EXPECT_EQ(gates.diagnostics()[0].nearest, "validity");
}

}  // namespace
}  // namespace specroute::sim
