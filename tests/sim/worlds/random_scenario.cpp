#include "tests/sim/worlds/random_scenario.hpp"

#include <string>

#include "models/random/stream.hpp"
#include "models/speculation/acceptance.hpp"
#include "tests/sim/worlds/draw.hpp"
#include "tests/sim/worlds/draw_ailments.hpp"
#include "tests/sim/worlds/draw_gate.hpp"
#include "tests/sim/worlds/random_conditions.hpp"
#include "tests/sim/worlds/random_hosting.hpp"
#include "tests/sim/worlds/random_traffic.hpp"

namespace specroute::sim {
namespace {

Backend backend(const std::string& name, Role role, std::uint32_t pool, bool standby) {
  return {.name = name,
          .role = role,
          .pool = PoolId{pool},
          .standby = standby,
          .rack = "rack-1",
          .model = role == Role::target ? "llama-3.1-8b" : "smollm-135m",
          .precision = role == Role::target ? Precision::fp8 : Precision::bf16,
          .device = role == Role::target ? "H100-SXM-80" : "A10G-24",
          .engine = "vllm",
          .tensor_parallel = 1,
          .engines = 1,
          .tokenizer = "llama-3.1",
          .kv_block_tokens = 16,
          .attention_mask = "causal",
          .max_sequences = 64,
          .prefill_chunk_tokens = 512,
          .memory_utilisation = 0.9,
          .repetition_detection = {}};
}

RequestClass request_class(const std::string& name, std::uint32_t pool, std::uint32_t profile) {
  return {.name = name,
          .pool = PoolId{pool},
          .profile = ProfileId{profile},
          .arrivals = poisson_arrivals(60.0),
          .prompt = {.kind = models::LengthKind::fixed, .mean = 48.0, .limit = 512},
          .output = {.kind = models::LengthKind::lognormal, .mean = 24.0, .cv = 0.5, .limit = 64},
          .content = {{Seconds{0.0}, "prose"}},
          .ttft_slo = Seconds{0.5},
          .tpot_slo = Seconds{0.02}};
}

void draw_backends(Scenario& s, std::uint32_t pool, Draw& draw) {
  const std::uint32_t pairs = draw.between(1, 2);
  const std::uint32_t spares = draw.between(0, 2);
  const std::string tag = std::to_string(pool) + "-";
  for (std::uint32_t i = 0; i < pairs + spares; ++i)
    for (const Role role : {Role::target, Role::draft}) {
      const bool standby = i >= pairs;
      if (standby && draw.chance(0.3)) continue;
      Backend b = backend((role == Role::target ? "target-" : "draft-") + tag + std::to_string(i),
                          role, pool, standby);
      b.engines = draw.between(1, 3);
      b.rack = draw.chance(0.5) ? "rack-1" : "rack-2";
      b.max_sequences = draw.between(2, 64);
      b.prefill_chunk_tokens = draw.between(16, 512);
      if (!standby && role == Role::target)
        s.pairings.push_back({BackendId{static_cast<std::uint32_t>(s.backends.size())},
                              BackendId{static_cast<std::uint32_t>(s.backends.size() + 1)}});
      s.backends.push_back(b);
    }
}

void draw_fleet(Scenario& s, std::uint64_t seed) {
  Draw draw(seed, "fleet");
  for (std::uint32_t pool = 0; pool < s.pools.size(); ++pool) {
    Speculation& speculation = s.pools[pool].speculation;
    speculation.rule = static_cast<Rule>(draw.between(0, 7));
    speculation.forward =
        speculation.rule == Rule::forwarded_logits ? Forward::logits : Forward::tokens;
    speculation.draft_tokens = draw.between(1, 6);
    speculation.half_batches = draw.between(1, 2);
    speculation.rule_parameters = {
        .lenience = 0.8,
        .posterior_threshold = 0.09,
        .posterior_alpha = 0.3,
        .threshold_single = 0.9,
        .threshold_acc = 0.7,
        .synthetic_acceptance_rates = models::rates_from_length(
            1.0 + 0.6 * speculation.draft_tokens, static_cast<int>(speculation.draft_tokens))};
    draw_backends(s, pool, draw);
    s.classes.push_back(request_class("class-" + std::to_string(pool), pool, pool % 2));
    s.classes.back().arrivals.open.rate_per_s = draw.real(5.0, 120.0);
  }
}

void draw_misfortune(Scenario& s, std::uint64_t seed) {
  Draw draw(seed, "misfortune");
  const auto any = [&] {
    return BackendId{draw.between(0, static_cast<std::uint32_t>(s.backends.size() - 1))};
  };
  for (std::uint32_t i = draw.between(0, 4); i > 0; --i) {
    Fault fault{Fault::Kind::crash, any(), Seconds{draw.real(0.1, 4.0)}, {}};
    if (draw.chance(0.5)) fault.until = fault.at + Seconds{draw.real(0.1, 2.0)};
    fault.drawn = true;
    s.faults.push_back(fault);
  }
  for (std::uint32_t i = draw.between(0, 3); i > 0; --i) {
    Override o{.backend = any(),
               .owner = "batch job",
               .from = Seconds{draw.real(0.0, 3.0)},
               .owner_gone = Seconds{3.0},
               .until = {},
               .replaces_block = draw.chance(0.5),
               .temperature = draw.chance(0.7) ? 0.0 : 0.2,
               .top_p = {},
               .top_k = {},
               .min_p = {},
               .seed = {},
               .grammar = {}};
    if (draw.chance(0.3)) o.until = o.from + Seconds{draw.real(0.1, 2.0)};
    if (draw.chance(0.2)) o.top_k = 1;
    if (draw.chance(0.2)) o.top_p = draw.real(0.1, 1.0);
    if (draw.chance(0.1)) o.min_p = draw.real(0.0, 0.5);
    if (draw.chance(0.2)) o.seed = draw.between(0, 9);
    if (draw.chance(0.2)) o.grammar = draw.chance(0.5) ? "" : "others";
    s.overrides.push_back(o);
  }
}

void draw_acceptance(Scenario& s, std::uint64_t seed) {
  Draw draw(seed, "acceptance");
  AcceptancePair& pair = s.acceptance.front();
  if (draw.chance(0.3)) pair.correlation = 0.05;
  if (draw.chance(0.3))
    pair.context_decay =
        models::ContextDecay{models::ContextDecay::Of::mean_acceptance_length,
                             {{draw.real(10.0, 60.0), 2.0}, {draw.real(70.0, 200.0), 1.5}}};
  if (draw.chance(0.3))
    pair.per_position =
        PerPosition{{0.8, draw.real(0.5, 0.9)}, Rule::rejection, s.profiles.front().sampling};
}

void draw_router(Scenario& s, std::uint64_t seed) {
  Draw draw(seed, "router");
  RouterSettings& r = s.router;
  r.unhealthy_threshold = draw.between(1, 3);
  r.telemetry_period = Seconds{draw.real(0.02, 0.2)};
  r.live_after_drafted = draw.between(0, 400);
  r.verify_parameters_at_bind = draw.chance(0.3);
  r.reselect_period = Seconds{draw.real(0.3, 3.0)};
  r.dispatch = static_cast<Dispatch>(draw.between(0, 5));
  r.max_retries = draw.between(0, 3);
  r.request_timeout = Seconds{draw.chance(0.3) ? draw.real(0.1, 1.0) : 60.0};
  r.queue_limit = draw.chance(0.3) ? draw.between(0, 20) : 10'000;
  s.network.flow_threshold = Bytes{draw.chance(0.5) ? 64.0 : 1e6};
}

/// Queues at the router, loops that end, engines that watch for them.
void draw_limits(Scenario& s, std::uint64_t seed) {
  Draw draw(seed, "limits");
  if (draw.chance(0.3)) s.router.max_outstanding_per_engine = draw.between(1, 8);
  if (draw.chance(0.4)) s.degradation.loop_escape_hazard = draw.real(0.0, 0.3);
  s.degradation.loop_period_tokens = draw.between(1, 6);
  for (Backend& b : s.backends)
    if (b.role == Role::target && draw.chance(0.4))
      b.repetition_detection = {1, draw.between(1, 8), draw.between(2, 5)};
}

/// Engines short of KV blocks, prefix caches, schedules of drafts, sessions, misrouting.
void draw_scheduling(Scenario& s, std::uint64_t seed) {
  Draw draw(seed, "scheduling");
  for (Pool& pool : s.pools) {
    DraftSchedule& schedule = pool.speculation.schedule;
    const std::uint32_t most = pool.speculation.draft_tokens;
    if (draw.chance(0.3))
      schedule.by_batch = {{draw.between(1, 4), draw.between(0, most)},
                           {draw.between(5, 20), draw.between(0, most)}};
    schedule.cap_at_limit = draw.chance(0.3);
  }
  for (Backend& b : s.backends) {
    if (b.role != Role::target) continue;
    if (draw.chance(0.5)) b.options.admission = Admission::on_demand;
    if (draw.chance(0.5)) b.options.kv_blocks = draw.between(3, 300);
    if (draw.chance(0.5)) b.options.prefix_caching = true;
    const std::uint32_t draft_tokens = s.pools[b.pool.index()].speculation.draft_tokens;
    if (draw.chance(0.3))
      b.options.max_batched_tokens = b.max_sequences * (draft_tokens + 1) + draw.between(0, 300);
  }
  for (RequestClass& c : s.classes) {
    if (draw.chance(0.4)) c.sessions = {.active = draw.between(1, 20), .mean_turns = 4.0};
    if (!draw.chance(0.4)) continue;
    c.prompt = {.kind = models::LengthKind::lognormal, .mean = 900.0, .cv = 0.5, .limit = 2000};
    c.shared_prefix = {.groups = draw.between(1, 5), .blocks = draw.between(1, 3)};
    c.arrivals.open.rate_per_s /= 4.0;
  }
  DispatchSettings& dispatching = s.router.dispatching;
  dispatching.prefix.staleness = Seconds{draw.chance(0.5) ? 0.0 : draw.real(0.0, 2.0)};
  dispatching.session.idle_limit = Seconds{draw.real(0.1, 5.0)};
  if (s.pairings.size() > s.pools.size() && draw.chance(0.3))
    dispatching.misrouting = {{Seconds{0.5}, draw.real(0.0, 1.0), s.pairings.back().target}};
}

}  // namespace

Scenario plain_scenario() {
  Scenario s{};
  s.name = "plain";
  s.horizon = Seconds{3.0};
  s.drain_limit = Seconds{5.0};
  s.pools = {{"pool", {Rule::forwarded_logits, Forward::logits, 2, Bytes{512.0}, 2}}};
  s.network = {BytesPerSecond{12.5e9}, Seconds{5e-6}, Seconds{2e-5}, Bytes{1e6}};
  s.profiles = {{"guided", {0.7, 1.0, 0, 0.0, 7, "orders"}}, {"chat", {0.7, 0.9, 0, 0.0, 7, ""}}};
  s.vocabulary_slice = 48;
  s.acceptance = {{"llama-3.1-8b", "smollm-135m", "prose", 1.0, 3.5, 0.3, {}}};
  s.degradation = {5e-3, 335.0, 0.7, 0.95, 1e-3, 1e-2, 0.0, 8};
  s.router = {.probe_period = Seconds{0.1},
              .probe_timeout = Seconds{0.05},
              .unhealthy_threshold = 3,
              .telemetry_period = Seconds{0.05},
              .telemetry_transport = Seconds{0.01},
              .command_transport = Seconds{0.01},
              .bind_verification = Seconds{0.02},
              .live_after_drafted = 200,
              .verify_parameters_at_bind = false,
              .parameter_verification = Seconds{0.02},
              .reselect_period = Seconds{30.0},
              .no_candidate_retry = Seconds{0.3},
              .dispatch = Dispatch::least_outstanding,
              .max_retries = 3,
              .request_timeout = Seconds{60.0},
              .queue_limit = 10'000,
              .max_outstanding_per_engine = {}};
  s.gates = {{"gate", R"({"gate": "none"})"}};
  s.backends = {backend("target", Role::target, 0, false), backend("draft", Role::draft, 0, false)};
  s.pairings = {{BackendId{0}, BackendId{1}}};
  s.classes = {request_class("class", 0, 0)};
  return s;
}

Scenario random_scenario(std::uint64_t seed) {
  Scenario s = plain_scenario();
  Draw draw(seed, "shape");
  s.name = "world-" + std::to_string(seed);
  s.horizon = Seconds{draw.real(1.0, 5.0)};
  s.backends.clear();
  s.pairings.clear();
  s.classes.clear();
  s.pools.resize(draw.between(1, 2), s.pools.front());
  s.pools.back().name = "last";
  draw_fleet(s, seed);
  draw_misfortune(s, seed);
  draw_acceptance(s, seed);
  draw_router(s, seed);
  draw_limits(s, seed);
  draw_ailments(s, seed);
  draw_traffic(s, seed);
  draw_scheduling(s, seed);
  draw_conditions(s, seed);
  draw_hosting(s, seed);
  s.gates = {draw_gate(seed)};
  return s;
}

}  // namespace specroute::sim
