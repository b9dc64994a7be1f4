#include "sim/scenario/decode.hpp"
#include "sim/scenario/fault_spans.hpp"

namespace specroute::sim {
namespace {

Fault::Kind kind_of(const std::string& text) {
  static constexpr std::pair<const char*, Fault::Kind> kKinds[] = {
      {"crash", Fault::Kind::crash},
      {"hang", Fault::Kind::hang},
      {"slow", Fault::Kind::slow},
      {"errors", Fault::Kind::errors},
      {"partition", Fault::Kind::partition},
      {"drain", Fault::Kind::drain},
      {"wrong_tokens", Fault::Kind::wrong_tokens}};
  for (const auto& [spelling, kind] : kKinds)
    if (text == spelling) return kind;
  check(false, "the schema lists the faults that are decoded");
  return Fault::Kind::crash;
}

/// No backend: the router.
BackendId backend_named(const std::string& name, const Scenario& scenario) {
  for (std::uint32_t b = 0; b < scenario.backends.size(); ++b)
    if (scenario.backends[b].name == name) return BackendId{b};
  return BackendId{};
}

Fault decode_span(const FaultSpan& span, const Scenario& scenario) {
  Fault fault{.kind = kind_of(span.kind),
              .backend = backend_named(span.backend, scenario),
              .at = Seconds{span.at_s},
              .until = {}};
  if (span.until) fault.until = Seconds{*span.until};
  fault.silent = span.source.truth("silent").value_or(true);
  fault.factor = span.source.number("factor").value_or(1.0);
  fault.share = span.source.number("share").value_or(1.0);
  fault.answer = span.source.text("status") == "400" ? ErrorAnswer::client : ErrorAnswer::server;
  fault.hazard_per_token = span.source.number("hazard_per_token").value_or(0.0);
  fault.from = backend_named(span.from, scenario);
  fault.to = backend_named(span.to, scenario);
  return fault;
}

RandomFaults decode_random(const JsonNode& node, const Scenario& scenario,
                           const std::vector<FaultSubject>& subjects) {
  RandomFaults faults{.effect = kind_of(text_at(node, "effect")),
                      .backends = {},
                      .gpu_hours_per_failure = number_at(node, "gpu_hours_per_failure"),
                      .restart_after = optional_seconds_at(node, "restart_after_s"),
                      .silent = truth_at(node, "silent")};
  for (const std::string& name : fault_subjects(node, subjects))
    faults.backends.push_back(backend_named(name, scenario));
  return faults;
}

}  // namespace

void decode_faults(const JsonNode& root, Scenario& scenario) {
  const auto faults = root.items("faults");
  const auto subjects = subjects_of(root);
  for (const FaultSpan& span : fault_spans(faults, subjects).spans)
    scenario.faults.push_back(decode_span(span, scenario));
  for (const auto& node : faults)
    if (node.text("kind") == "random")
      scenario.random_faults.push_back(decode_random(node, scenario, subjects));
}

}  // namespace specroute::sim
