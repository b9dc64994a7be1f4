#include "sim/experiment/load_scenario.hpp"

#include <array>

#include "models/devices/device.hpp"
#include "models/devices/model_shape.hpp"
#include "sim/experiment/published_metrics.hpp"
#include "sim/routing/policy_host.hpp"
#include "sim/scenario/reader.hpp"

namespace specroute::sim {
namespace {

ReadOptions read_options(const srp_module& module) {
  ReadOptions options;
  for (const models::Device& device : models::devices())
    options.catalogue.devices.emplace_back(device.name);
  for (const models::ModelShape& shape : models::model_shapes())
    options.catalogue.models.emplace_back(shape.name);
  options.validate_gate = [&module](const std::string&, const std::string& config_json) {
    return validate_policy(module, {}, config_json);
  };
  return options;
}

/// Whether a fault is about a metric of one backend: nobody can tell before the fleet is read.
bool may_be_known_later(const Diagnostic& fault) {
  return fault.place.starts_with("/expect/") && fault.place.ends_with("/metric") &&
         fault.found.starts_with('"') && depends_on_scenario(fault.found.substr(1));
}

}  // namespace

Result<Scenario> load_scenario(const std::string& path, const srp_module& module,
                               const std::string& trace_file) {
  ReadOptions options = read_options(module);
  TraceStore traces;
  options.traces = &traces;
  options.trace_file = trace_file;
  // Which metrics there are depends on the fleet, so the expectations are looked at once that is
  // known; in a file with other faults, those that are wrong for any fleet are reported with them.
  const auto without_metrics = read_scenario(path, options);
  auto names = without_metrics ? metric_names(without_metrics.value()) : fixed_metric_names();
  const auto paths = replaced_metric_paths();
  names.insert(names.end(), paths.begin(), paths.end());
  options.catalogue.metrics = std::move(names);
  auto scenario = read_scenario(path, options);
  if (without_metrics || scenario) return scenario;
  Diagnostics faults = scenario.diagnostics();
  std::erase_if(faults, may_be_known_later);
  return faults.empty() ? without_metrics.diagnostics() : faults;
}

}  // namespace specroute::sim
