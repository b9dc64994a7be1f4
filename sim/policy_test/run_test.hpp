/// @file
/// Plays one test to a policy of its own, as a router would, and compares what it said.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <specroute/policy_abi.h>

#include "sim/policy_test/suite.hpp"

namespace specroute::sim {

/// One way in which a test failed.
struct TestFailure {
  enum class Kind {
    missing,     ///< an expected decision did not come
    barred,      ///< one came that must never come
    unexpected,  ///< one came that nobody expected, where the test says "exactly"
    refused      ///< the policy refused an event, or the host could not go on
  };
  Kind kind;
  std::string pointer;       ///< the pattern, or the event's entry, in the file
  std::uint64_t number = 0;  ///< of the event, from 1, ticks and outcomes included; 0: none
  srp_ns at = 0;             ///< its date
  std::string event;         ///< in one line of JSON, without what is 0; empty: none
  std::string expected;
  std::string got;
  std::string explain;  ///< the policy's sentence on what was got; empty: nothing was
};

struct TestOutcome {
  std::string name;
  std::string pointer;
  std::uint64_t events = 0;
  std::uint64_t decisions = 0;  ///< of the input, HOLD included
  std::vector<TestFailure> failures;
  [[nodiscard]] bool passed() const { return failures.empty(); }
};

/// Runs one test. Deterministic: the policy has no clock. Ticks come before events of their date.
[[nodiscard]] TestOutcome run_test(const PolicyTest& test, const srp_module& module);

}  // namespace specroute::sim
