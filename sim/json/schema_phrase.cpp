#include "sim/json/schema_phrase.hpp"

#include <algorithm>
#include <vector>

#include <specroute/vocab/check.hpp>

namespace specroute::sim {
namespace {

std::string literal(const JsonValue& value) {
  return write_json(value, {.sorted_keys = false, .indentation = 0});
}

std::vector<std::string> type_names(const JsonValue& schema) {
  const JsonValue* type = schema.find("type");
  if (type == nullptr) return {};
  if (type->kind == JsonValue::Kind::text) return {type->text};
  std::vector<std::string> names;
  for (const auto& name : type->items) names.push_back(name.text);
  return names;
}

bool is_of_type(const JsonValue& value, const std::string& type) {
  switch (value.kind) {
    case JsonValue::Kind::null:
      return type == "null";
    case JsonValue::Kind::boolean:
      return type == "boolean";
    case JsonValue::Kind::integer:
      return type == "integer" || type == "number";
    case JsonValue::Kind::real:
      return type == "number";
    case JsonValue::Kind::text:
      return type == "string";
    case JsonValue::Kind::array:
      return type == "array";
    case JsonValue::Kind::object:
      return type == "object";
  }
  return false;
}

/// " in [1, 64]", " of at least 0", " above 0", or nothing.
std::string range_phrase(const JsonValue& schema) {
  const JsonValue* closed_low = schema.find("minimum");
  const JsonValue* open_low = schema.find("exclusiveMinimum");
  const JsonValue* closed_high = schema.find("maximum");
  const JsonValue* open_high = schema.find("exclusiveMaximum");
  const JsonValue* low = closed_low != nullptr ? closed_low : open_low;
  const JsonValue* high = closed_high != nullptr ? closed_high : open_high;
  if (low != nullptr && high != nullptr)
    return std::string(" in ") + (closed_low != nullptr ? "[" : "(") + literal(*low) + ", " +
           literal(*high) + (closed_high != nullptr ? "]" : ")");
  check(high == nullptr, "the schema gives no upper bound alone");
  if (low == nullptr) return {};
  return (closed_low != nullptr ? " of at least " : " above ") + literal(*low);
}

std::string type_phrase(const JsonValue& schema, const std::string& type) {
  if (type == "integer") return "an integer" + range_phrase(schema);
  if (type == "number") return "a number" + range_phrase(schema);
  if (type == "string")
    return schema.find("minLength") != nullptr ? "a non-empty string" : "a string";
  if (type == "boolean") return "true or false";
  if (type == "null") return "null";
  if (type == "object")
    return schema.find("minProperties") != nullptr ? "an object with at least one key"
                                                   : "an object";
  const JsonValue* least = schema.find("minItems");
  const JsonValue* most = schema.find("maxItems");
  if (least == nullptr) return "an array";
  if (most == nullptr) return "an array of length " + literal(*least) + " or more";
  const std::string length = "an array of length " + literal(*least);
  return least->integer == most->integer ? length : length + " to " + literal(*most);
}

bool bounds_hold(const JsonValue& schema, double number) {
  const JsonValue* low = schema.find("minimum");
  const JsonValue* open_low = schema.find("exclusiveMinimum");
  const JsonValue* high = schema.find("maximum");
  const JsonValue* open_high = schema.find("exclusiveMaximum");
  return (low == nullptr || number >= low->number()) &&
         (open_low == nullptr || number > open_low->number()) &&
         (high == nullptr || number <= high->number()) &&
         (open_high == nullptr || number < open_high->number());
}

bool size_holds(const JsonValue& schema, const char* least, const char* most, std::size_t size) {
  const JsonValue* low = schema.find(least);
  const JsonValue* high = schema.find(most);
  return (low == nullptr || static_cast<std::int64_t>(size) >= low->integer) &&
         (high == nullptr || static_cast<std::int64_t>(size) <= high->integer);
}

/// Equality of scalars; the schema compares no others.
bool same_scalar(const JsonValue& left, const JsonValue& right) {
  return left.kind == right.kind && left.text == right.text && left.boolean == right.boolean &&
         left.integer == right.integer && left.kind != JsonValue::Kind::array &&
         left.kind != JsonValue::Kind::object;
}

}  // namespace

std::string expected_phrase(const JsonValue& schema) {
  std::string phrase;
  if (const JsonValue* choices = schema.find("enum")) {
    if (choices->items.size() == 1) return literal(choices->items.front());
    for (const auto& choice : choices->items)
      phrase += (phrase.empty() ? "one of " : ", ") + literal(choice);
    return phrase;
  }
  if (const JsonValue* constant = schema.find("const")) return literal(*constant);
  for (const auto& type : type_names(schema))
    phrase += (phrase.empty() ? "" : " or ") + type_phrase(schema, type);
  return phrase;
}

std::string condition_phrase(const JsonValue& condition) {
  std::string phrase;
  if (const JsonValue* properties = condition.find("properties")) {
    for (const auto& property : properties->members)
      phrase += (phrase.empty() ? "" : " and ") + quoted(property.key) + " is " +
                expected_phrase(property.value);
    return phrase;
  }
  if (const JsonValue* required = condition.find("required")) {
    for (const auto& key : required->items)
      phrase += (phrase.empty() ? "" : " and ") + quoted(key.text) + " is given";
    return phrase;
  }
  return "it is " + expected_phrase(condition);
}

bool type_fits(const JsonValue& schema, const JsonValue& value) {
  const auto types = type_names(schema);
  return types.empty() ||
         std::ranges::any_of(types, [&](const auto& type) { return is_of_type(value, type); });
}

bool value_fits(const JsonValue& schema, const JsonValue& value) {
  if (!type_fits(schema, value)) return false;
  const JsonValue* constant = schema.find("const");
  if (constant != nullptr && !same_scalar(*constant, value)) return false;
  const JsonValue* choices = schema.find("enum");
  if (choices != nullptr && std::ranges::none_of(choices->items, [&](const auto& choice) {
        return same_scalar(choice, value);
      }))
    return false;
  if (value.is_number()) return bounds_hold(schema, value.number());
  if (value.kind == JsonValue::Kind::text)
    return size_holds(schema, "minLength", "maxLength", value.text.size());
  if (value.kind == JsonValue::Kind::array)
    return size_holds(schema, "minItems", "maxItems", value.items.size());
  if (value.kind == JsonValue::Kind::object)
    return size_holds(schema, "minProperties", "maxProperties", value.members.size());
  return true;
}

}  // namespace specroute::sim
