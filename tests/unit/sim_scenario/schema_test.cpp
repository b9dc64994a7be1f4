#include "sim/scenario/schema.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "sim/json/json_pointer.hpp"
#include "sim/json/schema_reference.hpp"
#include "sim/json/schema_report.hpp"
#include "tests/unit/sim_scenario/minimal.hpp"

namespace specroute::sim {
namespace {

using Visit = std::function<void(const JsonValue& schema, const std::string& place)>;

/// Calls `visit` on every schema inside `schema`, itself included.
void each_schema(const JsonValue& schema, const std::string& place, const Visit& visit) {
  visit(schema, place);
  for (const char* key : {"items", "additionalProperties", "if", "then", "else"})
    if (const JsonValue* inner = schema.find(key))
      each_schema(*inner, child_pointer(place, key), visit);
  for (const char* key : {"properties", "definitions"})
    if (const JsonValue* table = schema.find(key))
      for (const auto& member : table->members)
        each_schema(member.value, child_pointer(place, member.key), visit);
  if (const JsonValue* all = schema.find("allOf"))
    for (std::size_t i = 0; i < all->items.size(); ++i)
      each_schema(all->items[i], child_pointer(place, i), visit);
}

TEST(ScenarioSchema, IsTheFileInTheRepository) {
  EXPECT_EQ(scenario_schema_text(), file_text("scenarios/schema/scenario.schema.json"));
}

TEST(ScenarioSchema, UsesOnlyKeywordsThatTheReporterKnows) {
  const std::set<std::string> known = {"$schema",
                                       "$ref",
                                       "title",
                                       "description",
                                       "type",
                                       "enum",
                                       "const",
                                       "default",
                                       "minimum",
                                       "maximum",
                                       "exclusiveMinimum",
                                       "exclusiveMaximum",
                                       "minLength",
                                       "minItems",
                                       "maxItems",
                                       "minProperties",
                                       "items",
                                       "properties",
                                       "required",
                                       "additionalProperties",
                                       "allOf",
                                       "if",
                                       "then",
                                       "else",
                                       "definitions"};
  each_schema(scenario_schema(), "", [&](const JsonValue& schema, const std::string& place) {
    for (const auto& member : schema.members)
      EXPECT_TRUE(known.contains(member.key)) << place << ": " << member.key;
    EXPECT_TRUE(schema.find("$ref") == nullptr || schema.members.size() == 1) << place;
  });
}

TEST(ScenarioSchema, ClosesEveryObject) {
  each_schema(scenario_schema(), "", [](const JsonValue& schema, const std::string& place) {
    const JsonValue* type = schema.find("type");
    if (type == nullptr || type->text != "object" || schema.find("properties") == nullptr) return;
    const JsonValue* additional = schema.find("additionalProperties");
    ASSERT_NE(additional, nullptr) << place;
    EXPECT_EQ(additional->kind, JsonValue::Kind::boolean) << place;
    EXPECT_FALSE(additional->boolean) << place;
  });
}

TEST(ScenarioSchema, DescribesEveryKey) {
  each_schema(scenario_schema(), "", [](const JsonValue& schema, const std::string& place) {
    if (schema.find("type") == nullptr) return;  // a branch
    const JsonValue* properties = schema.find("properties");
    if (properties == nullptr) return;
    for (const auto& member : properties->members)
      EXPECT_NE(resolve_reference(scenario_schema(), member.value).find("description"), nullptr)
          << place << "/" << member.key;
  });
}

TEST(ScenarioSchema, AcceptsItsOwnDefaults) {
  int defaults = 0;
  each_schema(scenario_schema(), "", [&](const JsonValue& schema, const std::string& place) {
    const JsonValue* preset = schema.find("default");
    if (preset == nullptr) return;
    ++defaults;
    EXPECT_TRUE(schema_matches(schema, *preset, scenario_schema())) << place;
  });
  EXPECT_GT(defaults, 40);
}

/// Optional keys whose absence means something of its own.
const std::set<std::string>& keys_without_default() {
  static const std::set<std::string> keys = {"until_s",
                                             "restart_after_s",
                                             "min",
                                             "max",
                                             "cv",
                                             "temperature",
                                             "calibrate",
                                             "information",
                                             "repetition_detection",
                                             "parameters",
                                             "forwarded_bytes_per_position",
                                             "kappa",
                                             "rule",
                                             "per_position",
                                             "acceptance_rates",
                                             "conditional_rates",
                                             "correlation",
                                             "context_decay",
                                             "draft_probabilities",
                                             "lenience",
                                             "typical_posterior_threshold",
                                             "typical_posterior_alpha",
                                             "accept_threshold_single",
                                             "accept_threshold_acc",
                                             "synthetic_acceptance_rates",
                                             "synthetic_acceptance_length",
                                             "shared_prefix",
                                             "sessions",
                                             "tenants",
                                             "prompt_tokens",
                                             "output_tokens",
                                             "requests",
                                             "over_s",
                                             "rate_factor",
                                             "duration_s",
                                             "spine_gbit_per_s",
                                             "uplinks_per_rack",
                                             "vocabulary_tokens",
                                             "draft_weights",
                                             "set"};
  return keys;
}

// An optional key without a default is one whose absence means something of its own.
TEST(ScenarioSchema, GivesADefaultToEachOptionalKeyButThese) {
  // What these say depends on their kind: no key of them has a meaning of its own.
  const std::set<std::string> by_kind = {"/fault", "/arrivals", "/length", "/telemetry_fault"};
  // Or a branch gives the default, as that of a preset does.
  const auto branches_give = [](const JsonValue& schema, const std::string& key) {
    bool given = false;
    each_schema(schema, "", [&](const JsonValue& inner, const std::string&) {
      const JsonValue* keys = inner.find("type") == nullptr ? inner.find("properties") : nullptr;
      const JsonValue* known = keys == nullptr ? nullptr : keys->find(key);
      given = given || (known != nullptr && known->find("default") != nullptr);
    });
    return given;
  };
  // Filters at a measurement: the two definitions of what was measured.
  const std::set<std::string> filters = {"top_p", "top_k", "min_p"};
  const std::set<std::string> measured = {"/acceptance_figure", "/per_position"};
  each_schema(scenario_schema(), "", [&](const JsonValue& schema, const std::string& place) {
    const JsonValue* properties = schema.find("properties");
    if (schema.find("type") == nullptr || properties == nullptr) return;
    if (schema.find("minProperties") != nullptr) return;  // `set`: absent is "not set"
    std::set<std::string> required;
    if (const JsonValue* list = schema.find("required"))
      for (const auto& key : list->items) required.insert(key.text);
    for (const auto& member : properties->members)
      EXPECT_TRUE(required.contains(member.key) || keys_without_default().contains(member.key) ||
                  (measured.contains(place) && filters.contains(member.key)) ||
                  by_kind.contains(place) || branches_give(schema, member.key) ||
                  member.value.find("default") != nullptr)
          << place << "/" << member.key;
  });
}

}  // namespace
}  // namespace specroute::sim
