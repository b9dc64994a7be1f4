#include "sim/world/policy_feed.hpp"

#include "sim/serving/row_layout.hpp"

namespace specroute::sim {

PolicyFeed::PolicyFeed(const Scenario& scenario, models::Seed seed)
    : sampling_(scenario.router.quality_sampling),
      sampling_key_(seed.key("quality sampling")),
      health_(scenario.backends.size()) {}

void PolicyFeed::settled(BackendId target, TryOutcome outcome) {
  if (outcome == TryOutcome::nothing) return;
  HealthReport& report = health_[target.index()];
  ++report.tries;
  report.errors += outcome == TryOutcome::failure;
  report.timeouts += outcome == TryOutcome::timeout;
}

void PolicyFeed::completed(PairingId pairing, ProfileId profile, const Sequence& completion) {
  if (!sampling_ || !pairing.exists()) return;
  const std::uint64_t id = completion.request.value;
  const std::uint32_t word =
      models::philox_block(sampling_key_, {static_cast<std::uint32_t>(id),
                                           static_cast<std::uint32_t>(id >> 32U), 0, 0})
          .front();
  if (static_cast<double>(word) >= sampling_->share * 0x1p32) return;
  QualityReport& report = quality_[{pairing.value, profile.value}];
  ++report.sampled;
  const bool repeats = is_looping(completion.row) &&
                       completion.emitted - completion.loop_entered >= sampling_->loop_tokens;
  report.looping += repeats;
  report.schema_invalid += completion.schema_pairing.exists();
}

std::vector<HealthReport> PolicyFeed::take_health() {
  return std::exchange(health_, std::vector<HealthReport>(health_.size()));
}

PolicyFeed::Verdicts PolicyFeed::take_quality() {
  return std::exchange(quality_, {});
}

}  // namespace specroute::sim
