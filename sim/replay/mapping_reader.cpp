#include "sim/replay/mapping_reader.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <specroute/router/binding.hpp>

#include "sim/digest/sha256.hpp"
#include "sim/json/nearest.hpp"
#include "sim/telemetry/read_telemetry.hpp"

namespace specroute::sim {
namespace {

/// Equal numbers where the texts are equal: the digits themselves, or the name's SHA-256.
std::uint64_t number_of(const std::string& text) {
  std::uint64_t bits = 0;
  if (!router::hash_bits(text, bits)) router::hash_bits(sha256_hex(text).substr(0, 16), bits);
  return bits;
}

srp_sampling sampling_of(const JsonNode& node, std::string& grammar) {
  srp_sampling s{};
  s.temperature = node.number("temperature").value_or(0.0);
  s.top_p = node.number("top_p").value_or(1.0);
  s.min_p = node.number("min_p").value_or(0.0);
  s.repetition_penalty = node.number("repetition_penalty").value_or(1.0);
  s.presence_penalty = node.number("presence_penalty").value_or(0.0);
  s.frequency_penalty = node.number("frequency_penalty").value_or(0.0);
  s.top_k = static_cast<std::int32_t>(node.number("top_k").value_or(0.0));
  s.rule = static_cast<std::uint32_t>(node.number("rule").value_or(0.0));
  if (const JsonNode seed = node.at("seed"); seed.exists()) s.seed = seed.value->integer;
  grammar = node.text("grammar").value_or("");
  s.grammar_id = {grammar.data(), grammar.size()};
  return s;
}

std::uint32_t provenance_of(const JsonNode& node) {
  const auto text = node.text("provenance");
  if (text == "live") return SRP_LIVE;
  return text == "verified_at_bind" ? SRP_VERIFIED_AT_BIND : SRP_CLAIMED;
}

std::int64_t offset_s(const JsonNode& node, std::int64_t otherwise) {
  const auto minutes = node.number("utc_offset_minutes");
  return minutes ? static_cast<std::int64_t>(*minutes) * 60 : otherwise;
}

std::optional<int> year_of(const JsonNode& node, std::optional<int> otherwise) {
  const auto year = node.number("year");
  return year ? static_cast<int>(*year) : otherwise;
}

}  // namespace

void MappingReader::fault(const JsonNode& node, std::string_view key, std::string expected,
                          std::string nearest) {
  const JsonNode at = node.at(key);
  faults_.push_back({.file = {},
                     .place = at.exists() ? at.pointer : node.pointer,
                     .expected = std::move(expected),
                     .found = at.exists() ? found_text(*at.value) : "none",
                     .nearest = std::move(nearest)});
}

std::optional<UnixTime> MappingReader::date(const JsonNode& node, std::string_view key) {
  const auto text = node.text(key);
  if (!text) return std::nullopt;
  const auto parsed = parse_date(*text);
  if (!parsed) fault(node, key, "a date with its zone, as 2026-11-06T08:15:00Z");
  return parsed;
}

std::size_t MappingReader::index_of(const JsonNode& node, std::string_view key,
                                    const std::vector<std::string>& known, const char* what) {
  const auto name = node.text(key).value_or("");
  const auto found = std::ranges::find(known, name);
  if (found != known.end()) return static_cast<std::size_t>(found - known.begin());
  fault(node, key, std::string("the name of a ") + what, nearest_of(name, known));
  return 0;
}

void MappingReader::unique(const JsonNode& node, const std::vector<std::string>& known,
                           const char* what) {
  if (std::ranges::find(known, node.text("name").value_or("")) != known.end())
    fault(node, "name", std::string("a name that no other ") + what + " has");
}

void MappingReader::hashes(const JsonNode& node, std::uint64_t& v1, std::uint64_t& v2) {
  const bool first = router::hash_bits(node.text("v1").value_or(""), v1);
  if (!first) fault(node, "v1", "16 lower-case hex digits");
  v2 = v1;
  if (node.at("v2").exists() && !router::hash_bits(node.text("v2").value_or(""), v2))
    fault(node, "v2", "16 lower-case hex digits");
}

void MappingReader::parameters(const JsonNode& node, MappedBackend& into) {
  const JsonNode sampling = node.at("sampling");
  const JsonNode hash = node.at("params_hash");
  into.as_requested = node.truth("as_requested").value_or(false);
  if (sampling.exists() + hash.exists() + into.as_requested > 1)
    fault(node, sampling.exists() ? "sampling" : "params_hash",
          "one of sampling, params_hash and as_requested");
  srp_side& side = into.side;
  if (sampling.exists()) {
    std::string grammar;
    const srp_sampling s = sampling_of(sampling, grammar);
    router::hash_bits(router::params_hash(1, s), side.params_v1);
    router::hash_bits(router::params_hash(2, s), side.params_v2);
  } else if (hash.exists()) {
    hashes(hash, side.params_v1, side.params_v2);
  }
  side.known &= ~static_cast<std::uint32_t>(SRP_FP_PARAMS);
  if (sampling.exists() || hash.exists()) side.known |= SRP_FP_PARAMS;
  if (node.at("provenance").exists()) side.provenance = provenance_of(node);
}

void MappingReader::profile(const JsonNode& node, Mapping& into) {
  unique(node, profiles_, "profile");
  MappedBackend asked;
  parameters(node, asked);
  MappedProfile one;
  one.name = node.text("name").value_or("");
  one.profile.id = into.profiles.size() + 1;
  one.profile.required_v1 = asked.side.params_v1;
  one.profile.required_v2 = asked.side.params_v2;
  profiles_.push_back(one.name);
  into.profiles.push_back(std::move(one));
}

void MappingReader::backend(const JsonNode& node, Mapping& into) {
  unique(node, backends_, "backend");
  MappedBackend one;
  one.name = node.text("name").value_or("");
  srp_side& side = one.side;
  side.backend = into.backends.size() + 1;
  side.incarnation = 1;
  if (const auto model = node.text("model")) {
    side.model = number_of(*model);
    side.known |= SRP_FP_MODEL;
  }
  if (const auto tokenizer = node.text("tokenizer")) {
    side.tokenizer = number_of(*tokenizer);
    side.known |= SRP_FP_TOKENIZER;
  }
  if (const auto block = node.number("kv_block_tokens")) {
    side.kv_block_tokens = static_cast<std::uint32_t>(*block);
    side.known |= SRP_FP_KV;
  }
  if (const auto mask = node.text("mask")) {
    side.mask = static_cast<std::uint32_t>(number_of(*mask));
    side.known |= SRP_FP_MASK;
  }
  parameters(node, one);
  backends_.push_back(one.name);
  into.backends.push_back(std::move(one));
}

void MappingReader::pairing(const JsonNode& node, Mapping& into) {
  unique(node, pairings_, "pairing");
  MappedPairing one;
  one.name = node.text("name").value_or("");
  one.pointer = node.pointer;
  one.draft = index_of(node, "draft", backends_, "backend");
  one.target = index_of(node, "target", backends_, "backend");
  one.profile = index_of(node, "profile", profiles_, "profile");
  if (one.draft == one.target && faults_.empty()) fault(node, "target", "another backend");
  const JsonNode match = node.at("match");
  for (const JsonMember& label : match.value->members) {
    auto& values = one.match[label.key];
    if (label.value.kind == JsonValue::Kind::text) values.push_back(label.value.text);
    for (const JsonValue& value : label.value.items) values.push_back(value.text);
  }
  one.draft_tokens = static_cast<std::uint32_t>(node.number("draft_tokens").value_or(0.0));
  const auto forward = node.text("forward");
  if (forward == "logits") one.forward = SRP_FORWARD_LOGITS;
  if (forward == "probs") one.forward = SRP_FORWARD_PROBS;
  one.from = date(node, "from");
  one.to = date(node, "to");
  if (one.from && one.to && *one.from >= *one.to) fault(node, "to", "a date after \"from\"");
  pairings_.push_back(one.name);
  into.pairings.push_back(std::move(one));
}

void MappingReader::succession(const JsonNode& node, bool failover, Mapping& into) {
  Succession one;
  one.at = date(node, "at").value_or(0);
  one.from = index_of(node, "from", pairings_, "pairing");
  one.to = index_of(node, "to", pairings_, "pairing");
  one.failover = failover;
  one.pointer = node.pointer;
  if (!faults_.empty()) return;
  if (into.pairings[one.from].profile != into.pairings[one.to].profile)
    fault(node, "to", "a pairing of the same profile");
  into.successions.push_back(std::move(one));
}

void MappingReader::sampling_change(const JsonNode& node, Mapping& into) {
  SamplingChange one;
  one.at = date(node, "at").value_or(0);
  one.backend = index_of(node, "backend", backends_, "backend");
  one.now = into.backends[one.backend];
  parameters(node, one.now);
  if (!one.now.as_requested && (one.now.side.known & SRP_FP_PARAMS) == 0 && faults_.empty())
    fault(node, "sampling", "what the backend applies from then on");
  into.sampling_changes.push_back(std::move(one));
}

void MappingReader::candidate(const JsonNode& node, Mapping& into) {
  MappedCandidate one;
  one.at = date(node, "at");
  one.backend = index_of(node, "backend", backends_, "backend");
  one.profile = index_of(node, "profile", profiles_, "profile");
  one.role = node.text("role") == "target" ? SRP_REPLACE_TARGET : SRP_REPLACE_DRAFT;
  one.available = node.truth("available").value_or(true);
  into.candidates.push_back(one);
}

void MappingReader::file(const JsonNode& node, const std::string& name, Mapping& into) {
  MappedFile one;
  one.settings = into.defaults;
  one.settings.year = year_of(node, into.defaults.year);
  one.settings.utc_offset_s = offset_s(node, into.defaults.utc_offset_s);
  one.settings.at = date(node, "at");
  one.settings.starts_at = date(node, "starts_at");
  if (const JsonNode labels = node.at("labels"); labels.exists())
    for (const JsonMember& label : labels.value->members)
      one.settings.labels[label.key] = label.value.text;
  if (const auto format = node.text("format")) one.format = format_named(*format);
  into.files.emplace(name, std::move(one));
}

Mapping MappingReader::read(const JsonNode& root) {
  Mapping mapping;
  mapping.title = root.text("title").value_or("");
  mapping.max_gap_ns =
      static_cast<UnixTime>(std::floor(root.number("max_gap_s").value_or(300.0) * 1e9 + 0.5));
  mapping.defaults.year = year_of(root, std::nullopt);
  mapping.defaults.utc_offset_s = offset_s(root, 0);
  mapping.defaults.decode_log_interval =
      static_cast<std::uint64_t>(root.number("decode_log_interval").value_or(40.0));
  for (const JsonNode& node : root.items("profiles")) profile(node, mapping);
  for (const JsonNode& node : root.items("backends")) backend(node, mapping);
  for (const JsonNode& node : root.items("pairings")) pairing(node, mapping);
  for (const JsonNode& node : root.items("failovers")) succession(node, true, mapping);
  for (const JsonNode& node : root.items("rebinds")) succession(node, false, mapping);
  for (const JsonNode& node : root.items("sampling_changes")) sampling_change(node, mapping);
  for (const JsonNode& node : root.items("candidates")) candidate(node, mapping);
  if (const JsonNode files = root.at("files"); files.exists())
    for (const JsonMember& member : files.value->members)
      file(files.at(member.key), member.key, mapping);
  const auto by_date = [](const auto& a, const auto& b) { return a.at < b.at; };
  std::ranges::stable_sort(mapping.successions, by_date);
  std::ranges::stable_sort(mapping.sampling_changes, by_date);
  return mapping;
}

}  // namespace specroute::sim
