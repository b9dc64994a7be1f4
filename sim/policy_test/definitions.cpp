#include "sim/policy_test/definitions.hpp"

#include <algorithm>
#include <array>

#include "sim/json/nearest.hpp"
#include "sim/records/integer_text.hpp"

namespace specroute::sim {
namespace {

JsonValue names_json(const std::vector<std::string>& words) {
  JsonValue array(JsonValue::Kind::array);
  for (const std::string& word : words) array.items.push_back(text_json(word));
  return array;
}

double number_or(const JsonNode& object, std::string_view key, double otherwise) {
  return object.number(key).value_or(otherwise);
}

std::int64_t integer_or(const JsonNode& object, std::string_view key, std::int64_t otherwise) {
  const JsonNode node = object.at(key);
  return node.exists() ? node.value->integer : otherwise;
}

bool is_hash(const std::string& text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  return text.size() == 16 && text.find_first_not_of(kDigits) == std::string::npos;
}

}  // namespace

void set_member(JsonValue& object, std::string_view key, JsonValue value) {
  const auto member = std::ranges::find(object.members, key, &JsonMember::key);
  if (member != object.members.end())
    member->value = std::move(value);
  else
    object.members.push_back({std::string(key), std::move(value)});
}

Definitions::Definitions(const srp_module& module, JsonNode file, JsonNode test)
    : module_(module), file_(std::move(file)), test_(std::move(test)) {}

void Definitions::fault(const JsonNode& at, std::string expected, std::string nearest) {
  const auto said = [&](const Diagnostic& one) {
    return one.place == at.pointer && one.expected == expected;
  };
  if (std::ranges::any_of(faults_, said)) return;
  faults_.push_back({.file = {},
                     .place = at.pointer,
                     .expected = std::move(expected),
                     .found = at.exists() ? found_text(*at.value) : "no such key",
                     .nearest = std::move(nearest)});
}

JsonNode Definitions::setting(std::string_view key) const {
  const JsonNode own = test_.at(key);
  return own.exists() ? own : file_.at(key);
}

std::vector<std::string> Definitions::names(std::string_view kind) const {
  std::vector<std::string> all;
  for (const JsonNode& owner : {file_, test_}) {
    const JsonNode defined = owner.at(kind);
    if (!defined.exists()) continue;
    for (const JsonMember& member : defined.value->members)
      if (std::ranges::find(all, member.key) == all.end()) all.push_back(member.key);
  }
  return all;
}

std::int64_t Definitions::number_of(std::string_view kind, const std::string& name) const {
  const auto all = names(kind);
  return std::ranges::find(all, name) - all.begin() + 1;
}

JsonNode Definitions::find(std::string_view kind, const JsonNode& name) {
  const std::string& wanted = name.value->text;
  for (const JsonNode& owner : {test_, file_})
    if (const JsonNode found = owner.at(kind).at(wanted); found.exists()) return found;
  const auto known = names(kind);
  std::string listed;
  for (const std::string& each : known) listed += (listed.empty() ? "" : ", ") + quoted(each);
  fault(name, "a name out of \"" + std::string(kind) + "\": " + (known.empty() ? "none" : listed),
        nearest_of(wanted, known));
  return {};
}

std::string Definitions::hash_of_parameters(const JsonNode& parameters, std::uint32_t version) {
  srp_sampling sampling{};
  sampling.temperature = number_or(parameters, "temperature", 1.0);
  sampling.top_p = number_or(parameters, "top_p", 1.0);
  sampling.min_p = number_or(parameters, "min_p", 0.0);
  sampling.repetition_penalty = number_or(parameters, "repetition_penalty", 1.0);
  sampling.presence_penalty = number_or(parameters, "presence_penalty", 0.0);
  sampling.frequency_penalty = number_or(parameters, "frequency_penalty", 0.0);
  sampling.seed = integer_or(parameters, "seed", 0);
  sampling.top_k = static_cast<std::int32_t>(integer_or(parameters, "top_k", 0));
  sampling.rule = static_cast<std::uint32_t>(integer_or(parameters, "rule", 0));
  const std::string grammar = parameters.text("grammar").value_or("");
  sampling.grammar_id = {grammar.data(), grammar.size()};
  std::array<char, 17> hex{};
  if (module_.params_hash(version, &sampling, hex.data()) != SRP_OK) {
    fault(parameters, "parameters that the module can hash");
    return std::string(16, '0');
  }
  return hex.data();
}

std::string Definitions::params_hash(const JsonNode& name, std::uint32_t version) {
  const auto known = names("parameters");
  const bool named = std::ranges::find(known, name.value->text) != known.end();
  if (!named && is_hash(name.value->text)) return name.value->text;
  const JsonNode parameters = find("parameters", name);
  return parameters.exists() ? hash_of_parameters(parameters, version) : std::string(16, '0');
}

bool Definitions::set_parameters(JsonValue& side, const JsonNode& definition,
                                 const JsonNode& change) {
  const auto speaks = [](const JsonNode& node) {
    return node.at("parameters").exists() || node.at("params_v1").exists() ||
           node.at("params_v2").exists();
  };
  // What a change says of parameters, whichever way, replaces what the definition says.
  const JsonNode& source = speaks(change) ? change : definition;
  const JsonNode parameters = source.at("parameters");
  for (const std::uint32_t version : {1U, 2U}) {
    const std::string name = "params_v" + std::to_string(version);
    const JsonNode hash = source.at(name);
    if (hash.exists())
      set_member(side, name, *hash.value);
    else if (parameters.exists())
      set_member(side, name, text_json(params_hash(parameters, version)));
  }
  return speaks(source);
}

JsonValue Definitions::written_side(const JsonNode& definition, const JsonNode& change,
                                    std::string_view provenance) {
  JsonValue side(JsonValue::Kind::object);
  const auto copy = [&](std::string_view name, const JsonValue& otherwise) {
    const JsonNode changed = change.at(name);
    const JsonNode given = changed.exists() ? changed : definition.at(name);
    set_member(side, name, given.exists() ? *given.value : otherwise);
    return given.exists();
  };
  if (!copy("backend", integer_json(0)))
    fault(definition.at("backend"), "an integer: the backend's id");
  copy("incarnation", integer_json(1));
  copy("model", integer_json(1));
  copy("tokenizer", integer_json(1));
  std::vector<std::string> known = {"tokenizer", "kv", "mask", "model"};
  if (set_parameters(side, definition, change)) known.insert(known.begin() + 1, "params");
  copy("kv_block_tokens", integer_json(16));
  copy("mask", integer_json(0));
  copy("known", names_json(known));
  copy("provenance", text_json(std::string(provenance)));
  return side;
}

JsonValue Definitions::side(const JsonNode& name, std::string_view provenance) {
  const JsonNode definition = find("sides", name);
  if (!definition.exists()) return JsonValue(JsonValue::Kind::object);
  return written_side(definition, {}, provenance);
}

JsonValue Definitions::side_of(const NamedPairing& pairing, std::string_view which,
                               const JsonNode& change, std::string_view provenance) {
  if (change.exists() && change.value->kind == JsonValue::Kind::text)
    return side(change, provenance);
  const JsonNode definition = find("sides", pairing.node.at(which));
  if (!definition.exists()) return JsonValue(JsonValue::Kind::object);
  return written_side(definition, change, provenance);
}

std::uint64_t Definitions::backend(const JsonNode& name) {
  const JsonNode definition = find("sides", name);
  return static_cast<std::uint64_t>(definition.exists() ? integer_or(definition, "backend", 0) : 0);
}

JsonValue Definitions::profile(const JsonNode& name) {
  JsonValue profile(JsonValue::Kind::object);
  const auto known = names("profiles");
  if (!name.exists() && known.empty()) {
    set_member(profile, "id", integer_json(1));
    return profile;
  }
  const JsonValue first = text_json(known.empty() ? "" : known.front());
  const JsonNode wanted = name.exists() ? name : JsonNode{.value = &first, .pointer = {}};
  const JsonNode definition = find("profiles", wanted);
  const std::int64_t number = number_of("profiles", wanted.value->text);
  set_member(profile, "id", integer_json(integer_or(definition, "id", number)));
  const JsonNode required = definition.at("requires");
  if (!required.exists()) return profile;
  set_member(profile, "required_v1", text_json(params_hash(required, 1)));
  set_member(profile, "required_v2", text_json(params_hash(required, 2)));
  return profile;
}

std::map<std::uint64_t, std::string> Definitions::pairing_names() {
  std::map<std::uint64_t, std::string> all;
  for (const std::string& name : names("pairings")) {
    const JsonValue text = text_json(name);
    const auto pairing = this->pairing({.value = &text, .pointer = {}});
    if (!pairing) continue;
    const auto [known, fresh] = all.try_emplace(pairing->id, name);
    if (!fresh)
      fault(pairing->node.at("id"),
            "an id that \"" + known->second + "\" does not have: " + std::to_string(pairing->id));
  }
  return all;
}

std::optional<NamedPairing> Definitions::pairing(const JsonNode& name) {
  const JsonNode definition = find("pairings", name);
  if (!definition.exists()) return std::nullopt;
  const std::int64_t number = number_of("pairings", name.value->text);
  return NamedPairing{.id = static_cast<std::uint64_t>(integer_or(definition, "id", number)),
                      .node = definition};
}

}  // namespace specroute::sim
