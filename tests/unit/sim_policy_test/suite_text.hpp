/// @file
/// Small files of policy tests, for the tests of their reader and runner.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <specroute/policy_abi.h>

#include "sim/policy_test/run_test.hpp"
#include "sim/policy_test/suite.hpp"

namespace specroute::sim {

inline const srp_module& built_in() {
  return *srp_module_get(SRP_ABI_V1);
}

/// A file about one pairing, "pair", of backends 2 and 3, that is bound at 0 s.
/// @param members of the one test beside its name, as "\"input\": [...], ..."
inline std::string suite_about(const std::string& config, const std::string& members) {
  return R"({"config": )" + config + R"(,
  "parameters": {"wanted": {"temperature": 0.7}, "stale": {"temperature": 0}},
  "profiles": {"chat": {"requires": "wanted"}},
  "sides": {"draft": {"backend": 2, "parameters": "wanted"}, "target": {"backend": 3, "parameters": "wanted"}},
  "pairings": {"pair": {"draft": "draft", "target": "target"}},
  "given": [{"type": "bind", "pairing": "pair"}],
  "tests": [{"name": "it", )" +
         members + "}]}";
}

/// The faults of a file that is expected to have some, one a line.
inline std::string suite_faults(const std::string& text) {
  const auto suite = parse_suite(text, "t.json", built_in());
  if (suite) return "none";
  std::string lines;
  for (const Diagnostic& fault : suite.diagnostics()) lines += to_string(fault) + '\n';
  return lines;
}

/// The suite of a text that is expected to have no fault.
inline PolicySuite suite_of(const std::string& text) {
  auto suite = parse_suite(text, "t.json", built_in());
  EXPECT_EQ(suite ? "" : suite_faults(text), "");
  return suite ? std::move(suite).value() : PolicySuite{};
}

/// What becomes of the first test of such a text.
inline TestOutcome outcome_of(const std::string& text) {
  const PolicySuite suite = suite_of(text);
  return suite.tests.empty() ? TestOutcome{} : run_test(suite.tests.front(), built_in());
}

}  // namespace specroute::sim
