#include "tests/sim/worlds/draw_ailments.hpp"

#include <optional>

#include "models/random/stream.hpp"
#include "tests/sim/worlds/draw.hpp"

namespace specroute::sim {
namespace {

BackendId any_of_role(const Scenario& s, Draw& draw, Role role) {
  std::vector<BackendId> all;
  for (std::uint32_t b = 0; b < s.backends.size(); ++b)
    if (s.backends[b].role == role) all.push_back(BackendId{b});
  return all[draw.between(0, static_cast<std::uint32_t>(all.size() - 1))];
}

Fault draw_fault(const Scenario& s, Draw& draw) {
  constexpr Fault::Kind kKinds[] = {
      Fault::Kind::crash,     Fault::Kind::hang,  Fault::Kind::slow,        Fault::Kind::errors,
      Fault::Kind::partition, Fault::Kind::drain, Fault::Kind::wrong_tokens};
  Fault fault{.kind = kKinds[draw.between(0, 6)],
              .backend = any_of_role(s, draw, Role::target),
              .at = Seconds{draw.real(0.05, 3.0)},
              .until = {}};
  fault.drawn = true;
  const bool either = fault.kind == Fault::Kind::crash || fault.kind == Fault::Kind::hang ||
                      fault.kind == Fault::Kind::slow;
  if (either && draw.chance(0.5)) fault.backend = any_of_role(s, draw, Role::draft);
  if (draw.chance(0.7)) fault.until = fault.at + Seconds{draw.real(0.001, 1.5)};
  fault.silent = draw.chance(0.3);
  fault.factor = draw.real(1.5, 30.0);
  fault.share = draw.chance(0.3) ? 1.0 : draw.real(0.05, 0.9);
  fault.answer = draw.chance(0.3) ? ErrorAnswer::client : ErrorAnswer::server;
  fault.hazard_per_token = draw.real(0.001, 0.1);
  if (fault.kind != Fault::Kind::partition) return fault;
  fault.from = fault.backend;
  fault.to = draw.chance(0.5) ? BackendId{} : any_of_role(s, draw, Role::draft);
  if (draw.chance(0.5)) std::swap(fault.from, fault.to);
  fault.backend = BackendId{};
  return fault;
}

RetryLayer draw_layer(Draw& draw) {
  RetryLayer layer{.max_retries = draw.between(0, 4),
                   .backoff = Seconds{draw.chance(0.3) ? 0.0 : draw.real(0.0, 0.2)},
                   .backoff_multiplier = draw.real(1.0, 3.0),
                   .backoff_max = Seconds{draw.real(0.1, 1.0)},
                   .jitter = draw.real(0.0, 1.0),
                   .budget_share = {},
                   .budget_min_per_s = draw.real(0.0, 2.0),
                   .budget_window_s = draw.between(1, 4),
                   .try_timeout = {}};
  if (draw.chance(0.4)) layer.budget_share = draw.real(0.0, 0.3);
  if (draw.chance(0.5)) layer.try_timeout = Seconds{draw.real(0.001, 0.8)};
  return layer;
}

BreakerSettings draw_breaker(Draw& draw) {
  BreakerSettings breaker{.consecutive_failures = draw.between(0, 4),
                          .failure_share = {},
                          .window_s = draw.between(1, 5),
                          .min_tries = draw.between(1, 20),
                          .deviations = {},
                          .deviation_min_targets = 2,
                          .deviation_min_tries = draw.between(1, 20),
                          .sweep = Seconds{draw.real(0.1, 1.0)},
                          .open = Seconds{draw.real(0.01, 1.0)},
                          .open_growth = static_cast<OpenGrowth>(draw.between(0, 2)),
                          .max_open = Seconds{draw.real(0.5, 3.0)},
                          .half_open = static_cast<HalfOpen>(draw.between(0, 2)),
                          .successes_to_close = draw.between(1, 3),
                          .max_open_share = draw.chance(0.5) ? 1.0 : 0.3,
                          .closes_on_probe = draw.chance(0.3),
                          .counts_client_errors = draw.chance(0.5)};
  if (draw.chance(0.5)) breaker.failure_share = draw.real(0.1, 0.9);
  if (draw.chance(0.5)) breaker.deviations = draw.real(0.5, 2.5);
  return breaker;
}

}  // namespace

void draw_ailments(Scenario& s, std::uint64_t seed) {
  Draw draw(seed, "ailments");
  if (draw.chance(0.5)) return;
  for (std::uint32_t i = draw.between(0, 5); i > 0; --i) s.faults.push_back(draw_fault(s, draw));
  if (draw.chance(0.2))
    s.random_faults.push_back(
        {.effect = draw.chance(0.5) ? Fault::Kind::crash : Fault::Kind::hang,
         .backends = {any_of_role(s, draw, Role::target), any_of_role(s, draw, Role::draft)},
         .gpu_hours_per_failure = 1.0 / 3600.0,
         .restart_after = Seconds{draw.real(0.01, 1.0)},
         .silent = draw.chance(0.5)});
  for (std::uint32_t i = draw.between(0, 2); i > 0; --i)
    s.router.retry_layers.push_back(draw_layer(draw));
  if (draw.chance(0.5)) s.router.breaker = draw_breaker(draw);
  s.router.healthy_threshold = draw.between(1, 3);
  if (draw.chance(0.4)) s.router.probe_kind = ProbeKind::end_to_end;
  s.router.retries_keep_tokens = draw.chance(0.5);
  s.router.error_turnaround = Seconds{draw.real(1e-5, 0.05)};
  for (Pool& pool : s.pools)
    if (draw.chance(0.4)) pool.speculation.draft_timeout = Seconds{draw.real(1e-3, 0.3)};
}

}  // namespace specroute::sim
