#include "sim/json/json_node.hpp"
#include "sim/json/json_text.hpp"
#include "sim/telemetry/readers.hpp"
#include "sim/telemetry/scraped_series.hpp"

namespace specroute::sim {
namespace {

std::string number_text(const JsonValue& value) {
  if (value.kind == JsonValue::Kind::integer) return std::to_string(value.integer);
  return value.kind == JsonValue::Kind::real ? value.text : std::string{};
}

/// One [seconds, "value"] of a series.
void take_pair(const JsonNode& pair, const SeriesValue& series, Intake& intake) {
  const bool two = pair.value->kind == JsonValue::Kind::array && pair.value->items.size() == 2 &&
                   pair.value->items[0].is_number() &&
                   pair.value->items[1].kind == JsonValue::Kind::text;
  const auto at = two ? parse_unix_seconds(number_text(pair.value->items[0])) : std::nullopt;
  if (!at)
    return intake.bad(series.origin, "[seconds, \"value\"]",
                      write_json(*pair.value, {.sorted_keys = false, .indentation = 0}));
  SeriesValue one = series;
  one.value = pair.value->items[1].text;
  one.at = at;
  take_value(one, intake);
}

void take_series(const JsonNode& series, std::uint32_t part, Intake& intake) {
  const JsonNode metric = series.at("metric");
  SeriesValue named;
  if (metric.exists())
    for (const JsonMember& member : metric.value->members)
      named.labels[member.key] = member.value.text;
  const std::string name = named.labels["__name__"];
  named.labels.erase("__name__");
  named.name = name;
  named.origin = intake.origin(0, part);
  if (name.empty()) return intake.bad(named.origin, "a label __name__ of the series", "none");
  auto pairs = series.items("values");
  if (const JsonNode one = series.at("value"); one.exists()) pairs.push_back(one);
  for (const JsonNode& pair : pairs) {
    take_pair(pair, named, intake);
    ++named.origin.item;
  }
}

}  // namespace

Diagnostics read_query_range(const std::string& text, Intake& intake) {
  const std::string& file = intake.telemetry().files.back().name;
  const auto parsed = parse_json(text, file);
  if (!parsed) return parsed.diagnostics();
  const JsonNode root{&parsed.value().root, {}};
  const JsonNode data = root.at("data");
  const auto type = data.text("resultType");
  if (root.text("status") != "success" || (type != "matrix" && type != "vector"))
    return {{.file = file,
             .place = "/data/resultType",
             .expected = "an answer with status \"success\" and a \"matrix\" or a \"vector\"",
             .found = type ? shown_text(*type) : "none",
             .nearest = {}}};
  std::uint32_t part = 0;
  for (const JsonNode& series : data.items("result")) take_series(series, part++, intake);
  return {};
}

}  // namespace specroute::sim
