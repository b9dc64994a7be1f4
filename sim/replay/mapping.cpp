#include "sim/replay/mapping.hpp"

#include <iterator>

#include <specroute/vocab/check.hpp>

#include "sim/json/json_places.hpp"
#include "sim/json/json_text.hpp"
#include "sim/json/schema_report.hpp"
#include "sim/json/schema_verdict.hpp"
#include "sim/replay/mapping_reader.hpp"
#include "sim/replay/mapping_schema.hpp"

namespace specroute::sim {
namespace {

const JsonValue& mapping_schema() {
  static const JsonValue schema = [] {
    auto parsed =
        parse_json(std::string(replay_mapping_schema_text()), "replay_mapping.schema.json");
    check(parsed.ok() && parsed.value().duplicate_keys.empty(), "the embedded schema is JSON");
    return std::move(parsed).value().root;
  }();
  return schema;
}

/// What the schema has against the mapping; the library's verdict counts, ours are its words.
Diagnostics shape_faults_of(const std::string& text, const JsonValue& root) {
  static const SchemaVerdict verdict(replay_mapping_schema_text());
  if (verdict.accepts(text)) return {};
  auto faults = schema_faults(mapping_schema(), root);
  if (faults.empty())
    faults.push_back({.file = {},
                      .place = {},
                      .expected = "what the mapping's schema asks for",
                      .found = "something else",
                      .nearest = {}});
  return faults;
}

}  // namespace

MappedFile Mapping::file(const std::string& name) const {
  const auto found = files.find(name);
  return found == files.end() ? MappedFile{defaults, std::nullopt} : found->second;
}

srp_side side_for(const MappedBackend& backend, const srp_profile& profile) {
  srp_side side = backend.side;
  if (!backend.as_requested || (profile.required_v1 == 0 && profile.required_v2 == 0)) return side;
  side.params_v1 = profile.required_v1;
  side.params_v2 = profile.required_v2;
  side.known |= SRP_FP_PARAMS;
  return side;
}

Result<Mapping> parse_mapping(const std::string& text, const std::string& file) {
  auto parsed = parse_json(text, file);
  if (!parsed) return parsed.diagnostics();
  auto [root, faults] = std::move(parsed).value();
  auto wrong = shape_faults_of(text, root);
  faults.insert(faults.end(), std::make_move_iterator(wrong.begin()),
                std::make_move_iterator(wrong.end()));
  if (!faults.empty()) {
    mark_places(faults, file, text);
    return faults;
  }
  MappingReader reader;
  Mapping mapping = reader.read({.value = &root, .pointer = {}});
  if (reader.faults().empty()) return mapping;
  mark_places(reader.faults(), file, text);
  return reader.faults();
}

}  // namespace specroute::sim
