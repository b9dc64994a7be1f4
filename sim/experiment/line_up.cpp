#include "sim/experiment/line_up.hpp"

#include <algorithm>

#include "sim/experiment/gate_selection.hpp"
#include "sim/plugins/plugin_argument.hpp"
#include "sim/plugins/probe.hpp"

namespace specroute::sim {

Result<LineUp> line_up(const Scenario& scenario, const LineUpRequest& request) {
  auto gates = select_gates(scenario, request.gates);
  if (!gates) return gates.diagnostics();
  LineUp line_up{.gates = std::move(gates).value(), .asked = {}, .plugins = {}, .failures = {}};
  if (request.policies.empty()) return line_up;
  std::vector<std::string> taken;
  for (const Gate& gate : scenario.gates) taken.push_back(gate.label);
  auto asked = read_plugins(request.policies, taken);
  if (!asked) return asked.diagnostics();
  line_up.asked = std::move(asked).value();
  auto probed = probe_plugins(line_up.asked, request.policy_timeout);
  if (!probed) return probed.diagnostics();
  line_up.plugins = probed.value().plugins;
  for (const Plugin& plugin : line_up.plugins)
    line_up.gates.push_back({.label = plugin.label, .config_json = plugin.config_json});
  for (const ProbeFailure& failure : probed.value().failures) {
    const auto plugin = std::ranges::find(line_up.asked, failure.label, &Plugin::label);
    line_up.failures.push_back({.kind = JobFailure::Kind::misbehaving,
                                .gate = failure.label,
                                .seed = 0,
                                .healthy = false,
                                .diagnosis = failure.diagnosis,
                                .policy = plugin->identity.source,
                                .at_start = true});
  }
  return line_up;
}

}  // namespace specroute::sim
