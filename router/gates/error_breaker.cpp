/// @file
/// `error_breaker`: a pairing whose target fails too many requests is quarantined; whatever is
/// measured meanwhile is rewarded.
///
/// It sees what every router sees: errors and timeouts. It cannot see that a pair answers wrongly,
/// as long as it answers; acceptance it does not read.
/// Statistic: failed / settled requests of the target within the latest `observation_s`. Once
/// released, a failure while no more than `probe_requests` have come sends it back; of a report
/// that brings more, nobody knows which came first, and its share is judged.
/// Parameters: min_drafted, cool_down_s, failure_share, min_requests, probe_requests,
/// observation_s, quarantine_s, max_quarantine_s, retry_s.
/// @source LiteLLM (more than half of a minute's requests), SGLang gateway (10 failures, 3
/// successes, half-open admits all traffic).
#include "router/gate.hpp"

namespace specroute::router {
namespace {

bool fails_too_much(const Outcomes& recent, const Config& config) {
  return recent.bad * 1'000'000 > recent.total * config.failure_ppm;
}

Verdict judge_half_open(const Evidence& evidence, const Config& config) {
  const Outcomes& recent = evidence.recent;
  if (recent.total <= config.probe_requests && recent.bad > 0)
    return quarantine(Reason::probe_failed);
  if (recent.total < config.probe_requests) return hold(Reason::half_open);
  if (fails_too_much(recent, config)) return quarantine(Reason::too_many_failures);
  return evidence.measured ? lock(Reason::failures_tolerable) : hold(Reason::probe_passed);
}

}  // namespace

Verdict judge_error_breaker(const Evidence& evidence, const Config& config) {
  if (evidence.half_open) return judge_half_open(evidence, config);
  const bool enough = evidence.recent.total >= config.min_requests;
  if (enough && fails_too_much(evidence.recent, config))
    return quarantine(Reason::too_many_failures);
  return evidence.measured ? lock(Reason::failures_tolerable) : hold(Reason::none);
}

}  // namespace specroute::router
