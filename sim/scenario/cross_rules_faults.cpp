// Faults that cannot happen.
#include <algorithm>
#include <cstdint>
#include <map>
#include <set>

#include "sim/scenario/cross_rules.hpp"
#include "sim/scenario/fault_spans.hpp"
#include "sim/scenario/plans.hpp"

namespace specroute::sim {
namespace {

constexpr const char* kRouter = "router";

struct FaultRules {
  const RuleInput& input;
  Faults& faults;
  std::vector<FaultSubject> subjects;
};

std::string role_of(const FaultRules& rules, const std::string& name) {
  const BackendNames* backend = rules.input.names.backend(name);
  return backend == nullptr ? std::string{} : backend->role;
}

/// The racks of the fleet, or its nodes, in order of first mention.
std::vector<std::string> places(const FaultRules& rules, std::string FaultSubject::* kind) {
  std::vector<std::string> names;
  for (const auto& each : rules.subjects)
    if (!(each.*kind).empty() && std::ranges::find(names, each.*kind) == names.end())
      names.push_back(each.*kind);
  return names;
}

/// Whether the file says the date itself, rather than a date that it follows from.
bool is_own_date(const FaultSpan& span) {
  return span.source.number("at_s") == span.at_s;
}

std::string date_text(const FaultSpan& span) {
  if (is_own_date(span)) return found_text(*span.source.at("at_s").value);
  JsonValue date;
  date.kind = JsonValue::Kind::real;
  date.real = span.at_s;
  return found_text(date);
}

void require_target(const FaultRules& rules, const JsonNode& node, const char* key,
                    const std::string& why) {
  const auto name = node.text(key).value_or("");
  if (role_of(rules, name) == "draft")
    rules.faults.add(node.at(key).pointer, "a target" + why, quoted(name) + ", which is a draft");
}

/// Whom it happens to: names that lead somewhere, and somebody there who can have it.
void subject_rules(const FaultRules& rules, const JsonNode& fault) {
  const auto& names = rules.input.names;
  require_known_name(fault, "backend", names.backends_of_role(""), "the name of a backend",
                     rules.faults);
  const auto racks = places(rules, &FaultSubject::rack);
  const auto nodes = places(rules, &FaultSubject::node);
  require_known_name(fault, "rack", racks, "the rack of a backend", rules.faults);
  require_known_name(fault, "node", nodes, "the node of a backend", rules.faults);
  require_known_name(fault, "pool", names.pools, "the name of a pool", rules.faults);
  const std::string kind = fault.text("kind").value_or("");
  if (only_targets_have(kind)) {
    require_target(rules, fault, "backend", ", which answers requests");
    if (fault.text("role") == "draft")
      rules.faults.add(fault.at("role").pointer, "\"target\", which answers requests", "\"draft\"");
  }
  for (const auto& [key, known] :
       {std::pair{"rack", &racks}, std::pair{"node", &nodes}, std::pair{"pool", &names.pools}}) {
    const auto name = fault.text(key);
    if (name && std::ranges::count(*known, *name) > 0 && names.complete &&
        fault_subjects(fault, rules.subjects).empty())
      rules.faults.add(fault.at(key).pointer,
                       "a " + std::string(key) + " with a backend that can have it",
                       quoted(*name) + ", which has none");
  }
}

/// A partition is between the router and a backend, or between a target and a draft of its pool.
void partition_rules(const FaultRules& rules, const JsonNode& fault) {
  auto known = rules.input.names.backends_of_role("");
  known.emplace_back(kRouter);
  for (const char* key : {"from", "to"})
    require_known_name(fault, key, known, "\"router\" or the name of a backend", rules.faults);
  const auto from = fault.text("from").value_or("");
  const auto to = fault.text("to").value_or("");
  if (from == kRouter && to == kRouter) {
    rules.faults.add(fault.at("to").pointer, "a backend, at the other end of the router",
                     quoted(to));
    return;
  }
  const BackendNames* a = rules.input.names.backend(from);
  const BackendNames* b = rules.input.names.backend(to);
  if (a == nullptr || b == nullptr) return;
  if (a->role == b->role || a->pool != b->pool)
    rules.faults.add(fault.at("to").pointer,
                     "the other side of a pairing with " + quoted(from) + ", or \"router\"",
                     quoted(to) + ", which exchanges nothing with it");
}

/// A bounce goes from one target to another of its pool and back, when the first is up again.
void bounce_rules(const FaultRules& rules, const JsonNode& fault) {
  require_known_name(fault, "to", rules.input.names.backends_of_role("target"),
                     "the name of a target backend", rules.faults);
  require_target(rules, fault, "backend", ", which takes requests");
  const auto from = fault.text("backend").value_or("");
  const auto to = fault.text("to").value_or("");
  const BackendNames* a = rules.input.names.backend(from);
  const BackendNames* b = rules.input.names.backend(to);
  if (a != nullptr && b != nullptr && (a == b || a->pool != b->pool))
    rules.faults.add(fault.at("to").pointer, "another target of the pool of " + quoted(from),
                     quoted(to));
  const auto at = fault.number("at_s");
  const auto down = fault.number("restart_after_s");
  const auto back = fault.number("back_at_s");
  if (at && down && back && *back <= *at + *down)
    rules.faults.add(
        fault.at("back_at_s").pointer,
        "a time after at_s plus restart_after_s, when " + quoted(from) + " is up again",
        found_text(*fault.at("back_at_s").value));
}

/// Devices fail at a rate; a co-located draft is on its target's.
void random_rules(const FaultRules& rules, const JsonNode& fault) {
  const BackendNames* backend = rules.input.names.backend(fault.text("backend").value_or(""));
  if (backend != nullptr && backend->node.text("colocated_with"))
    rules.faults.add(fault.at("backend").pointer, "a backend with devices of its own",
                     quoted(backend->name) + ", which is on those of its target");
}

void own_rules(const FaultRules& rules, const JsonNode& fault) {
  const std::string kind = fault.text("kind").value_or("");
  if (kind == "partition")
    partition_rules(rules, fault);
  else
    subject_rules(rules, fault);
  if (kind == "bounce") bounce_rules(rules, fault);
  if (kind == "random") random_rules(rules, fault);
  const auto at = fault.number("at_s");
  const auto until = fault.number("until_s");
  if (at && until && *until <= *at)
    rules.faults.add(fault.at("until_s").pointer,
                     "a time after at_s (" + found_text(*fault.at("at_s").value) + ")",
                     found_text(*fault.at("until_s").value));
  if (kind != "sequence") return;
  const bool repeated = fault.number("repeat").value_or(1.0) > 1.0;
  if (repeated && !fault.at("every_s").exists())
    rules.faults.add(fault.at("every_s").pointer, "a period, where a sequence is repeated",
                     "no such key");
  for (const JsonNode& step : fault.items("steps")) {
    own_rules(rules, step);
    const auto what = step.text("kind");
    if (what == "random" || what == "sequence")
      rules.faults.add(step.at("kind").pointer, "a single fault with a date, in a sequence",
                       quoted(*what));
  }
}

/// Every beginning lies before the horizon; each place is reported once.
void horizon_rules(const FaultRules& rules, const std::vector<FaultSpan>& spans) {
  const JsonNode& root = rules.input.root;
  const auto horizon = root.number("horizon_s");
  if (!horizon || *horizon <= 0.0) return;
  const std::string bound = "horizon_s (" + found_text(*root.at("horizon_s").value) + ")";
  std::set<std::string> told;
  for (const FaultSpan& span : spans) {
    if (span.at_s < *horizon || !told.insert(span.source.pointer).second) continue;
    const bool directly = is_own_date(span);
    rules.faults.add(directly ? span.source.at("at_s").pointer : span.source.pointer,
                     (directly ? "a time before " : "beginnings before ") + bound,
                     (directly ? "" : "one at ") + date_text(span));
  }
}

std::optional<Seconds> end_of(const FaultSpan& span) {
  return span.until ? std::optional(Seconds{*span.until}) : std::nullopt;
}

std::string owner_of(const FaultRules& rules, const std::string& name) {
  const auto found = std::ranges::find(rules.subjects, name, &FaultSubject::name);
  return found == rules.subjects.end() ? std::string{} : found->owner;
}

/// Dates of a sequence can lie so close together that doubles do not tell them apart.
void length_rules(const FaultRules& rules, const std::vector<FaultSpan>& spans) {
  std::set<std::string> told;
  for (const FaultSpan& span : spans) {
    const auto at = span.source.number("at_s");
    const auto until = span.source.number("until_s");
    const bool told_already = at && until && *until <= *at;
    if (told_already || lasts_at(end_of(span), Seconds{span.at_s})) continue;
    if (told.insert(span.source.pointer).second)
      rules.faults.add(span.source.pointer, "an end after the beginning",
                       "both at " + date_text(span));
  }
}

/// What has begun already cannot begin, and nothing but a partition befalls a backend that is down.
class OverlapRule {
 public:
  OverlapRule(const FaultRules& rules, const std::vector<FaultSpan>& spans)
      : rules_(rules), spans_(spans) {
    for (std::size_t i = 0; i < spans.size(); ++i) {
      of_subject_[subject(spans[i])].push_back(i);
      if (spans[i].kind == "crash") crashes_[spans[i].backend].push_back(i);
    }
  }

  void apply() {
    for (std::size_t i = 0; i < spans_.size(); ++i) {
      const FaultSpan& span = spans_[i];
      if (span.kind != "partition" && befalls_the_dead(i)) continue;
      if (span.kind != "crash") report(i, of_subject_[subject(span)], Tie::by_file);
    }
  }

 private:
  static std::string subject(const FaultSpan& span) {
    return span.kind + '\n' + span.backend + '\n' + span.from + '\n' + span.to;
  }

  /// What, of two that begin at one date, has begun when the other does.
  enum class Tie : std::uint8_t { both, by_file, neither };

  [[nodiscard]] bool has_begun(std::size_t earlier, std::size_t later, Tie tie) const {
    if (spans_[earlier].at_s != spans_[later].at_s)
      return spans_[earlier].at_s < spans_[later].at_s;
    return tie == Tie::both || (tie == Tie::by_file && earlier < later);
  }

  /// A crash keeps its backend down, and a co-located draft with it; the crash of a rack or pool
  /// names both at one date. What hangs at the date of a crash has no process left to hang.
  bool befalls_the_dead(std::size_t index) {
    const FaultSpan& span = spans_[index];
    const bool hangs = span.kind == "hang";
    if (report(index, crashes_[span.backend], hangs ? Tie::both : Tie::by_file)) return true;
    const std::string owner = owner_of(rules_, span.backend);
    return !owner.empty() && report(index, crashes_[owner], hangs ? Tie::both : Tie::neither);
  }

  /// @return whether `later` begins within one of `others`.
  bool report(std::size_t later, const std::vector<std::size_t>& others, Tie tie) {
    const FaultSpan& span = spans_[later];
    const auto found = std::ranges::find_if(others, [&](std::size_t other) {
      return other != later && has_begun(other, later, tie) &&
             lasts_at(end_of(spans_[other]), Seconds{span.at_s});
    });
    if (found == others.end()) return false;
    if (!told_.insert(span.source.pointer).second) return true;
    const FaultSpan& earlier = spans_[*found];
    const bool down = earlier.kind == "crash";
    rules_.faults.add(
        span.source.at("at_s").pointer,
        down ? "a time at which the backend is up" : "a time at which this has not begun already",
        date_text(span) + (down ? ", when it is down since " : ", when it lasts since ") +
            earlier.source.pointer);
    return true;
  }

  const FaultRules& rules_;
  const std::vector<FaultSpan>& spans_;
  std::map<std::string, std::vector<std::size_t>> of_subject_;
  std::map<std::string, std::vector<std::size_t>> crashes_;
  std::set<std::string> told_;
};

}  // namespace

void fault_rules(const RuleInput& input, Faults& faults) {
  const FaultRules rules{.input = input, .faults = faults, .subjects = subjects_of(input.root)};
  const auto in_file = input.root.items("faults");
  for (const JsonNode& fault : in_file) own_rules(rules, fault);
  const auto [spans, too_many] = fault_spans(in_file, rules.subjects);
  if (too_many) {
    faults.add(input.root.at("faults").pointer,
               "at most " + std::to_string(kMostFaultSpans) + " elementary faults",
               "more of them, repetitions counted");
    return;
  }
  horizon_rules(rules, spans);
  length_rules(rules, spans);
  OverlapRule(rules, spans).apply();
}

}  // namespace specroute::sim
