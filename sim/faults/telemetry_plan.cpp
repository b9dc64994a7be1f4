#include "sim/faults/telemetry_plan.hpp"

namespace specroute::sim {
namespace {

using FaultKind = TelemetryFault::Kind;

bool active(const TelemetryFault& fault, FaultKind kind, BackendId target, Seconds now) {
  return fault.kind == kind && fault.backend == target && now >= fault.from &&
         (!fault.until || now < *fault.until);
}

}  // namespace

const TelemetryFault* TelemetryPlan::last(FaultKind kind, BackendId target, Seconds now) const {
  const TelemetryFault* found = nullptr;
  for (const TelemetryFault& fault : faults_)
    if (active(fault, kind, target, now) && (found == nullptr || fault.from >= found->from))
      found = &fault;
  return found;
}

Seconds TelemetryPlan::extra_delay(BackendId target, Seconds now) const {
  Seconds total{0.0};
  for (const TelemetryFault& fault : faults_)
    if (active(fault, FaultKind::delay, target, now)) total += fault.extra;
  return total;
}

double TelemetryPlan::loss(BackendId target, Seconds now) const {
  double arrives = 1.0;
  for (const TelemetryFault& fault : faults_)
    if (active(fault, FaultKind::loss, target, now)) arrives *= 1.0 - fault.share;
  return 1.0 - arrives;
}

std::optional<TelemetryFault::Denominator> TelemetryPlan::denominator(BackendId target,
                                                                      Seconds now) const {
  const TelemetryFault* const fault = last(FaultKind::other_denominator, target, now);
  return fault != nullptr ? std::optional(fault->denominator) : std::nullopt;
}

std::optional<std::uint32_t> TelemetryPlan::only_engine(BackendId target, Seconds now) const {
  const TelemetryFault* const fault = last(FaultKind::one_engine, target, now);
  return fault != nullptr ? std::optional(fault->engine) : std::nullopt;
}

std::vector<TelemetryPlan::Reset> TelemetryPlan::resets() const {
  std::vector<Reset> dates;
  for (const TelemetryFault& fault : faults_)
    if (fault.kind == FaultKind::counter_reset) dates.push_back({fault.from, fault.backend});
  return dates;
}

std::optional<std::uint32_t> TelemetryPlan::engine_ever_alone(BackendId target) const {
  for (const TelemetryFault& fault : faults_)
    if (fault.kind == FaultKind::one_engine && fault.backend == target) return fault.engine;
  return std::nullopt;
}

}  // namespace specroute::sim
