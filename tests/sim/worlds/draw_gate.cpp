#include "tests/sim/worlds/draw_gate.hpp"

#include "router/config.hpp"
#include "tests/sim/worlds/draw.hpp"
#include "tests/unit/router/all_gates.hpp"

namespace specroute::sim {
namespace {

struct Knob {
  const char* key;
  double low;
  double high;
  bool whole;
};

constexpr Knob kKnobs[] = {{"min_drafted", 1, 400, true},
                           {"cool_down_s", 0.05, 2.0, false},
                           {"retry_s", 0.05, 1.0, false},
                           {"delta_threshold", 0.0, 0.4, false},
                           {"baseline_window_s", 0.2, 5.0, false},
                           {"params_hash_version", 1, 2, true},
                           {"no_draft_s", 0.05, 1.0, false},
                           {"ewma_weight", 0.05, 1.0, false},
                           {"control_limit_sigma", 0.2, 4.0, false},
                           {"allowance", 0.0, 0.1, false},
                           {"sum_limit_tokens", 1, 60, true},
                           {"error_rate", 0.001, 0.3, false},
                           {"min_windows", 2, 20, true},
                           {"low_threshold", 0.0, 0.7, false},
                           {"ejection_sigma", 0.2, 2.0, false},
                           {"min_pairings", 2, 5, true},
                           {"max_ejected_share", 0.0, 1.0, false},
                           {"failure_share", 0.05, 0.6, false},
                           {"min_requests", 1, 20, true},
                           {"probe_requests", 1, 5, true},
                           {"tolerated_share", 0.0, 0.2, false},
                           {"min_verdicts", 1, 30, true},
                           {"observation_s", 0.2, 5.0, false},
                           {"quarantine_s", 0.05, 1.0, false},
                           {"max_quarantine_s", 1.0, 3.0, false}};

/// Whether the gate reads such a key beside those of `text`: the router refuses others.
bool takes(const std::string& text, const std::string& member) {
  router::Config config;
  return !router::parse_config(text + ", " + member + "}", config);
}

}  // namespace

std::string hasty_gate(const std::string& gate, std::uint64_t seed, const std::string& mode) {
  Draw draw(seed, "hasty gate");
  std::string text = R"({"gate": ")" + gate + R"(", "mode": ")" + mode + '"';
  const auto add = [&](const std::string& member) {
    if (takes(text, member)) text += ", " + member;
  };
  for (const Knob& knob : kKnobs) {
    const double value = draw.real(knob.low, knob.high);
    const auto whole =
        draw.between(static_cast<std::uint32_t>(knob.low), static_cast<std::uint32_t>(knob.high));
    add('"' + std::string(knob.key) +
        "\": " + (knob.whole ? std::to_string(whole) : std::to_string(value)));
  }
  if (draw.chance(0.3)) add(R"("rebind": "match_draft")");
  return text + "}";
}

Gate draw_gate(std::uint64_t seed) {
  const auto gates = router::test::all_gates();
  const std::string& name = gates[seed % gates.size()];
  Draw draw(seed, "gate");
  return {"gate",
          draw.chance(0.25) ? R"({"gate": ")" + name + R"("})" : hasty_gate(name, seed, "active")};
}

}  // namespace specroute::sim
