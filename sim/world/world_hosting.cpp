// Where backends stand: paths between them, shared drafts, flows, and what a restart takes.
#include <algorithm>
#include <limits>

#include <specroute/vocab/check.hpp>

#include "models/devices/device.hpp"
#include "models/devices/model_shape.hpp"
#include "sim/scenario/pairable.hpp"
#include "sim/world/flow_tag.hpp"
#include "sim/world/world.hpp"

namespace specroute::sim {
namespace {

/// A load of weights that broke off is tried again after this, as a client of storage would.
constexpr Seconds kLoadAgain{1.0};

BytesPerSecond host_bandwidth(const Backend& backend) {
  const models::Device* device = models::find_device(backend.device);
  check(device != nullptr, "the reader knows every device");
  return device->pcie;
}

HostIndex host_of(BackendId backend) {
  return HostIndex{backend.value + 1};
}

}  // namespace

/// Within a node, memory is the network: no latency, the narrower of the two PCIe links.
World::Path World::path(BackendId a, BackendId b) const {
  constexpr BytesPerSecond kAtOnce{std::numeric_limits<double>::infinity()};
  const Backend& first = scenario_.backends[a.index()];
  const Backend& second = scenario_.backends[b.index()];
  if (first.hosting.on_devices_of == b || second.hosting.on_devices_of == a)
    return {.bandwidth = kAtOnce};
  if (same_node(scenario_, a, b))
    return {.bandwidth = std::min(host_bandwidth(first), host_bandwidth(second))};
  const Seconds racks =
      first.rack == second.rack ? Seconds{0.0} : scenario_.network.cross_rack_latency;
  return {.latency = platform_.route_latency(host_of(a), host_of(b)) + racks,
          .bandwidth = platform_.route_bandwidth(host_of(a), host_of(b)),
          .between_racks = racks,
          .crosses_network = true};
}

Seconds World::between(BackendId a, BackendId b, Bytes size) const {
  const Path way = path(a, b);
  if (!way.crosses_network) return size / way.bandwidth;
  const Seconds message = platform_.message_time(host_of(a), host_of(b), size);
  const bool same_rack = scenario_.backends[a.index()].rack == scenario_.backends[b.index()].rack;
  return same_rack ? message : message + scenario_.network.cross_rack_latency;
}

/// The draft's engines, beginning with the one after those that its other targets begin with.
std::vector<DraftEngine*> World::draft_engines(BackendId target, BackendId draft) {
  std::size_t first = 0;
  for (const BackendState& other : backends_) {
    if (!other.pairing.exists()) continue;
    const LedgerEntry& entry = ledger_[other.pairing];
    if (entry.draft == draft && entry.target != target) first += other.engines.size();
  }
  auto& engines = backends_[draft.index()].drafts;
  std::vector<DraftEngine*> in_turn;
  for (std::size_t e = 0; e < engines.size(); ++e)
    in_turn.push_back(&engines[(first + e) % engines.size()]);
  return in_turn;
}

void World::on_flow_end(FlowTag tag, FlowEnd end) {
  const FlowCargo cargo = from_tag(tag);
  const bool whole = end == FlowEnd::done;
  switch (cargo.kind) {
    case FlowCargo::Kind::contexts:
      return on_transfer_end(cargo.object, whole);
    case FlowCargo::Kind::weights:
      return on_weights(BackendId{cargo.object}, whole);
    case FlowCargo::Kind::drafts:
      return on_drafts_forwarded(cargo, whole);
  }
}

/// Latency is the flow's own, but for what lies between racks.
void World::on_drafts_leave(std::uint32_t engine_and_half) {
  const EngineRef ref = engines_[engine_and_half / 2];
  BackendState& target = backends_[ref.backend.index()];
  const auto half = static_cast<std::uint8_t>(engine_and_half % 2);
  const auto drafts = target.engines[ref.index].forward(half, lane_.now());
  if (!target.alive || !drafts) return;
  const FlowCargo cargo{
      .kind = FlowCargo::Kind::drafts, .object = engine_and_half, .round = drafts->round};
  const BackendId draft = ledger_[drafts->pairing].draft;
  const bool started =
      flows_.start(host_of(draft), host_of(ref.backend), drafts->size, to_tag(cargo));
  if (!started) on_drafts_forwarded(cargo, false);
}

void World::on_drafts_forwarded(FlowCargo cargo, bool whole) {
  const EngineRef ref = engines_[cargo.object / 2];
  BackendState& target = backends_[ref.backend.index()];
  const auto half = static_cast<std::uint8_t>(cargo.object % 2);
  const auto took = target.engines[ref.index].forwarded(half, cargo.round, whole, lane_.now());
  if (!took) return;
  if (whole) draft_flows_.ended(*took);
  on_engine(cargo.object, EngineActions::Due::drafts_arrive);
}

/// The process is launched: first its weights come from storage, if that takes time.
void World::start_process(BackendId backend) {
  if (!scenario_.network.storage) return warm_up(backend);
  backends_[backend.index()].load_began = lane_.now();
  backends_[backend.index()].load_due = lane_.now();
  load_weights(backend);
}

void World::load_weights(BackendId id) {
  BackendState& backend = backends_[id.index()];
  // It may have died since this was scheduled, and be on its way again.
  if (backend.alive || !platform_.is_on(host_of(id)) || backend.load_due != lane_.now()) return;
  const Backend& configured = scenario_.backends[id.index()];
  const models::ModelShape* shape = models::find_model_shape(configured.model);
  check(shape != nullptr, "the reader knows every model");
  // One reading serves all engines of the backend: they share the node's page cache.
  const Bytes weights = models::weight_bytes(*shape, configured.precision == Precision::fp8
                                                         ? models::Precision::fp8
                                                         : models::Precision::bf16);
  const HostIndex storage{static_cast<std::uint32_t>(scenario_.backends.size() + 1)};
  const bool started = flows_.start(storage, host_of(id), weights,
                                    to_tag({.kind = FlowCargo::Kind::weights, .object = id.value}));
  if (!started) load_again(id);
}

void World::load_again(BackendId id) {
  backends_[id.index()].load_due = lane_.now() + kLoadAgain;
  lane_.at(backends_[id.index()].load_due, event::kLoadWeights, id.value);
}

void World::on_weights(BackendId id, bool whole) {
  if (!whole) return load_again(id);
  weight_loads_.ended(lane_.now() - backends_[id.index()].load_began);
  warm_up(id);
}

void World::warm_up(BackendId id) {
  const Hosting& hosting = scenario_.backends[id.index()].hosting;
  if (hosting.warm_up <= Seconds{0.0}) return come_alive(id);
  backends_[id.index()].warm_at = lane_.now() + hosting.warm_up;
  lane_.at(backends_[id.index()].warm_at, event::kWarm, id.value);
}

void World::on_warm(BackendId id) {
  const BackendState& backend = backends_[id.index()];
  // It may have died while it warmed up, and be on its way again.
  if (!backend.alive && platform_.is_on(host_of(id)) && backend.warm_at == lane_.now())
    come_alive(id);
}

void World::come_alive(BackendId id) {
  BackendState& backend = backends_[id.index()];
  const Hosting& hosting = scenario_.backends[id.index()].hosting;
  backend.alive = true;
  ++backend.incarnation;
  conditions_.restarted(id, lane_.now());
  for (DraftEngine& engine : backend.drafts) {
    engine.begin_from(lane_.now());
    engine.slow = {.passes = hosting.slow_passes, .factor = hosting.slow_factor};
  }
  for (TargetEngine& engine : backend.engines)
    engine.start_slowly({.passes = hosting.slow_passes, .factor = hosting.slow_factor});
  on_condition_change(id);
}

}  // namespace specroute::sim
