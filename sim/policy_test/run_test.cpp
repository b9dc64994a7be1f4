#include "sim/policy_test/run_test.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "sim/policy_test/play.hpp"
#include "sim/records/date_text.hpp"
#include "sim/records/decision_json.hpp"
#include "sim/records/integer_text.hpp"

namespace specroute::sim {
namespace {

constexpr JsonLayout kLine{.sorted_keys = false, .indentation = 0};

bool says_nothing(const JsonValue& value) {
  switch (value.kind) {
    case JsonValue::Kind::null:
      return true;
    case JsonValue::Kind::integer:
      return value.integer == 0;
    case JsonValue::Kind::real:
      return value.real == 0.0;
    case JsonValue::Kind::text:
      return value.text.empty() || value.text == std::string(16, '0');
    case JsonValue::Kind::array:
      return value.items.empty();
    case JsonValue::Kind::object:
      return value.members.empty();
    case JsonValue::Kind::boolean:
      return !value.boolean;
  }
  return false;
}

/// Without members that are 0, empty or null; the date stays. What is nested comes last, so that
/// the numbers of an event stand before its long fingerprints.
JsonValue brief(JsonValue value) {
  for (JsonMember& member : value.members) member.value = brief(std::move(member.value));
  std::erase_if(value.members, [](const JsonMember& member) {
    return member.key != "now_s" && says_nothing(member.value);
  });
  std::ranges::stable_partition(value.members, [](const JsonMember& member) {
    return member.value.kind != JsonValue::Kind::object;
  });
  return value;
}

/// Ids of pairings as the names that the file has for them.
void name_pairings(JsonValue& json, const std::map<std::uint64_t, std::string>& names) {
  for (JsonMember& member : json.members) {
    const bool is_id =
        member.key == "pairing" || member.key == "prefer_pairing" || member.key == "from_pairing";
    const auto id = is_id ? unsigned_of(member.value) : std::nullopt;
    const auto known = id ? names.find(*id) : names.end();
    if (known != names.end()) member.value = text_json(known->second);
  }
}

/// A decision as a reader of failures wants it: its explanation stands on a line of its own.
std::string decision_line(JsonValue decision) {
  std::erase_if(decision.members, [](const JsonMember& member) {
    return member.key == "explain" || member.key == "arg" || member.key == "reason_code" ||
           member.key == "seq" || member.key == "gate";
  });
  return write_json(brief(std::move(decision)), kLine);
}

class Judge {
 public:
  Judge(const PolicyTest& test, const srp_module& module, PlayedTest played)
      : test_(test), module_(module), play_(std::move(played)) {
    for (const SaidDecision& said : play_.said)
      if (said.judged) said_.push_back({said, decision_to_json(said.decision, module_), false});
  }

  TestOutcome outcome() {
    TestOutcome outcome{.name = test_.name,
                        .pointer = test_.pointer,
                        .events = play_.events.size(),
                        .decisions = said_.size(),
                        .failures = {}};
    if (!play_.stopped.empty()) outcome.failures.push_back(refusal());
    for (const DecisionPattern* pattern : undated_last())
      if (!take(*pattern)) missing_.push_back(pattern);
    for (const DecisionPattern& pattern : test_.expect)
      if (std::ranges::find(missing_, &pattern) != missing_.end())
        outcome.failures.push_back(missing_one(pattern));
    for (const DecisionPattern& pattern : test_.never) bar(pattern, outcome.failures);
    if (test_.exactly) leftover(outcome.failures);
    return outcome;
  }

 private:
  struct Said {
    SaidDecision said;
    JsonValue json;
    bool taken;
  };

  [[nodiscard]] static srp_ns date(const Said& one) { return one.said.decision.h.now; }

  /// A pattern without a date would else take the decision that a dated one means.
  [[nodiscard]] std::vector<const DecisionPattern*> undated_last() const {
    std::vector<const DecisionPattern*> order;
    for (const DecisionPattern& pattern : test_.expect) order.push_back(&pattern);
    std::ranges::stable_sort(order, {}, [](const DecisionPattern* one) { return !one->dated; });
    return order;
  }

  bool take(const DecisionPattern& pattern) {
    const auto fits = [&](const Said& one) {
      return !one.taken && differences(pattern, date(one), one.json).empty();
    };
    const auto found = std::ranges::find_if(said_, fits);
    if (found == said_.end()) return false;
    found->taken = true;
    return true;
  }

  void describe(TestFailure& failure, std::size_t event) const {
    const PlayedEvent& played = play_.events[event];
    failure.number = event + 1;
    failure.at = played.record.head().now;
    JsonValue json = event_to_json(played.record.head());
    std::erase_if(json.members, [](const JsonMember& member) { return member.key == "seq"; });
    name_pairings(json, test_.pairing_names);
    failure.event = write_json(brief(std::move(json)), kLine);
  }

  void got(TestFailure& failure, const Said& one) const {
    JsonValue decision = one.json;
    name_pairings(decision, test_.pairing_names);
    failure.got = decision_line(std::move(decision));
    if (const JsonValue* sentence = one.json.find("explain")) failure.explain = sentence->text;
  }

  TestFailure refusal() const {
    TestFailure failure{.kind = TestFailure::Kind::refused,
                        .pointer = test_.pointer,
                        .event = {},
                        .expected = "events that the policy takes",
                        .got = play_.stopped,
                        .explain = {}};
    if (play_.events.empty()) return failure;
    describe(failure, play_.events.size() - 1);
    const std::string& pointer = play_.events.back().pointer;
    if (!pointer.empty()) failure.pointer = pointer;
    return failure;
  }

  /// What was said instead: the decision that differs least, then the one nearest in time.
  [[nodiscard]] const Said* nearest(const DecisionPattern& pattern) const {
    const Said* best = nullptr;
    std::pair<std::size_t, srp_ns> least;
    for (const Said& one : said_) {
      if (one.taken) continue;
      const srp_ns said_at = date(one);
      const srp_ns away = said_at < pattern.from    ? pattern.from - said_at
                          : said_at > pattern.until ? said_at - pattern.until
                                                    : 0;
      const std::pair<std::size_t, srp_ns> distance{differences(pattern, said_at, one.json).size(),
                                                    away};
      if (best != nullptr && distance >= least) continue;
      best = &one;
      least = distance;
    }
    return best;
  }

  TestFailure missing_one(const DecisionPattern& pattern) const {
    TestFailure failure{.kind = TestFailure::Kind::missing,
                        .pointer = pattern.pointer,
                        .event = {},
                        .expected = pattern.text,
                        .got = {},
                        .explain = {}};
    const Said* instead = nearest(pattern);
    if (instead == nullptr) {
      failure.got = "no decision";
      if (const auto event = last_event_before(pattern)) describe(failure, *event);
      return failure;
    }
    got(failure, *instead);
    std::string keys;
    for (const std::string& key : differences(pattern, date(*instead), instead->json))
      keys += (keys.empty() ? "" : ", ") + key;
    failure.got += "; differs in " + keys;
    describe(failure, pattern.dated ? last_event_before(pattern).value_or(instead->said.event)
                                    : instead->said.event);
    return failure;
  }

  /// The last event that could have brought what the pattern waits for.
  [[nodiscard]] std::optional<std::size_t> last_event_before(const DecisionPattern& pattern) const {
    for (std::size_t i = play_.events.size(); i-- > 0;)
      if (play_.events[i].record.head().now <= pattern.until) return i;
    return std::nullopt;
  }

  void bar(const DecisionPattern& pattern, std::vector<TestFailure>& failures) const {
    for (const Said& one : said_) {
      if (!differences(pattern, date(one), one.json).empty()) continue;
      TestFailure failure{.kind = TestFailure::Kind::barred,
                          .pointer = pattern.pointer,
                          .event = {},
                          .expected = "never " + pattern.text,
                          .got = {},
                          .explain = {}};
      describe(failure, one.said.event);
      got(failure, one);
      failures.push_back(std::move(failure));
      return;  // the first says it all
    }
  }

  void leftover(std::vector<TestFailure>& failures) const {
    for (const Said& one : said_) {
      if (one.taken || one.said.decision.h.type == SRP_HOLD) continue;
      TestFailure failure{.kind = TestFailure::Kind::unexpected,
                          .pointer = test_.pointer,
                          .event = {},
                          .expected = "no decision but the expected ones",
                          .got = {},
                          .explain = {}};
      describe(failure, one.said.event);
      got(failure, one);
      failures.push_back(std::move(failure));
      return;
    }
  }

  const PolicyTest& test_;
  const srp_module& module_;
  PlayedTest play_;
  std::vector<Said> said_;
  std::vector<const DecisionPattern*> missing_;
};

}  // namespace

TestOutcome run_test(const PolicyTest& test, const srp_module& module) {
  return Judge(test, module, play(test, module)).outcome();
}

}  // namespace specroute::sim
