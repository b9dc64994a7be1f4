/// @file
/// Small mappings, expositions and replays.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include "sim/replay/replay.hpp"
#include "sim/telemetry/read_telemetry.hpp"

namespace specroute::sim {

inline constexpr UnixTime kSecond = kNanosecondsPerSecond;

/// One pairing "alpha" of backends "draft" and "target" under profile "p", on engines labelled
/// job="vllm", and what else the test wants of the document.
inline std::string mapping_text(const std::string& pairing_rest = "",
                                const std::string& rest = "") {
  return R"({"$schema": "s", "profiles": [{"name": "p", "sampling": {"temperature": 0.7}}],
             "backends": [{"name": "draft", "tokenizer": "v", "as_requested": true, "provenance": "live"},
                          {"name": "target", "tokenizer": "v", "as_requested": true, "provenance": "live"}],
             "pairings": [{"name": "alpha", "draft": "draft", "target": "target", "profile": "p",
                           "match": {"job": "vllm"})" +
         pairing_rest + "}]" + rest + "}";
}

inline Mapping mapping_of(const std::string& text) {
  auto mapping = parse_mapping(text, "m.json");
  EXPECT_TRUE(mapping.ok()) << (mapping.ok() ? "" : to_string(mapping.diagnostics().front()));
  return std::move(mapping).value();
}

/// Counters of one engine at one date.
inline std::string scrape(std::uint64_t second, int drafts, int drafted, int accepted,
                          const std::string& labels = "job=\"vllm\"") {
  const auto line = [&](const char* name, int value) {
    return std::string("vllm:spec_decode_num_") + name + "{" + labels + "} " +
           std::to_string(value) + "\n";
  };
  return "# time " + std::to_string(second) + "\n" + line("drafts_total", drafts) +
         line("draft_tokens_total", drafted) + line("accepted_tokens_total", accepted);
}

inline Telemetry telemetry_of(const std::string& text,
                              TelemetryFormat format = TelemetryFormat::prometheus,
                              const FileSettings& settings = {}) {
  Telemetry telemetry;
  EXPECT_TRUE(read_telemetry({"f", text, format, settings}, telemetry).empty());
  return telemetry;
}

/// The windows of a script, by date.
inline std::vector<srp_ev_window> windows_of(const Script& script) {
  std::vector<srp_ev_window> windows;
  for (const ScriptEvent& event : script.events)
    if (event.record.head().type == SRP_EV_WINDOW)
      windows.push_back(reinterpret_cast<const srp_ev_window&>(event.record.head()));
  return windows;
}

inline ReplayGate gate_of(const std::string& name) {
  return {name, R"({"gate": ")" + name + "\"}", srp_module_get(SRP_ABI_V1)};
}

}  // namespace specroute::sim
