#include "sim/report/validation_json.hpp"

#include <cmath>

#include <nlohmann/json.hpp>

#include "sim/digest/sha256.hpp"
#include "sim/report/build_info.hpp"
#include "sim/report/json_layout.hpp"

namespace specroute::sim {
namespace {

using Json = nlohmann::ordered_json;
using namespace validation;

Json group_json(const Group& group) {
  return {{"system", group.system},
          {"engine", group.engine},
          {"model", group.model},
          {"precision", group.precision}};
}

/// JSON has no spelling for what is no number.
Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json comparison_json(const Comparison& row) {
  Json json = group_json(row.group);
  json["quantity"] = row.quantity;
  json["condition"] = row.condition;
  json["unit"] = row.unit;
  json["ours"] = number(row.ours);
  json["theirs"] = number(row.theirs);
  json["error"] = number(relative_error(row));
  json["standing"] = to_string(row.standing);
  json["place"] = row.place;
  return json;
}

Json error_json(const GroupError& error) {
  Json json = group_json(error.group);
  json["quantity"] = error.quantity;
  json["unit"] = error.unit;
  json["standing"] = to_string(error.standing);
  json["n"] = error.count;
  json["mape"] = number(error.mean_absolute);
  json["bias"] = number(error.bias);
  json["worst"] = number(error.worst);
  json["worst_place"] = error.worst_place;
  json["worst_difference"] = number(error.worst_difference);
  return json;
}

Json bound_json(const Bound& bound) {
  Json json;
  json["name"] = bound.name;
  json["statistic"] = bound.statistic;
  json["measured"] = number(bound.measured);
  json[bound.direction == Direction::at_most ? "at_most" : "at_least"] = bound.limit;
  json["met"] = bound.met();
  json["pledge"] = to_string(bound.pledge);
  return json;
}

Json cell_json(const Cell& cell) {
  return cell.number ? number(*cell.number) : Json(cell.text);
}

Json table_json(const Table& table) {
  Json json;
  json["caption"] = table.caption;
  json["header"] = table.header;
  json["rows"] = Json::array();
  for (const auto& row : table.rows) {
    Json cells = Json::array();
    for (const Cell& cell : row) cells.push_back(cell_json(cell));
    json["rows"].push_back(std::move(cells));
  }
  return json;
}

template <class List, class One>
Json list_json(const List& list, One one) {
  Json json = Json::array();
  for (const auto& item : list) json.push_back(one(item));
  return json;
}

Json section_json(const Section& section) {
  Json json;
  json["id"] = section.id;
  json["title"] = section.title;
  json["evidence"] = section.evidence == Evidence::own_check ? "own check" : "measurement";
  json["question"] = section.question;
  json["bounds"] = list_json(section.bounds, bound_json);
  json["errors"] = list_json(group_errors(section.comparisons), error_json);
  json["comparisons"] = list_json(section.comparisons, comparison_json);
  json["tables"] = list_json(section.tables, table_json);
  json["notes"] = section.notes;
  return json;
}

Json file_json(const DataFile& file) {
  return {{"name", file.name}, {"sha256", sha256_hex(file.text)}};
}

}  // namespace

std::string validation_json(const Validation& validation, const DataDirectory& data) {
  const BuildInfo& build = build_info();
  Json json;
  json["schema"] = "specroute-validation/1";
  json["version"] = build.version;
  json["commit"] = build.commit;
  json["dirty"] = build.dirty;
  json["data"] = list_json(data.files(), file_json);
  json["missed_bounds"] = missed_bounds(validation);
  json["notes"] = validation.notes;
  json["sections"] = list_json(validation.sections, section_json);
  return laid_out(json.dump()) + '\n';
}

}  // namespace specroute::sim
