#include "sim/scenario/decode.hpp"

namespace specroute::sim {
namespace {

RetryLayer decode_layer(const JsonNode& node) {
  return {.max_retries = count_at(node, "max_retries"),
          .backoff = milliseconds_at(node, "backoff_ms"),
          .backoff_multiplier = number_at(node, "backoff_multiplier"),
          .backoff_max = milliseconds_at(node, "backoff_max_ms"),
          .jitter = number_at(node, "jitter"),
          .budget_share = node.number("budget_share"),
          .budget_min_per_s = number_at(node, "budget_min_per_s"),
          .budget_window_s = count_at(node, "budget_window_s"),
          .try_timeout = optional_milliseconds_at(node, "try_timeout_ms")};
}

OpenGrowth growth_at(const JsonNode& node) {
  const std::string text = text_at(node, "open_growth");
  if (text == "linear") return OpenGrowth::linear;
  return text == "exponential" ? OpenGrowth::exponential : OpenGrowth::none;
}

HalfOpen half_open_at(const JsonNode& node) {
  const std::string text = text_at(node, "half_open");
  if (text == "one") return HalfOpen::one;
  return text == "all" ? HalfOpen::all : HalfOpen::none;
}

std::optional<BreakerSettings> decode_breaker(const JsonNode& node) {
  if (!node.exists() || node.value->kind != JsonValue::Kind::object) return std::nullopt;
  return BreakerSettings{.consecutive_failures = count_at(node, "consecutive_failures"),
                         .failure_share = node.number("failure_share"),
                         .window_s = count_at(node, "window_s"),
                         .min_tries = count_at(node, "min_tries"),
                         .deviations = node.number("deviations"),
                         .deviation_min_targets = count_at(node, "deviation_min_targets"),
                         .deviation_min_tries = count_at(node, "deviation_min_tries"),
                         .sweep = seconds_at(node, "sweep_s"),
                         .open = seconds_at(node, "open_s"),
                         .open_growth = growth_at(node),
                         .max_open = seconds_at(node, "max_open_s"),
                         .half_open = half_open_at(node),
                         .successes_to_close = count_at(node, "successes_to_close"),
                         .max_open_share = number_at(node, "max_open_share"),
                         .closes_on_probe = truth_at(node, "closes_on_probe"),
                         .counts_client_errors = truth_at(node, "counts_client_errors")};
}

std::optional<QualitySampling> decode_quality_sampling(const JsonNode& node) {
  if (!node.exists() || node.value->kind != JsonValue::Kind::object) return std::nullopt;
  return QualitySampling{.share = number_at(node, "share"),
                         .report = milliseconds_at(node, "report_ms"),
                         .loop_tokens = count_at(node, "loop_tokens")};
}

}  // namespace

void decode_resilience(const JsonNode& router, RouterSettings& settings) {
  settings.healthy_threshold = count_at(router, "healthy_threshold");
  settings.probe_kind =
      text_at(router, "probe_kind") == "end_to_end" ? ProbeKind::end_to_end : ProbeKind::liveness;
  for (const auto& node : router.items("retry_layers"))
    settings.retry_layers.push_back(decode_layer(node));
  settings.retries_keep_tokens = truth_at(router, "retries_keep_tokens");
  settings.error_turnaround = milliseconds_at(router, "error_turnaround_ms");
  settings.breaker = decode_breaker(router.at("breaker"));
  settings.health_report = optional_milliseconds_at(router, "health_report_ms");
  settings.quality_sampling = decode_quality_sampling(router.at("quality_sampling"));
}

}  // namespace specroute::sim
