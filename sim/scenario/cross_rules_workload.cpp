#include <algorithm>
#include <cmath>

#include "sim/scenario/cross_rules.hpp"

namespace specroute::sim {
namespace {

void range_rules(const JsonNode& length, Faults& faults) {
  const auto minimum = length.number("min_tokens");
  const auto maximum = length.number("max_tokens");
  if (minimum && maximum && *minimum > *maximum)
    faults.add(length.at("min_tokens").pointer,
               "at most max_tokens (" + found_text(*length.at("max_tokens").value) + ")",
               found_text(*length.at("min_tokens").value));
  std::optional<double> last;
  double total = 0.0;
  for (const JsonNode& value : length.items("values")) {
    const auto tokens = value.number("tokens");
    if (last && tokens && *tokens <= *last)
      faults.add(value.at("tokens").pointer, "more tokens than the value before it",
                 found_text(*value.at("tokens").value));
    last = tokens;
    total += value.number("weight").value_or(1.0);
  }
  if (!length.items("values").empty() && total == 0.0)
    faults.add(length.at("values").pointer, "a weight above 0", "none");
}

/// A gamma quantile costs as many terms as 1 / cv has: narrower ones would take for ever.
constexpr double kLeastGammaCv = 0.001;

void length_rules(const JsonNode& length, Faults& faults) {
  range_rules(length, faults);
  const auto cv = length.number("cv");
  if (length.text("kind") == "gamma" && cv && *cv < kLeastGammaCv)
    faults.add(length.at("cv").pointer, "at least 0.001 where \"kind\" is \"gamma\"",
               found_text(*length.at("cv").value));
  const auto mean = length.number("mean_tokens");
  const auto limit = length.number("limit_tokens");
  if (!mean) return;
  const JsonNode node = length.at("mean_tokens");
  if (limit && *mean > *limit)
    faults.add(node.pointer,
               "at most limit_tokens (" + found_text(*length.at("limit_tokens").value) + ")",
               found_text(*node.value));
  if (length.text("kind") == "fixed" && std::floor(*mean) != *mean)
    faults.add(node.pointer, "a whole number where \"kind\" is \"fixed\"", found_text(*node.value));
}

void phase_rules(const RuleInput& input, const JsonNode& request_class, Faults& faults) {
  std::optional<double> last;
  for (const auto& phase : request_class.items("content")) {
    const auto from = phase.number("from_s");
    if (!from) return;
    const JsonNode node = phase.at("from_s");
    const std::string found = found_text(*node.value);
    const bool first = phase.pointer == request_class.items("content").front().pointer;
    if (first && *from != 0.0) faults.add(node.pointer, "0, the start of the run", found);
    if (last && *from <= *last) faults.add(node.pointer, "a time after the phase before it", found);
    require_before_horizon(input, phase, "from_s", faults);
    last = from;
  }
}

/// The class's pool has somebody to serve it, now and at a fail-over.
void service_rules(const RuleInput& input, const JsonNode& request_class, Faults& faults) {
  const auto pool = request_class.text("pool");
  const std::string place = request_class.at("pool").pointer;
  bool manned = true;
  for (const std::string role : {"target", "draft"}) {
    const bool has_role = std::ranges::any_of(input.names.backends, [&](const auto& backend) {
      const bool is_draft = backend.role == "draft";
      return backend.role == role &&
             (is_draft ? input.names.draws_on(*pool, backend.pool) : backend.pool == pool);
    });
    if (!has_role)
      faults.add(place, "a pool with a " + role + " backend", quoted(*pool) + ", which has none");
    manned = manned && has_role;
  }
  if (!manned) return;
  for (const auto& pairing : input.root.at("fleet").items("pairings"))
    if (input.names.members(*pairing.text("target")).front()->pool == pool) return;
  faults.add(place, "a pool that one of /fleet/pairings serves", quoted(*pool));
}

}  // namespace

void workload_rules(const RuleInput& input, Faults& faults) {
  const JsonNode workload = input.root.at("workload");
  require_unique_names(workload.items("sampling_profiles"), faults);
  require_unique_names(workload.items("classes"), faults);
  for (const auto& each : workload.items("classes")) {
    require_known_name(each, "pool", input.names.pools, "the name of a pool", faults);
    require_known_name(each, "profile", input.names.profiles, "the name of a sampling profile",
                       faults);
    length_rules(each.at("prompt_tokens"), faults);
    length_rules(each.at("output_tokens"), faults);
    arrival_rules(input, each, faults);
    phase_rules(input, each, faults);
    if (input.names.complete) service_rules(input, each, faults);
  }
}

}  // namespace specroute::sim
