#include "sim/policy_test/config_check.hpp"

#include <array>
#include <charconv>
#include <sstream>

#include "sim/json/json_places.hpp"
#include "sim/json/json_pointer.hpp"
#include "sim/json/json_text.hpp"
#include "sim/json/schema_report.hpp"

namespace specroute::sim {
namespace {

constexpr JsonLayout kLine{.sorted_keys = false, .indentation = 0};

/// A complaint of the module. Ours are lines that begin with "byte 12: "; any other text is about
/// the byte that the module names apart.
Diagnostic complaint(std::string line, std::size_t offset, const JsonPlaces& places) {
  constexpr std::string_view kMark = "byte ";
  const std::size_t colon = line.find(": ");
  if (line.starts_with(kMark) && colon != std::string::npos) {
    const char* const end = line.data() + colon;
    const auto read = std::from_chars(line.data() + kMark.size(), end, offset);
    if (read.ec == std::errc{} && read.ptr == end) line.erase(0, colon + 2);
  }
  // Words that say "expected X, found Y" themselves are not what was found.
  constexpr std::string_view kExpected = "expected ";
  constexpr std::string_view kFound = ", found ";
  const std::size_t wanted = line.find(kExpected);
  const std::size_t found = line.rfind(kFound);
  const bool is_whole = wanted != std::string::npos && found != std::string::npos &&
                        found > wanted && (wanted == 0 || line.substr(wanted - 2, 2) == ": ");
  if (!is_whole)
    return {.file = {},
            .place = places.at_byte(offset),
            .expected = "a configuration that the policy takes",
            .found = std::move(line),
            .nearest = {}};
  const std::size_t begin = wanted + kExpected.size();
  return {.file = {},
          .place = places.at_byte(offset),
          .expected = line.substr(begin, found - begin),
          .found = line.substr(found + kFound.size()),
          .nearest = {}};
}

Diagnostics module_faults(const srp_module& module, const JsonValue& config) {
  const std::string text = write_json(config, kLine);
  std::array<char, 4096> words{};
  srp_error error{};
  error.struct_size = sizeof error;
  error.cap = static_cast<std::uint32_t>(words.size());
  error.buf = words.data();
  if (module.validate({text.data(), text.size()}, &error) == SRP_OK) return {};
  const JsonPlaces places(text);
  Diagnostics faults;
  std::istringstream lines(std::string(words.data(), error.len));
  for (std::string line; std::getline(lines, line);)
    faults.push_back(complaint(line, error.config_offset, places));
  if (faults.empty())
    faults.push_back(complaint("one that it refuses without a word", error.config_offset, places));
  return faults;
}

/// What the document is instead of a configuration; empty where it may be one.
Diagnostics mistaken_document(const JsonValue& root) {
  const auto told = [](const char* found) {
    return Diagnostics{{.file = {},
                        .place = {},
                        .expected = "a gate's configuration, as {\"gate\": \"validity\"}",
                        .found = found,
                        .nearest = {}}};
  };
  if (root.find("gate") != nullptr) return {};
  if (root.find("fleet") != nullptr || root.find("gates") != nullptr)
    return told(
        "a scenario: `specroute validate FILE` reads it, and each value of its \"gates\" is a "
        "configuration");
  if (root.find("tests") != nullptr)
    return told("a file of policy tests: `specroute policy test FILE` reads and runs it");
  return {};
}

}  // namespace

JsonValue module_schema(const srp_module& module) {
  const srp_str text = module.config_schema;
  auto parsed = parse_json(std::string(text.ptr, text.len), "config_schema");
  return parsed ? std::move(parsed).value().root : JsonValue{};
}

Diagnostics config_faults(const srp_module& module, const JsonValue& config) {
  const JsonValue schema = module_schema(module);
  if (schema.kind == JsonValue::Kind::object)
    if (auto faults = schema_faults(schema, config); !faults.empty()) return faults;
  return module_faults(module, config);
}

Diagnostics config_text_faults(const srp_module& module, const std::string& text,
                               const std::string& file) {
  auto parsed = parse_json(text, file);
  if (!parsed) return parsed.diagnostics();
  auto [root, faults] = std::move(parsed).value();
  auto more = mistaken_document(root);
  if (more.empty()) more = config_faults(module, root);
  faults.insert(faults.end(), more.begin(), more.end());
  mark_places(faults, file, text);
  return faults;
}

std::vector<GateLine> gate_lines(const srp_module& module) {
  const JsonValue schema = module_schema(module);
  const JsonValue* names = resolve_pointer(schema, "/properties/gate/enum");
  const JsonValue* sentences = resolve_pointer(schema, "/properties/gate/enumDescriptions");
  std::vector<GateLine> lines;
  if (names == nullptr) return lines;
  for (std::size_t i = 0; i < names->items.size(); ++i) {
    const bool said = sentences != nullptr && i < sentences->items.size();
    lines.push_back({names->items[i].text, said ? sentences->items[i].text : std::string{}});
  }
  return lines;
}

std::vector<std::string> reason_names(const srp_module& module) {
  constexpr std::uint32_t kMostReasons = 1024;
  std::vector<std::string> names;
  for (std::uint32_t reason = 0; reason < kMostReasons; ++reason) {
    const srp_str name = module.reason_code(reason);
    if (name.len > 0) names.emplace_back(name.ptr, name.len);
  }
  return names;
}

}  // namespace specroute::sim
