#include "tests/sim/worlds/random_hosting.hpp"

#include "tests/sim/worlds/draw.hpp"

namespace specroute::sim {
namespace {

/// The second pairing of a pool takes the first one's draft; its own stands by.
void share_drafts(Scenario& s, Draw& draw) {
  for (std::size_t second = 1; second < s.pairings.size(); ++second) {
    const InitialPairing& first = s.pairings[second - 1];
    InitialPairing& pairing = s.pairings[second];
    Backend& draft = s.backends[first.draft.index()];
    Backend& own = s.backends[pairing.draft.index()];
    if (draft.pool != own.pool || own.standby || !draw.chance(0.4)) continue;
    draft.hosting.max_targets = 2;
    own.standby = true;
    pairing.draft = first.draft;
  }
  for (Backend& b : s.backends)
    if (b.role == Role::draft && draw.chance(0.2)) b.hosting.max_targets += draw.between(0, 2);
}

/// A draft of one target moves onto that target's devices.
void co_locate(Scenario& s, Draw& draw) {
  for (const InitialPairing& pairing : s.pairings) {
    const Backend& target = s.backends[pairing.target.index()];
    Backend& draft = s.backends[pairing.draft.index()];
    if (draft.hosting.max_targets != 1 || !draw.chance(0.2)) continue;
    draft.hosting.on_devices_of = pairing.target;
    draft.device = target.device;
    draft.tensor_parallel = target.tensor_parallel;
    draft.engines = target.engines;
    draft.rack = target.rack;
  }
}

void draw_network(Network& network, Draw& draw) {
  if (draw.chance(0.4)) {
    network.topology = Topology::fat_tree;
    network.uplinks_per_rack = draw.between(1, 4);
  } else if (draw.chance(0.3)) {
    network.spine = BytesPerSecond{draw.real(1e8, 1e10)};
  }
  if (draw.chance(0.3)) network.storage = BytesPerSecond{draw.real(5e9, 2e11)};
  if (draw.chance(0.3)) network.cross_rack_latency = Seconds{draw.real(0.0, 2e-3)};
}

void draw_starts(Scenario& s, Draw& draw) {
  for (Backend& b : s.backends) {
    if (draw.chance(0.2)) b.hosting.warm_up = Seconds{draw.real(0.0, 0.5)};
    if (draw.chance(0.3)) {
      b.hosting.slow_passes = draw.between(1, 30);
      b.hosting.slow_factor = draw.real(1.0, 6.0);
    }
    if (draw.chance(0.2)) b.hosting.usd_per_device_hour = draw.real(0.5, 15.0);
    if (draw.chance(0.2)) b.hosting.device_power = Watts{draw.real(50.0, 1000.0)};
    if (draw.chance(0.2)) b.vocabulary_tokens = 128'000 + 256 * draw.between(0, 1);
    if (!b.hosting.on_devices_of.exists() && draw.chance(0.2)) b.hosting.node = "node of " + b.rack;
  }
  s.power = {.idle_share = draw.real(0.0, 0.5),
             .busy_share = draw.real(0.5, 1.0),
             .usage_effectiveness = draw.real(1.0, 2.0)};
}

void draw_choices(Scenario& s, Draw& draw) {
  if (draw.chance(0.3)) s.router.assignment = AssignmentRule::greedy;
  if (draw.chance(0.2)) s.router.tokenizer_identity = TokenizerIdentity::vocabulary_size;
  DispatchSettings& dispatching = s.router.dispatching;
  dispatching.prefix.match_threshold = draw.real(0.0, 1.0);
  dispatching.prefix.balance_difference = draw.between(1, 64);
  dispatching.prefix.balance_ratio = draw.real(1.0, 3.0);
  if (draw.chance(0.5)) dispatching.session.assignment = SessionAssignment::least_outstanding;
  for (Pool& pool : s.pools) {
    if (draw.chance(0.3)) pool.speculation.forwarded_per_position = Bytes{draw.real(4.0, 3e5)};
    pool.speculation.rule_parameters.draft_probabilities_forwarded = draw.chance(0.3);
  }
  // Drafts of one pool for the targets of the other.
  if (s.pools.size() == 2 && draw.chance(0.3)) s.pools[0].draft_pools = {PoolId{1}};
}

}  // namespace

void draw_hosting(Scenario& s, std::uint64_t seed) {
  Draw draw(seed, "hosting");
  share_drafts(s, draw);
  co_locate(s, draw);
  draw_network(s.network, draw);
  draw_starts(s, draw);
  draw_choices(s, draw);
}

bool shares_a_draft(const Scenario& s) {
  for (std::size_t i = 0; i < s.pairings.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (s.pairings[i].draft == s.pairings[j].draft) return true;
  return false;
}

}  // namespace specroute::sim
