/// @file
/// A file of policy tests, read: events as records, expectations as patterns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <specroute/policy_abi.h>
#include <specroute/vocab/result.hpp>

#include "sim/policy_test/expand.hpp"
#include "sim/policy_test/pattern.hpp"

namespace specroute::sim {

struct PolicyTest {
  std::string name;
  std::string pointer;  ///< in the file
  std::string config_json;
  std::vector<TimedEvent> events;  ///< in the order of their dates
  std::size_t given = 0;  ///< of them, the first so many: what is said of them is not judged
  srp_ns until = 0;       ///< ticks are sent until then; not before the last event
  bool ticks = true;
  std::optional<std::uint32_t> outcome;  ///< of every decision but HOLD at once; none: not told
  std::vector<DecisionPattern> expect;
  std::vector<DecisionPattern> never;
  bool exactly = false;                                ///< nothing but `expect`, HOLD aside
  std::map<std::uint64_t, std::string> pairing_names;  ///< as failures call them
};

struct PolicySuite {
  std::string file;
  std::string text;  ///< of the file: pointers lead to its lines
  std::vector<PolicyTest> tests;
};

/// Reads and checks the file at `path` for `module`. Fails with all faults at once, sorted by
/// place, each with line and column.
[[nodiscard]] Result<PolicySuite> read_suite(const std::string& path, const srp_module& module);

/// The same for a text in memory; `file` names it, and `config_file` is sought beside it.
[[nodiscard]] Result<PolicySuite> parse_suite(const std::string& text, const std::string& file,
                                              const srp_module& module);

/// The text of a file, or why there is none. "-" is standard input.
[[nodiscard]] Result<std::string> text_of_input(const std::string& path);

}  // namespace specroute::sim
