#include "tests/sim/worlds/hard_scenario.hpp"

#include <algorithm>

#include "models/random/stream.hpp"
#include "tests/sim/worlds/draw.hpp"
#include "tests/sim/worlds/random_scenario.hpp"

namespace specroute::sim {
namespace {

/// Each of a few backends dies and returns several times, often between two probes.
void draw_flapping(Scenario& s, Draw& draw) {
  for (std::uint32_t flapping = draw.between(0, 3); flapping > 0; --flapping) {
    const BackendId backend{draw.between(0, static_cast<std::uint32_t>(s.backends.size() - 1))};
    Seconds at{draw.real(0.05, 2.0)};
    for (std::uint32_t deaths = draw.between(1, 6); deaths > 0; --deaths) {
      const Seconds down{draw.chance(0.5) ? draw.real(0.001, 0.05) : draw.real(0.05, 0.8)};
      s.faults.push_back({Fault::Kind::crash, backend, at, at + down});
      s.faults.back().drawn = true;
      at += down + Seconds{draw.real(0.001, 0.6)};
    }
  }
}

/// A batch job that left greedy decoding behind on a draft that serves: gates have work to do.
void draw_stale_draft(Scenario& s, Draw& draw) {
  if (!draw.chance(0.6)) return;
  const auto last = static_cast<std::uint32_t>(s.pairings.size() - 1);
  Override stale{};
  stale.backend = s.pairings[draw.between(0, last)].draft;
  stale.owner = "another batch job";
  stale.from = Seconds{draw.real(0.2, 1.0)};
  stale.owner_gone = stale.from + Seconds{0.1};
  stale.replaces_block = true;
  stale.temperature = 0.0;
  s.overrides.push_back(stale);
  Backend spare = s.backends[stale.backend.index()];  // so that there is a draft to go over to
  spare.name += "-spare";
  spare.standby = true;
  s.backends.push_back(spare);
}

void draw_backends(Scenario& s, Draw& draw) {
  for (Backend& backend : s.backends) {
    // Just above what weights and activations take, so that KV blocks run out.
    if (backend.role == Role::target && draw.chance(0.3)) {
      backend.memory_utilisation = 0.135;
      backend.options.kv_blocks.reset();
    }
    if (draw.chance(0.3)) backend.max_sequences = draw.between(1, 3);
    if (backend.standby && draw.chance(0.15)) backend.tokenizer = "another";
    if (backend.standby && draw.chance(0.1)) backend.kv_block_tokens = 32;
  }
}

void draw_classes(Scenario& s, Draw& draw) {
  s.acceptance.push_back({"llama-3.1-8b", "smollm-135m", "code", 0.6, 4.5, 0.15, {}});
  const std::size_t before = s.classes.size();
  for (std::size_t c = 0; c < before; ++c) {
    if (draw.chance(0.4)) s.classes[c].content.push_back({Seconds{draw.real(0.5, 2.0)}, "code"});
    if (draw.chance(0.2))
      s.classes[c].output = {.kind = models::LengthKind::fixed, .mean = 1.0, .limit = 4};
    if (draw.chance(0.2)) s.classes[c].prompt.mean = 500.0;
    if (!draw.chance(0.4)) continue;
    RequestClass second = s.classes[c];
    second.name += "-second";
    second.profile = ProfileId{1 - second.profile.value};
    second.arrivals.open.rate_per_s = draw.real(1.0, 60.0);
    s.classes.push_back(second);
  }
}

}  // namespace

Scenario hard_scenario(std::uint64_t seed) {
  Scenario s = random_scenario(seed);
  Draw draw(seed, "hardship");
  draw_flapping(s, draw);
  draw_backends(s, draw);
  draw_stale_draft(s, draw);
  draw_classes(s, draw);
  s.router.probe_period = Seconds{draw.real(0.02, 0.3)};
  s.router.no_candidate_retry = Seconds{draw.real(0.01, 0.5)};
  s.router.reselect_period = Seconds{draw.real(0.05, 1.0)};
  s.router.telemetry_transport = Seconds{draw.real(0.0, 0.2)};
  s.drain_limit = Seconds{draw.real(0.1, 4.0)};
  if (draw.chance(0.3)) s.network.flow_threshold = Bytes{1.0};
  if (draw.chance(0.3)) s.network.nic = BytesPerSecond{1e6};  // flows that crashes can interrupt
  return s;
}

}  // namespace specroute::sim
