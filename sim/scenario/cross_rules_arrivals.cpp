#include <algorithm>

#include "sim/scenario/cross_rules.hpp"

namespace specroute::sim {
namespace {

void burst_rules(const RuleInput& input, const JsonNode& arrivals, Faults& faults) {
  for (const JsonNode& burst : arrivals.items("bursts")) {
    require_before_horizon(input, burst, "at_s", faults);
    if (burst.at("rate_factor").exists() && arrivals.text("kind") == "none")
      faults.add(burst.at("rate_factor").pointer, "\"requests\" where \"kind\" is \"none\"",
                 "a factor of no rate");
  }
}

void point_rules(const RuleInput& input, const JsonNode& arrivals, Faults& faults) {
  const auto points = arrivals.items("points");
  std::optional<double> last;
  for (const JsonNode& point : points) {
    const auto at = point.number("at_s");
    if (!at) return;
    const JsonNode node = point.at("at_s");
    if (!last && *at != 0.0)
      faults.add(node.pointer, "0, the start of the run", found_text(*node.value));
    if (last && *at <= *last)
      faults.add(node.pointer, "a time after the point before it", found_text(*node.value));
    require_before_horizon(input, point, "at_s", faults);
    last = at;
  }
}

/// A process whose every rate is 0 is the kind "none" by another name.
void some_rate_rule(const JsonNode& arrivals, const char* key, Faults& faults) {
  const auto rates = arrivals.items(key);
  const bool all_zero = std::ranges::all_of(
      rates, [](const JsonNode& each) { return each.number("rate_per_s") == 0.0; });
  if (!rates.empty() && all_zero)
    faults.add(arrivals.at(key).pointer, "a rate_per_s above 0",
               "none (\"kind\": \"none\" is no traffic)");
}

void trace_rules(const RuleInput& input, const JsonNode& arrivals, Faults& faults) {
  if (arrivals.text("kind") != "trace") return;
  require_before_horizon(input, arrivals, "start_s", faults);
  const auto from = arrivals.number("from_s");
  const auto to = arrivals.number("to_s");
  if (from && to && *to <= *from)
    faults.add(arrivals.at("to_s").pointer,
               "a time after from_s (" + found_text(*arrivals.at("from_s").value) + ")",
               found_text(*arrivals.at("to_s").value));
  if (arrivals.truth("loop") == true && !to)
    faults.add(arrivals.at("loop").pointer, "a to_s, where the slice ends and begins again",
               "true without it");
  const auto format = arrivals.text("format");
  if (arrivals.text("rows_of") && (format == "azure" || format == "mooncake"))
    faults.add(arrivals.at("rows_of").pointer, "null: " + *format + " has no column for it",
               found_text(*arrivals.at("rows_of").value));
}

/// A trace brings its lengths; everybody else says them.
void length_presence_rules(const JsonNode& request_class, Faults& faults) {
  const auto kind = request_class.at("arrivals").text("kind");
  if (!kind) return;
  for (const char* key : {"prompt_tokens", "output_tokens"}) {
    const JsonNode length = request_class.at(key);
    if (kind == "trace" && length.exists())
      faults.add(length.pointer, "no such key where the arrivals are a trace",
                 found_text(*length.value));
    if (kind != "trace" && !length.exists())
      faults.add(length.pointer, "an object unless the arrivals are a trace", "no such key");
  }
}

/// A trace has its own sessions and prefixes, and a user's requests are one session.
void sharing_rules(const JsonNode& request_class, Faults& faults) {
  const auto kind = request_class.at("arrivals").text("kind");
  const auto forbid = [&](const char* key) {
    if (const JsonNode node = request_class.at(key); node.exists())
      faults.add(node.pointer, "no such key where the arrivals are of kind \"" + *kind + '"',
                 found_text(*node.value));
  };
  if (kind == "trace") forbid("shared_prefix");
  if (kind == "trace" || kind == "closed_loop") forbid("sessions");
}

}  // namespace

void arrival_rules(const RuleInput& input, const JsonNode& request_class, Faults& faults) {
  const JsonNode arrivals = request_class.at("arrivals");
  burst_rules(input, arrivals, faults);
  point_rules(input, arrivals, faults);
  some_rate_rule(arrivals, "points", faults);
  some_rate_rule(arrivals, "states", faults);
  trace_rules(input, arrivals, faults);
  length_presence_rules(request_class, faults);
  sharing_rules(request_class, faults);
  require_unique_names(request_class.items("tenants"), faults);
}

}  // namespace specroute::sim
