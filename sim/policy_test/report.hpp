/// @file
/// What became of files of policy tests: as text, as JSON, as JUnit XML.
#pragma once

#include <string>
#include <vector>

#include "sim/policy_test/run_test.hpp"

namespace specroute::sim {

struct SuiteOutcome {
  std::string file;
  std::string text;  ///< of the file: pointers lead to its lines
  std::vector<TestOutcome> tests;
};

struct Tally {
  std::size_t passed = 0;
  std::size_t failed = 0;
};

[[nodiscard]] Tally tally_of(const std::vector<SuiteOutcome>& suites);

/// The failures of a file, each with test, line, event, what was expected and got, and the policy's
/// sentence; empty where it has none.
[[nodiscard]] std::string failure_text(const SuiteOutcome& suite);

/// "12 passed, 1 failed".
[[nodiscard]] std::string tally_text(const Tally& tally);

/// {"schema": "specroute-policy-tests/1", "passed", "failed", "files": [...]}, ended by a line
/// break.
[[nodiscard]] std::string suites_json(const std::vector<SuiteOutcome>& suites);

/// One <testsuite> per file, one <testcase> per test, one <failure> per failure.
[[nodiscard]] std::string suites_junit(const std::vector<SuiteOutcome>& suites);

}  // namespace specroute::sim
