#include "sim/scenario/reader.hpp"

#include <filesystem>
#include <iterator>

#include "sim/json/diagnostics_text.hpp"
#include "sim/json/json_text.hpp"
#include "sim/json/schema_report.hpp"
#include "sim/json/text_file.hpp"
#include "sim/scenario/cross_rules.hpp"
#include "sim/scenario/decode.hpp"
#include "sim/scenario/resolve.hpp"
#include "sim/scenario/schema.hpp"
#include "sim/scenario/trace_files.hpp"

namespace specroute::sim {
namespace {

void append(Diagnostics& all, Diagnostics more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

/// The library's verdict, and our words for it where it rejects.
Diagnostics shape_faults(const std::string& text, const JsonValue& root) {
  if (schema_accepts(text)) return {};
  auto faults = schema_faults(scenario_schema(), root);
  if (faults.empty())
    faults.push_back({.file = {},
                      .place = {},
                      .expected = "what the scenario schema asks for",
                      .found = "something else",
                      .nearest = {}});
  return faults;
}

}  // namespace

Result<Scenario> parse_scenario(const std::string& text, const std::string& file,
                                const ReadOptions& options) {
  auto parsed = parse_json(text, file);
  if (!parsed) return parsed.diagnostics();
  auto [root, faults] = std::move(parsed).value();
  append(faults, shape_faults(text, root));
  resolve_value(scenario_schema(), root);
  if (root.kind == JsonValue::Kind::object) append(faults, cross_rule_faults(root, options));
  for (auto& fault : faults) {
    fault.file = file;
    if (fault.place.empty()) fault.place = "1:1";  // of the document itself, which has no key
  }
  sort_by_place(faults);
  if (!faults.empty()) return faults;
  Scenario scenario = decode_scenario({.value = &root, .pointer = {}});
  scenario.name = std::filesystem::path(file).stem().string();
  if (auto wrong = read_traces(file, options, root, scenario); !wrong.empty()) return wrong;
  scenario.resolved_json = write_json(root, {.sorted_keys = true, .indentation = 2}) + "\n";
  return scenario;
}

Result<Scenario> read_scenario(const std::string& path, const ReadOptions& options) {
  const auto text = text_of_file(path);
  if (!text) return text.diagnostics();
  return parse_scenario(text.value(), path, options);
}

}  // namespace specroute::sim
