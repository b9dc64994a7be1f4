#include "sim/policy_test/expand.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "sim/policy_test/series.hpp"
#include "sim/records/date_text.hpp"
#include "sim/records/integer_text.hpp"

namespace specroute::sim {
namespace {

constexpr std::array<std::string_view, 11> kCounts = {
    "steps",  "drafted",  "accepted", "completions", "latency_p50_ns", "requests",
    "errors", "timeouts", "sampled",  "looping",     "schema_invalid"};

/// Far below what 64 bits of nanoseconds hold: every entry may add to it once more.
constexpr srp_ns kLatest = 10'000'000'000 * srp_ns{1'000'000'000};

JsonValue seconds_json(srp_ns date) {
  JsonValue json(JsonValue::Kind::real);
  json.text = seconds_text(date);
  json.real = static_cast<double>(date) / 1e9;
  return json;
}

/// The counts of one entry, for each of its events.
struct Counts {
  std::vector<std::pair<std::string, GivenSeries>> series;
  std::size_t length = 1;

  /// None of the event's where one of its counts is missing.
  [[nodiscard]] bool comes(std::size_t event) const {
    return std::ranges::all_of(series,
                               [&](const auto& one) { return at(one.second, event).has_value(); });
  }
  [[nodiscard]] static std::optional<std::int64_t> at(const GivenSeries& values,
                                                      std::size_t event) {
    return values.values[values.constant ? 0 : event];
  }
};

class Expander {
 public:
  explicit Expander(Definitions& definitions) : definitions_(definitions) {}

  std::vector<TimedEvent> list(const std::vector<JsonNode>& nodes, Pace& pace) {
    std::vector<TimedEvent> events;
    for (const JsonNode& node : nodes) {
      auto more = node.at("together").exists() ? together(node, pace) : entry(node, pace);
      events.insert(events.end(), std::make_move_iterator(more.begin()),
                    std::make_move_iterator(more.end()));
    }
    return events;
  }

 private:
  std::vector<TimedEvent> together(const JsonNode& node, Pace& pace) {
    const Pace start = pace;
    std::vector<TimedEvent> all;
    for (const JsonNode& each : node.items("together")) {
      Pace own = start;
      auto more = list({each}, own);
      all.insert(all.end(), std::make_move_iterator(more.begin()),
                 std::make_move_iterator(more.end()));
      pace.date = std::max(pace.date, own.date);
      pace.begun = pace.begun || own.begun;
    }
    std::ranges::stable_sort(all, {}, [](const TimedEvent& one) { return one.record.head().now; });
    return all;
  }

  std::vector<TimedEvent> entry(const JsonNode& node, Pace& pace) {
    const std::string type = node.text("type").value_or("");
    const bool spaced = type == "window" || type == "health" || type == "quality";
    const JsonNode every = node.at("every_s");
    const srp_ns interval = every.exists() ? date_of(every) : pace.interval;
    srp_ns first = pace.date + (spaced && pace.begun ? interval : 0);
    if (const JsonNode at = node.at("at_s"); at.exists()) {
      first = date_of(at);
      if (pace.begun && first < pace.date)
        definitions_.fault(at, "a date that does not fall: " + seconds_text(pace.date) +
                                   " s or later, the date of the event before");
    }
    const Counts counts = counts_of(node, type);
    std::vector<TimedEvent> events;
    if (first > kLatest || (kLatest - first) / interval < counts.length - 1) {
      definitions_.fault(node, "dates up to 10000000000 s");
      return events;
    }
    for (std::size_t i = 0; i < counts.length; ++i) {
      const srp_ns date = first + i * interval;
      pace.date = std::max(pace.date, date);
      if (!counts.comes(i)) continue;
      for (const JsonNode& pairing : pairings_of(node))
        append(events, node, write({node, type, pairing, date, interval}), counts, i);
    }
    pace.begun = true;
    return events;
  }

  /// The pairings that an entry speaks of; one node that does not exist where it names none.
  static std::vector<JsonNode> pairings_of(const JsonNode& node) {
    const JsonNode named = node.at("pairing");
    if (named.exists() && named.value->kind == JsonValue::Kind::array) return node.items("pairing");
    return {named};
  }

  Counts counts_of(const JsonNode& node, const std::string& type) {
    Counts counts;
    for (const std::string_view key : kCounts) {
      JsonNode given = node.at(key);
      if (!given.exists() && key == "drafted" && type == "window")
        given = definitions_.setting("drafted");
      if (!given.exists()) continue;
      auto series = series_of(*given.value);
      if (!series) {
        const Diagnostic& fault = series.diagnostics().front();
        definitions_.fault(given, fault.expected);
        continue;
      }
      counts.series.emplace_back(key, std::move(series).value());
      const GivenSeries& values = counts.series.back().second;
      if (values.constant) continue;
      if (counts.length != 1 && counts.length != values.values.size())
        definitions_.fault(given, "a series as long as the others of this entry: " +
                                      std::to_string(counts.length));
      counts.length =
          counts.length == 1 ? values.values.size() : std::min(counts.length, values.values.size());
    }
    return counts;
  }

  struct Entry {
    const JsonNode& node;
    const std::string& type;
    const JsonNode& pairing;
    srp_ns date;
    srp_ns interval;
  };

  JsonValue write(const Entry& entry) {
    JsonValue json(JsonValue::Kind::object);
    set_member(json, "type", text_json(entry.type));
    set_member(json, "now_s", seconds_json(entry.date));
    for (const std::string_view key : {"cause", "origin", "changed", "accepted_at", "window_flags",
                                       "result", "decision", "load_ppm"})
      if (const JsonNode given = entry.node.at(key); given.exists())
        set_member(json, key, *given.value);
    if (entry.type == "failover") return failover(entry, std::move(json));
    if (entry.type == "candidate" || entry.type == "sampling" || entry.type == "health")
      return of_side(entry, std::move(json));
    if (entry.type == "outcome" && !entry.node.at("decision").exists())
      set_member(json, "decision", integer_json(1));  // the latest, once there is one
    if (entry.pairing.exists())
      if (const auto pairing = one_pairing(entry))
        return of_pairing(entry, *pairing, std::move(json));
    return json;
  }

  std::optional<NamedPairing> one_pairing(const Entry& entry) {
    const bool several = entry.node.at("pairing").value->kind == JsonValue::Kind::array;
    if (several && entry.type != "window" && entry.type != "quality" && entry.type != "bind" &&
        entry.type != "unbind")
      definitions_.fault(entry.node.at("pairing"), "the name of one pairing");
    return definitions_.pairing(entry.pairing);
  }

  JsonValue of_pairing(const Entry& entry, const NamedPairing& pairing, JsonValue json) {
    set_member(json, "pairing", unsigned_json(pairing.id));
    if (entry.type == "quality")
      set_member(json, "profile", *definitions_.profile(entry.node.at("profile")).find("id"));
    if (entry.type != "bind" && entry.type != "window") return json;
    const bool live = entry.type == "window";
    set_member(json, "profile", definitions_.profile(entry.node.at("profile")));
    for (const std::string_view which : {"draft", "target"})
      set_member(
          json, which,
          definitions_.side_of(pairing, which, entry.node.at(which), live ? "live" : "claimed"));
    if (live) {
      const srp_ns from = entry.date > entry.interval ? entry.date - entry.interval : 0;
      set_member(json, "from_s", seconds_json(from));
      set_member(json, "to_s", seconds_json(entry.date));
      return json;
    }
    for (const std::string_view key : {"forward", "rule", "draft_tokens"})
      if (const JsonNode given = pairing.node.at(key); given.exists())
        set_member(json, key, *given.value);
    if (!pairing.node.at("draft_tokens").exists())
      set_member(json, "draft_tokens", integer_json(2));
    return json;
  }

  JsonValue failover(const Entry& entry, JsonValue json) {
    const auto from = definitions_.pairing(entry.node.at("from"));
    const auto to = definitions_.pairing(entry.node.at("to"));
    if (!from || !to) return json;
    set_member(json, "pairing", unsigned_json(to->id));
    set_member(json, "from_pairing", unsigned_json(from->id));
    const JsonValue lost = definitions_.side(from->node.at("target"), "claimed");
    const JsonValue next = definitions_.side(to->node.at("target"), "claimed");
    if (lost.find("backend") == nullptr || next.find("backend") == nullptr) return json;
    set_member(json, "from_backend", *lost.find("backend"));
    set_member(json, "to_backend", *next.find("backend"));
    set_member(json, "to_incarnation", *next.find("incarnation"));
    return json;
  }

  JsonValue of_side(const Entry& entry, JsonValue json) {
    const JsonNode name = entry.node.at("side");
    if (entry.type == "health") {
      set_member(json, "backend", unsigned_json(definitions_.backend(name)));
      return json;
    }
    const bool candidate = entry.type == "candidate";
    const JsonValue profile = definitions_.profile(entry.node.at("profile"));
    set_member(json, "side", definitions_.side(name, candidate ? "claimed" : "live"));
    set_member(json, "profile", candidate ? *profile.find("id") : profile);
    if (!candidate) return json;
    const bool target = entry.node.text("role") == "target";
    set_member(json, "role", text_json(target ? "replace_target" : "replace_draft"));
    set_member(json, "available", truth_json(entry.node.truth("available").value_or(true)));
    return json;
  }

  void append(std::vector<TimedEvent>& events, const JsonNode& node, JsonValue json,
              const Counts& counts, std::size_t event) {
    for (const auto& [key, values] : counts.series)
      if (const auto value = Counts::at(values, event)) set_member(json, key, integer_json(*value));
    if (node.text("type") == "window" && json.find("drafted") == nullptr)
      set_member(json, "drafted", integer_json(1000));
    // Unknown names leave holes, which have been told of.
    if (!definitions_.faults().empty()) return;
    auto record = event_from_json({.value = &json, .pointer = node.pointer});
    if (!record) {
      for (const Diagnostic& fault : record.diagnostics())
        definitions_.fault({.value = nullptr, .pointer = fault.place}, fault.expected);
      return;
    }
    const bool of_latest = node.text("type") == "outcome" && !node.at("decision").exists();
    events.push_back({std::move(record).value(), node.pointer, of_latest});
  }

  Definitions& definitions_;
};

}  // namespace

srp_ns date_of(const JsonNode& node) {
  const std::string text = write_json(*node.value, {.sorted_keys = false, .indentation = 0});
  return nanoseconds_of(text).value_or(0);
}

std::vector<TimedEvent> expand_events(Definitions& definitions, const std::vector<JsonNode>& list,
                                      Pace& pace) {
  return Expander(definitions).list(list, pace);
}

}  // namespace specroute::sim
