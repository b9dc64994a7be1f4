/// @file
/// The least scenario that is valid, and small edits of it.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "sim/json/diagnostics_text.hpp"
#include "sim/scenario/reader.hpp"

namespace specroute::sim {

inline std::string file_text(const std::string& path) {
  std::ifstream stream(std::string(SPECROUTE_SOURCE_DIR) + "/" + path, std::ios::binary);
  EXPECT_TRUE(stream) << path;
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

inline std::string minimal_text() {
  return file_text("tests/unit/sim_scenario/minimal.json");
}

inline ReadOptions plain_options() {
  return {.catalogue = {.devices = {"H100-SXM-80", "A10G-24"},
                        .models = {"llama-3.1-8b", "smollm-135m"},
                        .metrics = {}},
          .validate_gate = {}};
}

/// The minimal scenario with the one occurrence of `before` made `after`.
inline std::string edited(const std::string& before, const std::string& after) {
  std::string text = minimal_text();
  const auto place = text.find(before);
  EXPECT_NE(place, std::string::npos) << before;
  EXPECT_EQ(text.find(before, place + 1), std::string::npos) << before;
  return text.replace(place, before.size(), after);
}

inline Result<Scenario> parsed(const std::string& text) {
  return parse_scenario(text, "minimal.json", plain_options());
}

/// The diagnostics of `text`, one a line; empty where it is valid.
inline std::string faults_of(const std::string& text) {
  const auto result = parsed(text);
  return result.ok() ? std::string{} : format_diagnostics(result.diagnostics());
}

/// Of a text without faults.
inline Scenario accepted(const std::string& text) {
  const auto result = parsed(text);
  EXPECT_TRUE(result.ok()) << faults_of(text);
  return result.ok() ? result.value() : Scenario{};
}

}  // namespace specroute::sim
