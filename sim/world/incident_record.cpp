#include "sim/world/incident_record.hpp"

#include "sim/world/counted.hpp"

namespace specroute::sim {
namespace {

std::optional<double> milliseconds(std::optional<Seconds> from, std::optional<Seconds> to) {
  if (!from || !to) return std::nullopt;
  return (*to - *from).count() * 1e3;
}

bool rejects(const srp_decision& decision) {
  return decision.dry_run == 0 &&
         (decision.h.type == SRP_REBIND || decision.h.type == SRP_NO_DRAFT ||
          decision.h.type == SRP_QUARANTINE);
}

}  // namespace

void IncidentRecord::detected_by_probes(BackendId backend, Seconds now) {
  if (fault_ && !probes_noticed_ && backend == target_ && now >= *fault_) probes_noticed_ = now;
}

void IncidentRecord::failed_over(PairingId pairing, BackendId target, Seconds now) {
  if (t0_) return;
  t0_ = now;
  pairing_ = first_ = pairing;
  target_ = target;
}

void IncidentRecord::rebound(PairingId replaced, DraftCounts replaced_counts, PairingId pairing,
                             BackendId target, Seconds now) {
  if (!t0_ || replaced != pairing_) return;
  if (replaced == first_ && now <= *t0_ + kWatched) {
    after_failover_ = replaced_counts;
    after_rebind_ = DraftCounts{};
    rebound_at_ = now;
  }
  pairing_ = pairing;
  target_ = target;
}

void IncidentRecord::watch_ends(PairingId serving, DraftCounts counts) {
  if (serving == first_)
    after_failover_ = counts;
  else if (serving == pairing_ && after_rebind_)
    after_rebind_ = counts;
}

void IncidentRecord::window(PairingId pairing, std::uint64_t drafted, std::uint64_t accepted,
                            Seconds now) {
  if (!t0_ || spike_ || pairing != first_) return;
  const auto before = before_.rate();
  if (drafted < kJudged || !before) return;
  if (static_cast<double>(accepted) / static_cast<double>(drafted) - *before > kSpike) spike_ = now;
}

void IncidentRecord::decided(PairingId pairing, const srp_decision& decision, Seconds now) {
  if (t0_ && !detection_ && pairing == first_ && rejects(decision)) detection_ = now;
}

void IncidentRecord::completed(const CompletionFacts& facts) {
  if (!fault_ || facts.target != target_) return;
  if (facts.arrival < *fault_) latency_before_.add(facts.latency.count());
  if (!t0_) return;
  if (facts.arrival >= *fault_ && facts.arrival < *t0_) ttft_outage_.add(facts.ttft.count());
  if (facts.during_lock && facts.arrival >= *t0_ + kSettled)
    latency_after_.add(facts.latency.count());
  if (facts.at < *t0_ || facts.at >= *t0_ + kWatched) return;
  ++watched_;
  watched_loops_ += facts.loop;
  watched_schema_ += facts.schema;
}

void IncidentRecord::report(Metrics& metrics) const {
  metrics.emplace_back("acceptance.before", before_.rate());
  metrics.emplace_back("acceptance.after_failover", after_failover_.rate());
  metrics.emplace_back("acceptance.after_rebind",
                       after_rebind_ ? after_rebind_->rate() : std::nullopt);
  metrics.emplace_back("probes_noticed_ms", milliseconds(fault_, probes_noticed_));
  metrics.emplace_back("outage_ms", milliseconds(fault_, t0_));
  metrics.emplace_back("spike_observed_ms", milliseconds(t0_, spike_));
  metrics.emplace_back("detection_ms", milliseconds(t0_, detection_));
  metrics.emplace_back("rebind_ms", milliseconds(detection_, rebound_at_));
  metrics.emplace_back("watched.completions",
                       t0_ ? std::optional(static_cast<double>(watched_)) : std::nullopt);
  metrics.emplace_back("watched.loop_share", share(watched_loops_, watched_));
  metrics.emplace_back("watched.schema_share", share(watched_schema_, watched_));
  const auto before = latency_before_.quantile(0.5);
  const auto after = latency_after_.quantile(0.5);
  const auto in_ms = [](std::optional<double> seconds) -> std::optional<double> {
    return seconds ? std::optional(*seconds * 1e3) : std::nullopt;
  };
  metrics.emplace_back("latency.before.p50_ms", in_ms(before));
  metrics.emplace_back("latency.after_failover.p50_ms", in_ms(after));
  metrics.emplace_back("latency.ttft_outage.p50_ms", in_ms(ttft_outage_.quantile(0.5)));
  metrics.emplace_back("latency.ttft_outage.p95_ms", in_ms(ttft_outage_.quantile(0.95)));
  metrics.emplace_back("latency.change",
                       before && after ? std::optional(*after / *before - 1.0) : std::nullopt);
}

}  // namespace specroute::sim
