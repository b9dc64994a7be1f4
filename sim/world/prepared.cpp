#include "sim/world/prepared.hpp"

#include <algorithm>

#include <specroute/vocab/check.hpp>

#include "models/devices/device.hpp"
#include "models/devices/kv_capacity.hpp"
#include "models/devices/model_shape.hpp"

namespace specroute::sim {
namespace {

Result<PreparedBackend> prepare_backend(const Backend& backend, std::size_t index) {
  const models::Device* device = models::find_device(backend.device);
  const models::ModelShape* shape = models::find_model_shape(backend.model);
  const auto engine = models::find_engine_family(backend.engine);
  check(device != nullptr && shape != nullptr && engine.has_value(),
        "the reader knows every device, model and engine");
  const models::Deployment deployment{.device = *device,
                                      .shape = *shape,
                                      .precision = backend.precision == Precision::fp8
                                                       ? models::Precision::fp8
                                                       : models::Precision::bf16,
                                      .tensor_parallel = backend.tensor_parallel,
                                      .engine = *engine};
  const std::int64_t blocks = models::kv_blocks(
      deployment,
      {.utilisation = backend.memory_utilisation, .block_tokens = backend.kv_block_tokens});
  if (blocks < 1)
    return Diagnostic{.file = {},
                      .place = "/fleet/backends/" + std::to_string(index),
                      .expected = "a model that fits its devices' memory",
                      .found = backend.model + " on " + std::to_string(backend.tensor_parallel) +
                               " x " + backend.device,
                      .nearest = {}};
  const auto held = static_cast<std::uint64_t>(blocks);
  const std::uint64_t asked = backend.options.kv_blocks.value_or(held);
  if (asked > held)
    return Diagnostic{.file = {},
                      .place = "/fleet/backends/" + std::to_string(index) + "/kv_blocks",
                      .expected = "at most " + std::to_string(held) + ", which its memory holds",
                      .found = std::to_string(asked),
                      .nearest = {}};
  return PreparedBackend{models::step_model(deployment), asked};
}

/// Whether two backends take the same time for the same pass, and hold as many KV blocks.
bool deployed_alike(const Backend& a, const Backend& b) {
  return a.model == b.model && a.device == b.device && a.precision == b.precision &&
         a.engine == b.engine && a.tensor_parallel == b.tensor_parallel &&
         a.memory_utilisation == b.memory_utilisation && a.kv_block_tokens == b.kv_block_tokens &&
         a.options.kv_blocks == b.options.kv_blocks;
}

}  // namespace

Result<Prepared> prepare(const Scenario& scenario, const srp_module& module) {
  Diagnostics faults;
  std::vector<PreparedBackend> backends;
  for (std::size_t b = 0; b < scenario.backends.size(); ++b) {
    const auto same = std::ranges::find_if(scenario.backends, [&](const Backend& other) {
      return &other == &scenario.backends[b] || deployed_alike(other, scenario.backends[b]);
    });
    const auto earlier = static_cast<std::size_t>(same - scenario.backends.begin());
    if (faults.empty() && earlier < b) {
      backends.push_back(backends[earlier]);  // they share its tables
      continue;
    }
    auto backend = prepare_backend(scenario.backends[b], b);
    if (backend)
      backends.push_back(backend.value());
    else
      faults.insert(faults.end(), backend.diagnostics().begin(), backend.diagnostics().end());
  }
  auto tables = PairTableBook::create(scenario);
  if (!tables)
    faults.insert(faults.end(), tables.diagnostics().begin(), tables.diagnostics().end());
  if (!faults.empty()) return faults;

  Prepared prepared{.scenario = &scenario,
                    .module = &module,
                    .tables = std::move(tables).value(),
                    .overrides = OverridePlan(scenario.overrides),
                    .backends = std::move(backends),
                    .traffic = {},
                    .kinds = traffic_kinds(scenario)};
  for (const RequestClass& c : scenario.classes) {
    auto& groups = prepared.group_prefixes.emplace_back();
    for (std::uint32_t g = 0; g < c.shared_prefix.groups; ++g)
      groups.push_back(prepared.prefixes.add_own(c.shared_prefix.blocks));
  }
  prepared.traffic = prepare_traffic(scenario, prepared.prefixes);
  prepared.tables.warm_up(prepared.overrides);
  return prepared;
}

Prepared healthy_twin(const Prepared& prepared, const Scenario& well) {
  Prepared twin = prepared;
  twin.scenario = &well;
  twin.overrides = OverridePlan(well.overrides);
  twin.tables.warm_up(twin.overrides);
  return twin;
}

Scenario without_faults(const Scenario& scenario) {
  Scenario healthy = scenario;
  healthy.faults.clear();
  healthy.random_faults.clear();
  healthy.overrides.clear();
  return healthy;
}

}  // namespace specroute::sim
