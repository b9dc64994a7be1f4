#include "sim/world/prepared.hpp"

#include <algorithm>

#include <specroute/vocab/check.hpp>

#include "models/devices/device.hpp"
#include "models/devices/kv_capacity.hpp"
#include "models/devices/model_shape.hpp"

namespace specroute::sim {
namespace {

models::Precision precision(const Backend& backend) {
  return backend.precision == Precision::fp8 ? models::Precision::fp8 : models::Precision::bf16;
}

/// The engine's share of memory, less what co-located drafts take of it.
models::MemoryPlan memory_plan(const Scenario& scenario, std::size_t index) {
  const Backend& backend = scenario.backends[index];
  models::MemoryPlan plan{.utilisation = backend.memory_utilisation,
                          .block_tokens = backend.kv_block_tokens};
  for (const Backend& draft : scenario.backends) {
    if (draft.hosting.on_devices_of != BackendId{static_cast<std::uint32_t>(index)}) continue;
    const models::ModelShape* shape = models::find_model_shape(draft.model);
    check(shape != nullptr, "the reader knows every model");
    const double shards =
        std::min<double>(draft.tensor_parallel, static_cast<double>(shape->kv_heads));
    plan.other_weights += models::weight_bytes(*shape, precision(draft));
    plan.other_kv_per_token += models::kv_bytes_per_token(*shape) / shards;
  }
  return plan;
}

Result<PreparedBackend> prepare_backend(const Scenario& scenario, std::size_t index) {
  const Backend& backend = scenario.backends[index];
  const models::Device* device = models::find_device(backend.device);
  const models::ModelShape* shape = models::find_model_shape(backend.model);
  const auto engine = models::find_engine_family(backend.engine);
  check(device != nullptr && shape != nullptr && engine.has_value(),
        "the reader knows every device, model and engine");
  const models::Deployment deployment{.device = *device,
                                      .shape = *shape,
                                      .precision = precision(backend),
                                      .tensor_parallel = backend.tensor_parallel,
                                      .engine = *engine};
  const std::int64_t blocks = models::kv_blocks(deployment, memory_plan(scenario, index));
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
bool deployed_alike(const Scenario& scenario, std::size_t first, std::size_t second) {
  const Backend& a = scenario.backends[first];
  const Backend& b = scenario.backends[second];
  const auto shared = [&scenario](std::size_t index) {
    const models::MemoryPlan plan = memory_plan(scenario, index);
    return std::pair(plan.other_weights, plan.other_kv_per_token);
  };
  return shared(first) == shared(second) && a.model == b.model && a.device == b.device &&
         a.precision == b.precision && a.engine == b.engine &&
         a.tensor_parallel == b.tensor_parallel && a.memory_utilisation == b.memory_utilisation &&
         a.kv_block_tokens == b.kv_block_tokens && a.options.kv_blocks == b.options.kv_blocks;
}

/// The states of targets that take over their primary's overrides.
void warm_up_copies(Prepared& prepared) {
  const Scenario& scenario = *prepared.scenario;
  if (scenario.router.standby_parameters == StandbyParameters::own) return;
  ConditionPlan copied = prepared.conditions;
  for (const auto& change : prepared.conditions.changes())
    for (std::uint32_t b = 0; b < scenario.backends.size(); ++b)
      if (scenario.backends[b].role == Role::target && scenario.backends[b].standby &&
          scenario.backends[b].pool == scenario.backends[change.backend.index()].pool)
        copied.overrides.copy(change.backend, BackendId{b}, change.date);
  prepared.tables.warm_up(copied);
}

}  // namespace

Result<Prepared> prepare(const Scenario& scenario, const srp_module& module) {
  Diagnostics faults;
  std::vector<PreparedBackend> backends;
  for (std::size_t b = 0; b < scenario.backends.size(); ++b) {
    std::size_t earlier = 0;
    while (earlier < b && !deployed_alike(scenario, earlier, b)) ++earlier;
    if (faults.empty() && earlier < b) {
      backends.push_back(backends[earlier]);  // they share its tables
      continue;
    }
    auto backend = prepare_backend(scenario, b);
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
                    .conditions = ConditionPlan(scenario),
                    .telemetry = TelemetryPlan(scenario.telemetry_faults),
                    .backends = std::move(backends),
                    .traffic = {},
                    .kinds = traffic_kinds(scenario)};
  for (const RequestClass& c : scenario.classes) {
    auto& groups = prepared.group_prefixes.emplace_back();
    for (std::uint32_t g = 0; g < c.shared_prefix.groups; ++g)
      groups.push_back(prepared.prefixes.add_own(c.shared_prefix.blocks));
  }
  prepared.traffic = prepare_traffic(scenario, prepared.prefixes);
  prepared.tables.warm_up(prepared.conditions);
  warm_up_copies(prepared);
  return prepared;
}

Prepared healthy_twin(const Prepared& prepared, const Scenario& well) {
  Prepared twin = prepared;
  twin.scenario = &well;
  twin.conditions = ConditionPlan(well);
  twin.telemetry = TelemetryPlan(well.telemetry_faults);
  twin.tables.warm_up(twin.conditions);
  return twin;
}

Scenario without_faults(const Scenario& scenario) {
  Scenario healthy = scenario;
  healthy.faults.clear();
  healthy.random_faults.clear();
  healthy.overrides.clear();
  healthy.engine_changes.clear();
  healthy.telemetry_faults.clear();
  return healthy;
}

}  // namespace specroute::sim
