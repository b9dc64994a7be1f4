#include "sim/scenario/fault_spans.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "sim/scenario/decode.hpp"

namespace specroute::sim {
namespace {

/// As many repetitions as a file may ask for, whatever a rejected file says.
constexpr double kMostRepetitions = 10'000.0;

/// Steps that may be looked at, lest a file that repeats what is malformed should take for ever.
constexpr std::size_t kMostVisits = 10 * kMostFaultSpans;

std::uint32_t repetitions(const JsonNode& node, const char* key) {
  const double times = node.number(key).value_or(0.0);
  if (!(times >= 1.0)) return 0;
  return static_cast<std::uint32_t>(times < kMostRepetitions ? times : kMostRepetitions);
}

bool is_elementary(const std::string& kind) {
  return kind == "crash" || kind == "hang" || kind == "slow" || only_targets_have(kind);
}

class Expansion {
 public:
  explicit Expansion(const std::vector<FaultSubject>& backends) : backends_(backends) {}

  void add(const JsonNode& fault, double since) {
    if (++visits_ > kMostVisits || is_full()) return;
    const std::string kind = fault.text("kind").value_or("");
    const auto at = fault.number("at_s");
    if (!at) return;  // random, or malformed
    const double date = since + *at;
    if (kind == "sequence" && !inside_) return sequence(fault, date);
    if (kind == "flapping") return flapping(fault, date);
    if (kind == "bounce") return bounce(fault, since);
    if (kind == "partition") return partition(fault, since);
    if (!is_elementary(kind)) return;
    const char* const end_key = kind == "crash" ? "restart_after_s" : "until_s";
    const auto end = fault.number(end_key);
    const double from = kind == "crash" ? date : since;
    for (const std::string& backend : fault_subjects(fault, backends_))
      put(kind, backend, date, end ? std::optional(from + *end) : std::nullopt, fault);
  }

  FaultSpans take() {
    const bool too_many = is_full();
    if (spans_.size() > kMostFaultSpans) spans_.resize(kMostFaultSpans);
    return {.spans = std::move(spans_), .too_many = too_many};
  }

 private:
  [[nodiscard]] bool is_full() const {
    return spans_.size() > kMostFaultSpans || visits_ > kMostVisits;
  }

  void put(const std::string& kind, const std::string& backend, double at,
           std::optional<double> until, const JsonNode& source) {
    spans_.push_back({.kind = kind,
                      .backend = backend,
                      .from = {},
                      .to = {},
                      .at_s = at,
                      .until = until,
                      .source = source});
  }

  void sequence(const JsonNode& fault, double date) {
    const auto period = fault.number("every_s");
    const double every = period.value_or(0.0);
    const std::uint32_t times = period ? repetitions(fault, "repeat") : 1;
    const auto steps = fault.items("steps");
    inside_ = true;  // a sequence in a sequence is refused, and not followed
    for (std::uint32_t i = 0; i < times && !is_full(); ++i)
      for (const JsonNode& step : steps) add(step, date + i * every);
    inside_ = false;
  }

  void flapping(const JsonNode& fault, double date) {
    const auto period = fault.number("period_s");
    const auto duty = fault.number("duty");
    const auto effect = fault.text("effect");
    if (!period || !duty || !effect) return;
    for (const std::string& backend : fault_subjects(fault, backends_))
      for (std::uint32_t i = 0; i < repetitions(fault, "count") && !is_full(); ++i) {
        const double begin = date + i * *period;
        put(*effect, backend, begin, begin + *duty * *period, fault);
      }
  }

  void bounce(const JsonNode& fault, double since) {
    const auto there = fault.text("backend");
    const auto back = fault.text("to");
    const auto at = fault.number("at_s");
    const auto back_at = fault.number("back_at_s");
    const auto down = fault.number("restart_after_s");
    if (!there || !back || !at || !back_at || !down) return;
    put("crash", *there, since + *at, since + *at + *down, fault);
    put("crash", *back, since + *back_at, since + *back_at + *down, fault);
  }

  void partition(const JsonNode& fault, double since) {
    const auto from = fault.text("from");
    const auto to = fault.text("to");
    const auto at = fault.number("at_s");
    const auto direction = fault.text("direction");
    if (!from || !to || !at || !direction || *from == *to) return;
    const auto until = fault.number("until_s");
    const auto end = until ? std::optional(since + *until) : std::nullopt;
    const auto one_way = [&](const std::string& a, const std::string& b) {
      spans_.push_back({.kind = "partition",
                        .backend = {},
                        .from = a,
                        .to = b,
                        .at_s = since + *at,
                        .until = end,
                        .source = fault});
    };
    one_way(*from, *to);
    if (direction == "both") one_way(*to, *from);
  }

  const std::vector<FaultSubject>& backends_;
  std::vector<FaultSpan> spans_;
  std::size_t visits_ = 0;
  bool inside_ = false;  ///< a sequence
};

}  // namespace

bool only_targets_have(const std::string& kind) {
  return kind == "errors" || kind == "drain" || kind == "wrong_tokens";
}

std::vector<FaultSubject> subjects_of(const JsonNode& root) {
  const auto backends = root.at("fleet").items("backends");
  std::vector<FaultSubject> subjects;
  for (const auto& node : backends) {
    const std::string name = node.text("name").value_or("");
    // A co-located draft is where its target is, whatever the file says of it.
    const auto owner = node.text("colocated_with");
    const auto host = std::ranges::find_if(
        backends, [&](const JsonNode& other) { return owner && other.text("name") == owner; });
    const bool hosted = host != backends.end();
    const JsonNode& place = hosted ? *host : node;
    const std::uint32_t count = replica_count(node);
    for (std::uint32_t k = 1; k <= count; ++k)
      subjects.push_back({.name = name.empty() ? name : replica_name(name, k, count),
                          .role = node.text("role").value_or(""),
                          .pool = node.text("pool").value_or(""),
                          .rack = place.text("rack").value_or(""),
                          .node = place.text("node").value_or(""),
                          .owner = hosted ? replica_name(*owner, k, replica_count(*host)) : ""});
  }
  return subjects;
}

namespace {

/// What a fault that names a place is looked for by.
struct FaultPlace {
  std::optional<std::string> rack, node, pool, role;

  [[nodiscard]] bool given() const { return rack || node || pool; }
  [[nodiscard]] bool holds(const FaultSubject& subject) const {
    const auto among = [](const std::optional<std::string>& wanted, const std::string& has) {
      return !wanted || has == *wanted;
    };
    return !subject.name.empty() && among(rack, subject.rack) && among(node, subject.node) &&
           among(pool, subject.pool) && among(role, subject.role);
  }
};

}  // namespace

std::vector<std::string> fault_subjects(const JsonNode& fault,
                                        const std::vector<FaultSubject>& backends) {
  if (const auto name = fault.text("backend")) return {*name};
  const FaultPlace place{fault.text("rack"), fault.text("node"), fault.text("pool"),
                         fault.text("role")};
  if (!place.given()) return {};
  const std::string kind = fault.text("kind").value_or("");
  const auto named = [&](const FaultSubject& each) {
    return place.holds(each) && (!only_targets_have(kind) || each.role == "target");
  };
  const auto goes_with_its_owner = [&](const FaultSubject& each) {
    if (each.owner.empty() || (kind != "slow" && kind != "random")) return false;
    return kind == "random" || std::ranges::any_of(backends, [&](const FaultSubject& other) {
             return other.name == each.owner && named(other);
           });
  };
  std::vector<std::string> names;
  for (const FaultSubject& each : backends)
    if (named(each) && !goes_with_its_owner(each)) names.push_back(each.name);
  return names;
}

FaultSpans fault_spans(const std::vector<JsonNode>& faults,
                       const std::vector<FaultSubject>& backends) {
  Expansion expansion(backends);
  for (const JsonNode& fault : faults) expansion.add(fault, 0.0);
  return expansion.take();
}

}  // namespace specroute::sim
