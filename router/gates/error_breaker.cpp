/// @file
/// `error_breaker`: a pairing whose target fails too many requests is quarantined; whatever is
/// measured meanwhile is rewarded.
///
/// It sees what every router sees: errors and timeouts. A pair that answers, and answers wrongly,
/// is as well as any to it; acceptance it does not read.
/// Statistic: failed / settled requests of the target within the latest `observation_s`. Once
/// released, the first failure among the first `probe_requests` sends it back.
/// @source LiteLLM (more than half of a minute's requests), SGLang gateway (10 failures, 3
/// successes, half-open admits all traffic).
#include "router/gate.hpp"

namespace specroute::router {

Verdict judge_error_breaker(const Evidence& evidence, const Config& config) {
  const Outcomes& recent = evidence.recent;
  if (evidence.half_open) {
    if (recent.bad > 0) return quarantine(Reason::probe_failed);
    if (recent.total < config.probe_requests) return hold(Reason::half_open);
    return evidence.measured ? lock(Reason::failures_tolerable) : hold(Reason::probe_passed);
  }
  const bool enough = recent.total >= config.min_requests;
  if (enough && recent.bad * 1'000'000 > recent.total * config.failure_ppm)
    return quarantine(Reason::too_many_failures);
  return evidence.measured ? lock(Reason::failures_tolerable) : hold(Reason::none);
}

}  // namespace specroute::router
