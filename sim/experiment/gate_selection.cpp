#include "sim/experiment/gate_selection.hpp"

#include <algorithm>

#include "sim/json/nearest.hpp"

namespace specroute::sim {

Result<std::vector<Gate>> select_gates(const Scenario& scenario,
                                       const std::vector<std::string>& labels) {
  if (labels.empty()) return scenario.gates;
  std::vector<std::string> known;
  for (const Gate& gate : scenario.gates) known.push_back(gate.label);
  Diagnostics faults;
  for (const std::string& label : labels)
    if (std::ranges::find(known, label) == known.end())
      faults.push_back({.file = {},
                        .place = "--gates",
                        .expected = "the label of a gate of " + scenario.name,
                        .found = '"' + label + '"',
                        .nearest = nearest_of(label, known)});
  if (!faults.empty()) return faults;
  std::vector<Gate> selected;
  for (const Gate& gate : scenario.gates)
    if (std::ranges::find(labels, gate.label) != labels.end()) selected.push_back(gate);
  return selected;
}

}  // namespace specroute::sim
