#include "sim/policy_test/pattern.hpp"

#include <algorithm>
#include <array>

#include "sim/json/nearest.hpp"
#include "sim/policy_test/expand.hpp"
#include "sim/records/date_text.hpp"
#include "sim/records/integer_text.hpp"

namespace specroute::sim {
namespace {

constexpr JsonLayout kLine{.sorted_keys = true, .indentation = 0};
constexpr std::array<std::string_view, 6> kPlain = {"type", "reward_ppm", "dry_run",
                                                    "id",   "gate",       "arg"};

/// A name or an id of a pairing, as the id.
JsonValue pairing_id(Definitions& definitions, const JsonNode& node) {
  if (node.value->kind == JsonValue::Kind::integer) return *node.value;
  const auto pairing = definitions.pairing(node);
  return unsigned_json(pairing ? pairing->id : 0);
}

JsonValue profile_id(Definitions& definitions, const JsonNode& node) {
  if (node.value->kind == JsonValue::Kind::integer) return *node.value;
  const JsonValue profile = definitions.profile(node);
  const JsonValue* id = profile.find("id");
  return id == nullptr ? integer_json(0) : *id;
}

JsonValue backend_id(Definitions& definitions, const JsonNode& node) {
  if (node.value->kind == JsonValue::Kind::integer) return *node.value;
  return unsigned_json(definitions.backend(node));
}

/// Dates in the spelling of decision_to_json, so that 1.50 is 1.5.
JsonValue date_json(Definitions& definitions, const JsonNode& node) {
  const JsonValue& value = *node.value;
  if (value.kind == JsonValue::Kind::text && value.text != "forever")
    definitions.fault(node, "seconds, \"forever\" or null", "forever");
  if (!value.is_number()) return value;
  if (value.number() < 0 || value.number() > 1e9) definitions.fault(node, "seconds in [0, 1e9]");
  JsonValue json(JsonValue::Kind::real);
  json.text = seconds_text(date_of(node));
  json.real = value.number();
  return json;
}

JsonValue constraint(Definitions& definitions, const JsonNode& to, std::uint32_t version) {
  JsonValue json(JsonValue::Kind::object);
  for (const std::string_view key : {"match", "params_version"})
    if (const JsonNode given = to.at(key); given.exists()) set_member(json, key, *given.value);
  if (const auto side = to.text("replace"))
    set_member(json, "replace", text_json("replace_" + *side));
  if (const JsonNode hash = to.at("required"); hash.exists())
    set_member(json, "required", text_json(definitions.params_hash(hash, version)));
  if (const JsonNode kept = to.at("keep_backend"); kept.exists())
    set_member(json, "keep_backend", backend_id(definitions, kept));
  if (!to.at("exclude").exists()) return json;
  JsonValue excluded(JsonValue::Kind::array);
  for (const JsonNode& each : to.items("exclude"))
    excluded.items.push_back(backend_id(definitions, each));
  set_member(json, "exclude", excluded);
  return json;
}

void read_dates(Definitions& definitions, const JsonNode& node, DecisionPattern& pattern) {
  const JsonNode at = node.at("at_s");
  const JsonNode from = node.at("from_s");
  const JsonNode until = node.at("until_s");
  if (at.exists() && (from.exists() || until.exists()))
    definitions.fault(at, "either \"at_s\", or \"from_s\" and \"until_s\"");
  pattern.dated = at.exists();
  if (at.exists()) pattern.from = pattern.until = date_of(at);
  if (from.exists()) pattern.from = date_of(from);
  if (until.exists()) pattern.until = date_of(until);
  if (pattern.from > pattern.until) definitions.fault(until, "a date not before \"from_s\"");
}

void read_reason(Definitions& definitions, const JsonNode& reason, const PatternNames& names,
                 JsonValue& fields) {
  if (!reason.exists()) return;
  const bool known = names.reasons.empty() ||
                     std::ranges::find(names.reasons, reason.value->text) != names.reasons.end();
  if (!known)
    definitions.fault(reason, "a reason that the policy has",
                      nearest_of(reason.value->text, names.reasons));
  set_member(fields, "reason", *reason.value);
}

/// Numbers by their spelling: both sides write integers as integers, dates as dates.
bool same(const JsonValue& wanted, const JsonValue& found) {
  return write_json(wanted, kLine) == write_json(found, kLine);
}

void compare(const JsonValue& wanted, const JsonValue& found, const std::string& prefix,
             std::vector<std::string>& keys) {
  for (const JsonMember& member : wanted.members) {
    const JsonValue* other = found.find(member.key);
    const std::string key = prefix + member.key;
    constexpr auto kObject = JsonValue::Kind::object;
    if (other != nullptr && member.value.kind == kObject && other->kind == kObject)
      compare(member.value, *other, key + ".", keys);
    else if (other == nullptr || !same(member.value, *other))
      keys.push_back(key);
  }
}

}  // namespace

DecisionPattern read_pattern(Definitions& definitions, const JsonNode& node,
                             const PatternNames& names) {
  DecisionPattern pattern;
  pattern.pointer = node.pointer;
  pattern.text = write_json(*node.value, {.sorted_keys = false, .indentation = 0});
  pattern.fields = JsonValue(JsonValue::Kind::object);
  if (node.value->kind == JsonValue::Kind::text) {
    set_member(pattern.fields, "type", *node.value);
    return pattern;
  }
  for (const std::string_view key : kPlain)
    if (const JsonNode given = node.at(key); given.exists())
      set_member(pattern.fields, key, *given.value);
  read_reason(definitions, node.at("reason"), names, pattern.fields);
  for (const std::string_view key : {"pairing", "prefer_pairing"})
    if (const JsonNode given = node.at(key); given.exists())
      set_member(pattern.fields, key, pairing_id(definitions, given));
  if (const JsonNode profile = node.at("profile"); profile.exists())
    set_member(pattern.fields, "profile", profile_id(definitions, profile));
  for (const std::string_view key : {"valid_until_s", "wake_at_s"})
    if (const JsonNode given = node.at(key); given.exists())
      set_member(pattern.fields, key, date_json(definitions, given));
  if (const JsonNode to = node.at("to"); to.exists())
    set_member(pattern.fields, "to", constraint(definitions, to, names.params_version));
  pattern.explain = node.text("explain").value_or("");
  read_dates(definitions, node, pattern);
  return pattern;
}

std::vector<std::string> differences(const DecisionPattern& pattern, srp_ns said_at,
                                     const JsonValue& decision) {
  std::vector<std::string> keys;
  if (said_at < pattern.from || said_at > pattern.until)
    keys.emplace_back(pattern.dated ? "at_s" : "date");
  compare(pattern.fields, decision, "", keys);
  const JsonValue* sentence = decision.find("explain");
  if (!pattern.explain.empty() &&
      (sentence == nullptr || sentence->text.find(pattern.explain) == std::string::npos))
    keys.emplace_back("explain");
  return keys;
}

}  // namespace specroute::sim
