#include <gtest/gtest.h>

#include "tests/unit/house/include_lines.hpp"
#include "tests/unit/house/include_rules.hpp"

namespace specroute::house {
namespace {

SourceFile made_up(const std::string& path, const std::string& include) {
  return {path, "// made up\n#include " + include + "\n"};
}

// The layers' verdict on one made-up line; the included file exists.
Violations layer_verdict(const std::string& path, const std::string& included) {
  return layer_violations({made_up(path, "\"" + included + "\""), {included, ""}});
}

TEST(IncludeLines, PointOneWayThroughTheLayers) {
  EXPECT_EQ(to_string(layer_violations(source_files())), "");
}

TEST(IncludeLines, FormNoCircleOfFolders) {
  EXPECT_EQ(to_string(circle_violations(source_files())), "");
}

TEST(IncludeLines, KeepEachLibraryInItsPlace) {
  EXPECT_EQ(to_string(library_violations(source_files())), "");
}

TEST(IncludeLines, AreReadFromTheWholeTree) {
  std::size_t ours = 0;
  for (const auto& file : source_files()) ours += lies_in(file.path, "include/specroute/vocab");
  EXPECT_GE(ours, 4U);
}

TEST(IncludeLines, AreReadInEverySpelling) {
  const auto found = include_lines("#include <a/b.hpp>\n\n  # include \"c.hpp\"  // why\n#if 0\n");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].spelling, "a/b.hpp");
  EXPECT_FALSE(found[0].quoted);
  EXPECT_EQ(found[1].spelling, "c.hpp");
  EXPECT_TRUE(found[1].quoted);
  EXPECT_EQ(found[1].line, 3U);
}

TEST(IncludeRules, CatchALineAgainstTheLayers) {
  EXPECT_EQ(to_string(layer_verdict("models/devices/device.cpp", "sim/engine/lane.hpp")),
            "models/devices/device.cpp:2: models must not include sim/engine/lane.hpp\n");
  EXPECT_EQ(layer_verdict("sim/serving/batch.cpp", "sim/routing/prober.hpp").size(), 1U);
  EXPECT_EQ(layer_verdict("sim/routing/prober.cpp", "sim/serving/batch.hpp").size(), 1U);
  EXPECT_EQ(layer_verdict("sim/routing/prober.cpp", "models/degradation/loop.hpp").size(), 1U);
  EXPECT_EQ(layer_verdict("router/gate.cpp", "models/random/stream.hpp").size(), 1U);
  EXPECT_EQ(layer_verdict("router/gate.cpp", "sim/scenario/scenario.hpp").size(), 1U);
  EXPECT_EQ(layer_verdict("sim/report/summary.cpp", "sim/cli/options.hpp").size(), 1U);
  EXPECT_EQ(layer_verdict("sim/new_folder/a.cpp", "include/specroute/vocab/id.hpp").size(), 1U);
}

TEST(IncludeRules, PassALineAlongTheLayers) {
  EXPECT_EQ(to_string(layer_verdict("sim/serving/batch.cpp", "models/degradation/loop.hpp")), "");
  EXPECT_EQ(to_string(layer_verdict("sim/cli/main.cpp", "sim/report/summary.hpp")), "");
}

TEST(IncludeRules, CatchAPathThatIsNotFromTheRoot) {
  EXPECT_EQ(layer_violations({made_up("sim/serving/batch.cpp", "\"batch.hpp\"")}).size(), 1U);
}

TEST(IncludeRules, CatchACircle) {
  const auto there = made_up("models/random/a.hpp", "\"models/devices/b.hpp\"");
  const auto back = made_up("models/devices/b.hpp", "\"models/random/a.hpp\"");
  EXPECT_EQ(circle_violations({there, back}).size(), 2U);
  EXPECT_EQ(circle_violations({there}).size(), 0U);
}

TEST(IncludeRules, CatchALibraryOutOfPlace) {
  const auto verdict = [](const std::string& path, const std::string& include) {
    return library_violations({made_up(path, include)}).size();
  };
  EXPECT_EQ(verdict("sim/serving/batch.cpp", "<simgrid/s4u.hpp>"), 1U);
  EXPECT_EQ(verdict("sim/engine/lane.cpp", "<simgrid/s4u.hpp>"), 0U);
  EXPECT_EQ(verdict("sim/cli/main.cpp", "<nlohmann/json.hpp>"), 1U);
  EXPECT_EQ(verdict("sim/json/json_text.cpp", "<nlohmann/json.hpp>"), 0U);
  EXPECT_EQ(verdict("sim/scenario/reader.hpp", "<nlohmann/json.hpp>"), 1U);
  EXPECT_EQ(verdict("models/random/a.cpp", "<new_library/a.hpp>"), 1U);
  EXPECT_EQ(verdict("sim/engine/child.hpp", "<sys/types.h>"), 0U);
  EXPECT_EQ(verdict("sim/serving/child.cpp", "<sys/types.h>"), 1U);
}

TEST(IncludeRules, LetOneFileOfTheRouterReadJson) {
  const auto one = made_up("router/configuration.cpp", "<nlohmann/json.hpp>");
  const auto two = made_up("router/gate.cpp", "<nlohmann/json.hpp>");
  EXPECT_EQ(library_violations({one}).size(), 0U);
  EXPECT_EQ(library_violations({one, two}).size(), 2U);
}

}  // namespace
}  // namespace specroute::house
