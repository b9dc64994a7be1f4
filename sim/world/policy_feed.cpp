#include "sim/world/policy_feed.hpp"

#include "sim/serving/row_layout.hpp"

namespace specroute::sim {

PolicyFeed::PolicyFeed(const Scenario& scenario, models::Seed seed)
    : sampling_(scenario.router.quality_sampling),
      sampling_key_(seed.key("quality sampling")),
      health_(scenario.backends.size()),
      released_(scenario.backends.size(), Seconds{0.0}) {}

void PolicyFeed::released(BackendId target, Seconds now) {
  released_[target.index()] = now;
  health_[target.index()] = {};
}

void PolicyFeed::settled(BackendId target, Seconds sent, TryOutcome outcome) {
  if (outcome == TryOutcome::nothing || sent < released_[target.index()]) return;
  HealthReport& report = health_[target.index()];
  ++report.tries;
  report.errors += outcome == TryOutcome::failure;
  report.timeouts += outcome == TryOutcome::timeout;
}

void PolicyFeed::completed(PairingId pairing, ProfileId profile, const Sequence& completion) {
  if (!sampling_ || !pairing.exists()) return;
  if (models::uniform_of(sampling_key_, completion.request.value) >= sampling_->share) return;
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
