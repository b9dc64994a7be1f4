// The configurations of gates in the scenarios, by the schema that the module exports and by the
// module itself: a tool that knows only the schema must come to the module's verdict.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <specroute/router/policy.hpp>
#include <string>
#include <vector>

#include "sim/json/schema_verdict.hpp"

namespace specroute::sim {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct Configured {
  std::string where;
  json config;
};

/// Those of every scenario that is shipped, with its file and label.
const std::vector<Configured>& shipped() {
  static const std::vector<Configured> found = [] {
    std::vector<Configured> configs;
    for (const auto& entry : fs::directory_iterator(SPECROUTE_SOURCE_DIR "/scenarios")) {
      if (entry.path().extension() != ".json") continue;
      std::ifstream file(entry.path());
      const json scenario = json::parse(file);
      for (const auto& [label, config] : scenario.at("gates").items())
        configs.push_back({entry.path().filename().string() + " " + label, config});
    }
    return configs;
  }();
  return found;
}

bool module_accepts(const std::string& text) {
  return router::linked_module().validate({text.data(), text.size()}, nullptr) == SRP_OK;
}

SchemaVerdict module_schema() {
  const srp_str text = router::linked_module().config_schema;
  return SchemaVerdict({text.ptr, text.len});
}

TEST(GateConfigSchema, AcceptsEveryConfigurationOfTheScenarios) {
  const auto schema = module_schema();
  EXPECT_GT(shipped().size(), 150U);
  for (const auto& [where, config] : shipped()) {
    const std::string text = config.dump();
    EXPECT_TRUE(schema.accepts(text)) << where << ": " << text;
    EXPECT_TRUE(module_accepts(text)) << where << ": " << text;
  }
}

TEST(GateConfigSchema, RefusesWhatTheModuleRefuses) {
  const auto schema = module_schema();
  const std::vector<json> spoilt = {
      {{"gaet", "none"}},       {{"cool_down_s", -1}},     {{"min_drafted", 3.7}},
      {{"cool_down_s", "300"}}, {{"cool_down_s", 1e7}},    {{"mode", "shadw"}},
      {{"gate", "no_such"}},    {{"gate", nullptr}},       {{"max_pairings", 0}},
      {{"delta_threshold", 1}}, {{"low_threshold", true}},
  };
  for (const auto& [where, config] : shipped()) {
    for (const auto& change : spoilt) {
      json changed = config;
      changed.update(change);
      const std::string text = changed.dump();
      EXPECT_FALSE(schema.accepts(text)) << where << ": " << text;
      EXPECT_FALSE(module_accepts(text)) << where << ": " << text;
    }
  }
}

// Of all keys, those that a gate does not read are refused by both, and the others by neither.
TEST(GateConfigSchema, AgreesWithTheModuleOnEveryGateAndKey) {
  const auto schema = module_schema();
  const srp_str text = router::linked_module().config_schema;
  const json document = json::parse(text.ptr, text.ptr + text.len);
  std::size_t refused = 0;
  for (const auto& gate : document["properties"]["gate"]["enum"]) {
    for (const auto& [key, rule] : document["properties"].items()) {
      if (key == "gate") continue;
      const std::string config = json{{"gate", gate}, {key, rule["default"]}}.dump();
      EXPECT_EQ(schema.accepts(config), module_accepts(config)) << config;
      refused += schema.accepts(config) ? 0U : 1U;
    }
  }
  EXPECT_GT(refused, 100U);
}

}  // namespace
}  // namespace specroute::sim
