// Names, openings of public headers, and the sources of randomness and time that results may not
// have.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <sstream>

#include "tests/unit/house/code_text.hpp"
#include "tests/unit/house/source_tree.hpp"

namespace specroute::house {
namespace {

// One rule over lines of code: text that matches breaks it.
struct LineRule {
  std::regex pattern;
  std::string what;
};

// Libm's transcendentals change bits with the CPU, the library's distributions with the library.
const std::vector<LineRule>& determinism_rules() {
  static const std::vector<LineRule> rules = {
      {std::regex(
           R"(\bstd::(exp|exp2|expm1|log|log2|log10|log1p|pow|sin|cos|tan|asin|acos|atan|atan2|)"
           R"(sinh|cosh|tanh|cbrt|hypot|erf|erfc|tgamma|lgamma)\s*\()"),
       "libm's bits change with the CPU; call models/random/portable_math.hpp"},
      {std::regex(R"(\bstd::(\w+_distribution|random_device|mt19937(_64)?|shuffle)\b)"),
       "the standard library's randomness differs between implementations; draw from a named "
       "stream"},
      {std::regex(R"(\b(system_clock|high_resolution_clock)\b|\bstd::time\s*\()"),
       "a result has no wall clock"},
  };
  return rules;
}

Violations line_violations(const SourceFile& file, const std::vector<LineRule>& rules) {
  Violations found;
  std::size_t number = 0;
  for (const auto& line : lines_of(code_only(file.text))) {
    ++number;
    for (const auto& rule : rules) {
      if (std::regex_search(line, rule.pattern)) found.push_back({file.path, number, rule.what});
    }
  }
  return found;
}

Violations determinism_violations(const std::vector<SourceFile>& files) {
  Violations found;
  for (const auto& file : files) {
    const bool computes =
        lies_in(file.path, "models") || lies_in(file.path, "sim") || lies_in(file.path, "router");
    if (!computes || lies_in(file.path, "sim/cli")) continue;
    const auto here = line_violations(file, determinism_rules());
    found.insert(found.end(), here.begin(), here.end());
  }
  return found;
}

/// A policy's state has no floating point: where the router has any, it reads a configuration, or
/// is one of the stateless calls that compute as the seed does.
Violations floating_point_violations(const std::vector<SourceFile>& files) {
  static const std::vector<LineRule> rules = {
      {std::regex(R"(\b(double|float)\b)"), "a policy's state and its decisions are of integers"}};
  static const std::vector<std::string> stateless = {"router/config.cpp", "router/params_hash.cpp",
                                                     "router/seed_rule.cpp",
                                                     "router/text_buffer.hpp"};
  Violations found;
  for (const auto& file : files) {
    const bool is_stateless = std::ranges::find(stateless, file.path) != stateless.end();
    const bool is_beside =
        lies_in(file.path, "router/examples") || lies_in(file.path, "router/bindings");
    if (!lies_in(file.path, "router") || is_stateless || is_beside) continue;
    const auto here = line_violations(file, rules);
    found.insert(found.end(), here.begin(), here.end());
  }
  return found;
}

Violations name_violations(const std::vector<std::string>& paths) {
  static const std::regex vague("(^|_)(utils?|helpers?|common|managers?|contexts?|misc)(_|$)");
  Violations found;
  for (const auto& path : paths) {
    for (const auto& part : std::filesystem::path(path)) {
      if (!std::regex_search(part.stem().string(), vague)) continue;
      found.push_back({path, 1, "\"" + part.string() + "\" says nothing; name the one concern"});
    }
  }
  return found;
}

Violations type_name_violations(const std::vector<SourceFile>& files) {
  static const std::vector<LineRule> rules = {
      {std::regex(R"(\b(class|struct)\s+\w*(Manager|Context|Helpers?|Utils?)\b)"),
       "a type is named for what it is"}};
  Violations found;
  for (const auto& file : files) {
    const auto here = line_violations(file, rules);
    found.insert(found.end(), here.begin(), here.end());
  }
  return found;
}

Violations opening_violations(const std::vector<SourceFile>& files) {
  Violations found;
  for (const auto& file : files) {
    // The C header keeps to the comments that every C compiler takes.
    const auto* mark = file.path.ends_with(".h") ? "/** @file\n" : "/// @file\n";
    if (!lies_in(file.path, "include") || file.text.starts_with(mark)) continue;
    found.push_back({file.path, 1, "a public header opens with its @file mark"});
  }
  return found;
}

TEST(Conventions, PublicHeadersOpenWithTheFileMark) {
  EXPECT_EQ(to_string(opening_violations(source_files())), "");
}

TEST(Conventions, NoFileHasAVagueName) {
  EXPECT_EQ(to_string(name_violations(code_folder_paths())), "");
}

TEST(Conventions, NoTypeHasAVagueName) {
  EXPECT_EQ(to_string(type_name_violations(source_files())), "");
}

TEST(Conventions, APolicyDecidesByIntegers) {
  EXPECT_EQ(to_string(floating_point_violations(source_files())), "");
  EXPECT_EQ(floating_point_violations({{"router/fleet.cpp", "double mean = 0.0;"}}).size(), 1U);
  EXPECT_EQ(floating_point_violations({{"router/config.cpp", "double unit = 1e6;"}}).size(), 0U);
}

TEST(Conventions, ResultsHaveNoHiddenSourceOfBits) {
  EXPECT_EQ(to_string(determinism_violations(source_files())), "");
}

TEST(ConventionRules, CatchAVagueName) {
  EXPECT_EQ(name_violations({"sim/engine/event_utils.hpp"}).size(), 1U);
  EXPECT_EQ(name_violations({"sim/common/a.hpp"}).size(), 1U);
  EXPECT_EQ(name_violations({"sim/engine/commonality.hpp", "sim/engine/lane.hpp"}).size(), 0U);
  EXPECT_EQ(type_name_violations({{"sim/a.hpp", "class RunManager {};"}}).size(), 1U);
}

TEST(ConventionRules, CatchAHeaderWithoutItsMark) {
  EXPECT_EQ(opening_violations({{"include/specroute/a.hpp", "#pragma once\n"}}).size(), 1U);
  EXPECT_EQ(opening_violations({{"include/specroute/a.hpp", "/// @file\n"}}).size(), 0U);
  EXPECT_EQ(opening_violations({{"include/specroute/a.h", "/** @file\n"}}).size(), 0U);
}

TEST(ConventionRules, CatchAHiddenSourceOfBits) {
  const auto verdict = [](const std::string& path, const std::string& line) {
    return determinism_violations({{path, line}}).size();
  };
  EXPECT_EQ(verdict("models/a.cpp", "x = std::exp(y);"), 1U);
  EXPECT_EQ(verdict("models/a.cpp", "x = std::sqrt(y);  // not std::exp(y)"), 0U);
  EXPECT_EQ(verdict("sim/serving/a.cpp", "std::normal_distribution<double> d;"), 1U);
  EXPECT_EQ(verdict("sim/engine/a.cpp", "std::chrono::system_clock::now();"), 1U);
  EXPECT_EQ(verdict("tests/unit/a.cpp", "x = std::exp(y);"), 0U);
}

}  // namespace
}  // namespace specroute::house
