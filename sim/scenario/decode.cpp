#include "sim/scenario/decode.hpp"

#include <limits>
#include <utility>

namespace specroute::sim {
namespace {

constexpr double kMillisecondsPerSecond = 1000.0;
constexpr double kBytesPerGigabit = 1.25e8;

std::optional<BytesPerSecond> optional_bandwidth(const JsonNode& node, const char* key) {
  const auto gigabits = node.number(key);
  return gigabits ? std::optional(BytesPerSecond{*gigabits * kBytesPerGigabit}) : std::nullopt;
}

Network decode_network(const JsonNode& node) {
  const bool tree = text_at(node, "topology") == "fat_tree";
  return {.nic = BytesPerSecond{number_at(node, "nic_gbit_per_s") * kBytesPerGigabit},
          .nic_latency = milliseconds_at(node, "nic_latency_ms"),
          .cross_rack_latency = milliseconds_at(node, "cross_rack_latency_ms"),
          .flow_threshold = Bytes{number_at(node, "flow_threshold_bytes")},
          .topology = tree ? Topology::fat_tree : Topology::star,
          .spine = optional_bandwidth(node, "spine_gbit_per_s"),
          .uplinks_per_rack = tree ? count_at(node, "uplinks_per_rack") : 1,
          .storage = optional_bandwidth(node, "storage_gbit_per_s")};
}

Degradation decode_degradation(const JsonNode& node) {
  const JsonNode loop = node.at("loop");
  return {.loop_hazard_at_zero_entropy = number_at(loop, "hazard_at_zero_entropy_per_token"),
          .loop_greedy_to_sampled_ratio = number_at(loop, "greedy_to_sampled_ratio"),
          .loop_reference_temperature = number_at(loop, "reference_temperature"),
          .looping_acceptance = number_at(loop, "looping_acceptance"),
          .schema_hazard_per_token = number_at(node.at("schema"), "hazard_per_token"),
          .corruption_hazard_per_token = number_at(node.at("corruption"), "hazard_per_token"),
          .loop_escape_hazard = number_at(loop, "escape_hazard_per_token"),
          .loop_period_tokens = count_at(loop, "period_tokens")};
}

std::optional<std::uint32_t> optional_count(const JsonNode& node, const char* key) {
  return node.number(key) ? std::optional(count_at(node, key)) : std::nullopt;
}

std::optional<Seconds> optional_milliseconds(const JsonNode& node, const char* key) {
  return node.number(key) ? std::optional(milliseconds_at(node, key)) : std::nullopt;
}

RouterSettings decode_router(const JsonNode& node) {
  return {.probe_period = milliseconds_at(node, "probe_period_ms"),
          .probe_timeout = milliseconds_at(node, "probe_timeout_ms"),
          .unhealthy_threshold = count_at(node, "unhealthy_threshold"),
          .telemetry_period = milliseconds_at(node, "telemetry_period_ms"),
          .telemetry_transport = milliseconds_at(node, "telemetry_transport_ms"),
          .telemetry_stale_after = optional_milliseconds(node, "telemetry_stale_after_ms"),
          .command_transport = milliseconds_at(node, "command_transport_ms"),
          .bind_verification = milliseconds_at(node, "bind_verification_ms"),
          .live_after_drafted = count_at(node, "live_after_drafted_tokens"),
          .verify_binding = text_at(node, "verify_binding") == "bind"
                                ? VerifyBinding::bind
                                : VerifyBinding::configuration,
          .tokenizer_identity = text_at(node, "tokenizer_identity") == "hash"
                                    ? TokenizerIdentity::hash
                                    : TokenizerIdentity::vocabulary_size,
          .standby_parameters = text_at(node, "standby_parameters") == "own"
                                    ? StandbyParameters::own
                                    : StandbyParameters::copied_from_primary,
          .verify_parameters_at_bind = truth_at(node, "verify_parameters_at_bind"),
          .parameter_verification = milliseconds_at(node, "parameter_verification_ms"),
          .reselect_period = seconds_at(node, "reselect_period_s"),
          .no_candidate_retry = milliseconds_at(node, "no_candidate_retry_ms"),
          .dispatch = dispatch_at(node, "dispatch"),
          .max_retries = count_at(node, "max_retries"),
          .request_timeout = seconds_at(node, "request_timeout_s"),
          .queue_limit = count_at(node, "queue_limit"),
          .max_outstanding_per_engine = optional_count(node, "max_outstanding_per_engine"),
          .assignment = text_at(node, "assignment") == "flow" ? AssignmentRule::flow
                                                              : AssignmentRule::greedy};
}

}  // namespace

std::string text_at(const JsonNode& node, const char* key) {
  const auto text = node.text(key);
  check(text.has_value(), "an accepted scenario has its texts");
  return *text;
}

double number_at(const JsonNode& node, const char* key) {
  const auto number = node.number(key);
  check(number.has_value(), "an accepted scenario has its numbers");
  return *number;
}

bool truth_at(const JsonNode& node, const char* key) {
  const auto truth = node.truth(key);
  check(truth.has_value(), "an accepted scenario has its truth values");
  return *truth;
}

std::int64_t integer_at(const JsonNode& node, const char* key) {
  const JsonNode number = node.at(key);
  check(number.exists() && number.value->kind == JsonValue::Kind::integer,
        "an accepted scenario has its integers");
  return number.value->integer;
}

std::uint32_t count_at(const JsonNode& node, const char* key) {
  const std::int64_t count = integer_at(node, key);
  check(count >= 0 && count <= std::numeric_limits<std::uint32_t>::max(),
        "the schema keeps counts within 32 bits");
  return static_cast<std::uint32_t>(count);
}

Rule rule_at(const JsonNode& node, const char* key) {
  static constexpr std::pair<const char*, Rule> kRules[] = {
      {"rejection", Rule::rejection},
      {"exact_match", Rule::exact_match},
      {"coupled_match", Rule::coupled_match},
      {"one_hot", Rule::one_hot},
      {"typical", Rule::typical},
      {"threshold", Rule::threshold},
      {"synthetic", Rule::synthetic},
      {"forwarded_logits", Rule::forwarded_logits}};
  const std::string text = text_at(node, key);
  for (const auto& [spelling, rule] : kRules)
    if (text == spelling) return rule;
  check(false, "the schema lists the rules that are decoded");
  return Rule::rejection;
}

std::vector<double> numbers_at(const JsonNode& node, const char* key) {
  std::vector<double> numbers;
  for (const auto& item : node.items(key)) numbers.push_back(item.value->number());
  return numbers;
}

Seconds seconds_at(const JsonNode& node, const char* key) {
  return Seconds{number_at(node, key)};
}

Seconds milliseconds_at(const JsonNode& node, const char* key) {
  return Seconds{number_at(node, key) / kMillisecondsPerSecond};
}

std::optional<Seconds> optional_seconds_at(const JsonNode& node, const char* key) {
  const auto number = node.number(key);
  return number ? std::optional(Seconds{*number}) : std::nullopt;
}

std::optional<Seconds> optional_milliseconds_at(const JsonNode& node, const char* key) {
  const auto number = node.number(key);
  return number ? std::optional(Seconds{*number / kMillisecondsPerSecond}) : std::nullopt;
}

Scenario decode_scenario(const JsonNode& root) {
  Scenario scenario{};
  scenario.title = text_at(root, "title");
  scenario.question = text_at(root, "question");
  scenario.reading = text_at(root, "reading");
  scenario.horizon = seconds_at(root, "horizon_s");
  scenario.drain_limit = seconds_at(root, "drain_limit_s");
  decode_fleet(root.at("fleet"), scenario);
  scenario.network = decode_network(root.at("network"));
  decode_workload(root.at("workload"), scenario);
  decode_acceptance(root.at("acceptance"), scenario);
  scenario.degradation = decode_degradation(root.at("degradation"));
  scenario.router = decode_router(root.at("router"));
  decode_dispatch(root.at("router"), scenario);
  decode_resilience(root.at("router"), scenario.router);
  decode_plans(root, scenario);
  decode_conditions(root, scenario);
  return scenario;
}

}  // namespace specroute::sim
