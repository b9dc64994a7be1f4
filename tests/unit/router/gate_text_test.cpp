// What each gate's file and the README say of it, against the schema that the module exports.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <specroute/router/policy.hpp>
#include <string>
#include <vector>

#include "tests/unit/router/all_gates.hpp"

namespace specroute::router::test {
namespace {

std::string text_of(const std::string& path) {
  std::ifstream file(std::string(SPECROUTE_SOURCE_DIR) + "/" + path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// The comment that a gate's file opens with, as one line.
std::string opening_of(const std::string& gate) {
  const auto text = text_of("router/gates/" + gate + ".cpp");
  const auto opening = text.substr(0, text.find("#include"));
  return std::regex_replace(opening, std::regex(R"(\n///\s*)"), " ");
}

/// Keys that a gate reads, less those of every instance.
std::set<std::string> keys_of(const std::string& gate) {
  const srp_str text = linked_module().config_schema;
  const auto schema = nlohmann::json::parse(text.ptr, text.ptr + text.len);
  std::set<std::string> keys;
  for (const auto& branch : schema["allOf"]) {
    const auto& gates = branch["if"]["properties"]["gate"]["enum"];
    if (std::find(gates.begin(), gates.end(), gate) == gates.end()) continue;
    for (const auto& key : branch["then"]["propertyNames"]["enum"]) keys.insert(key);
  }
  for (const char* shared : {"gate", "mode", "max_pairings", "max_backends", "max_baselines"})
    keys.erase(shared);
  return keys;
}

TEST(GateText, NamesStatisticParametersSourceAndLimits) {
  for (const auto& gate : all_gates()) {
    const auto opening = opening_of(gate);
    for (const std::string& part :
         std::vector<std::string>{"`" + gate + "`: ", " Statistic: ", " Parameters: ", " @source "})
      EXPECT_NE(opening.find(part), std::string::npos) << gate << " does not say '" << part << "'";
    EXPECT_TRUE(std::regex_search(opening, std::regex("annot (see|tell)"))) << gate;
  }
}

TEST(GateText, ListsTheKeysThatTheSchemaHas) {
  const std::regex list(R"(Parameters: ([a-z_, ]+)\.)");
  for (const auto& gate : all_gates()) {
    const auto opening = opening_of(gate);
    std::smatch found;
    ASSERT_TRUE(std::regex_search(opening, found, list)) << gate;
    const std::string listed = found[1];
    const std::regex word("[a-z_]+");
    const std::set<std::string> keys{std::sregex_token_iterator(listed.begin(), listed.end(), word),
                                     std::sregex_token_iterator()};
    EXPECT_EQ(keys, keys_of(gate)) << gate;
  }
}

TEST(GateText, HasALineOfTheReadmeForEachGate) {
  const auto readme = text_of("router/README.md");
  // Six columns: gate, speaks by, own keys, sees, cannot see, source.
  const std::regex row(R"(\n\| `([a-z_]+)` \|[^|\n]+\|[^|\n]*\|[^|\n]+\|[^|\n]+\|[^|\n]+\|(?=\n))");
  std::vector<std::string> rows;
  for (std::sregex_iterator at(readme.begin(), readme.end(), row), end; at != end; ++at)
    rows.push_back((*at)[1]);
  EXPECT_EQ(rows, all_gates());
}

}  // namespace
}  // namespace specroute::router::test
