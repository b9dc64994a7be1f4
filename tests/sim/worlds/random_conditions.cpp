#include "tests/sim/worlds/random_conditions.hpp"

#include "models/random/stream.hpp"

namespace specroute::sim {
namespace {

std::uint32_t below(models::Stream& stream, std::size_t count) {
  return static_cast<std::uint32_t>(stream.uniform() * static_cast<double>(count));
}

EngineChange draw_change(const Scenario& s, models::Stream& stream) {
  EngineChange change{.backend = BackendId{below(stream, s.backends.size())},
                      .cause = "upgrade",
                      .from = Seconds{3.0 * stream.uniform()}};
  change.at_restart = stream.uniform() < 0.3;
  change.survives_restart = stream.uniform() < 0.7;
  const Backend& backend = s.backends[change.backend.index()];
  if (backend.role == Role::target && stream.uniform() < 0.5) {
    const Speculation& speculation = s.pools[backend.pool.index()].speculation;
    change.rule = stream.uniform() < 0.5 ? Rule::one_hot : Rule::synthetic;
    change.rule_parameters = speculation.rule_parameters;
  }
  if (stream.uniform() < 0.4) change.kv_block_tokens = 8U << below(stream, 5);
  if (stream.uniform() < 0.2) change.attention_mask = "prefix";
  if (stream.uniform() < 0.2) change.tokenizer = "llama-3.1-patched";
  if (stream.uniform() < 0.2) change.vocabulary_tokens = 128'256 + 64 * below(stream, 2);
  if (stream.uniform() < 0.3) change.until = change.from + Seconds{0.2 + stream.uniform()};
  return change;
}

TelemetryFault draw_fault(const Scenario& s, models::Stream& stream) {
  const InitialPairing& pairing = s.pairings[below(stream, s.pairings.size())];
  TelemetryFault fault{.kind = static_cast<TelemetryFault::Kind>(below(stream, 5)),
                       .backend = pairing.target,
                       .from = Seconds{2.0 * stream.uniform()}};
  fault.extra = Seconds{0.5 * stream.uniform()};
  fault.share = 0.1 + 0.9 * stream.uniform();
  fault.engine = below(stream, s.backends[pairing.target.index()].engines);
  if (stream.uniform() < 0.5) fault.denominator = TelemetryFault::Denominator::verified_positions;
  if (stream.uniform() < 0.5) fault.until = fault.from + Seconds{1.0};
  return fault;
}

}  // namespace

void draw_conditions(Scenario& s, std::uint64_t seed) {
  models::Stream stream = models::Seed{seed}.stream("conditions");
  for (std::uint32_t i = below(stream, 3); i > 0; --i)
    s.engine_changes.push_back(draw_change(s, stream));
  for (std::uint32_t i = below(stream, 3); i > 0; --i)
    s.telemetry_faults.push_back(draw_fault(s, stream));
  for (Override& change : s.overrides) {
    change.at_restart = stream.uniform() < 0.2;
    change.survives_restart = stream.uniform() < 0.2;
    change.last_request = stream.uniform() < 0.1;
  }
  if (stream.uniform() < 0.3) s.router.verify_binding = VerifyBinding::configuration;
  if (stream.uniform() < 0.3) s.router.standby_parameters = StandbyParameters::copied_from_primary;
  if (stream.uniform() < 0.3) s.router.telemetry_stale_after = Seconds{0.2};
  if (stream.uniform() < 0.5) s.router.health_report = Seconds{0.2};
  if (stream.uniform() < 0.5)
    s.router.quality_sampling = {.share = 0.5, .report = Seconds{0.3}, .loop_tokens = 4};
}

}  // namespace specroute::sim
