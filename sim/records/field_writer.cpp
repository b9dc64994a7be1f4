#include "sim/records/field_writer.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "sim/records/date_text.hpp"
#include "sim/records/integer_text.hpp"

namespace specroute::sim {
namespace {

template <class Number>
Number load(const std::byte* at) {
  Number number;
  std::memcpy(&number, at, sizeof(number));
  return number;
}

JsonValue date_json(srp_ns date) {
  if (date == SRP_FOREVER) return text_json("forever");
  JsonValue json(JsonValue::Kind::real);
  json.text = seconds_text(date);
  json.real = static_cast<double>(date) / 1e9;
  return json;
}

JsonValue name_json(std::span<const NamedValue> names, std::uint32_t value) {
  const auto found = std::ranges::find(names, value, &NamedValue::value);
  return found == names.end() ? unsigned_json(value) : text_json(std::string(found->name));
}

JsonValue names_json(std::span<const NamedValue> names, std::uint32_t bits) {
  JsonValue json(JsonValue::Kind::array);
  for (const NamedValue& one : names)
    if ((bits & one.value) != 0) json.items.push_back(text_json(std::string(one.name)));
  for (const NamedValue& one : names) bits &= ~one.value;
  if (bits != 0) json.items.push_back(unsigned_json(bits));
  return json;
}

JsonValue counts_json(const Field& field, const std::byte* bytes) {
  const auto length = std::min(load<std::uint32_t>(bytes + field.length_at), field.most);
  JsonValue json(JsonValue::Kind::array);
  for (std::uint32_t i = 0; i < length; ++i)
    json.items.push_back(unsigned_json(load<std::uint64_t>(bytes + field.at + 8 * std::size_t{i})));
  return json;
}

JsonValue arguments_json(const std::byte* at) {
  JsonValue json(JsonValue::Kind::array);
  for (std::size_t i = 0; i < 4; ++i)
    json.items.push_back(integer_json(load<std::int64_t>(at + 8 * i)));
  return json;
}

JsonValue object_json(const Field& field, const std::byte* at) {
  const Field& first = field.fields.front();
  // A constraint that replaces nothing asks for nothing.
  if (first.kind == FieldKind::name && load<std::uint32_t>(at + first.at) == 0) return {};
  JsonValue json(JsonValue::Kind::object);
  write_fields(field.fields, at, json);
  return json;
}

JsonValue field_json(const Field& field, const std::byte* bytes) {
  const std::byte* at = bytes + field.at;
  switch (field.kind) {
    case FieldKind::date:
      return date_json(load<srp_ns>(at));
    case FieldKind::optional_date:
      return load<srp_ns>(at) == 0 ? JsonValue{} : date_json(load<srp_ns>(at));
    case FieldKind::count:
    case FieldKind::profile_id:
      return unsigned_json(load<std::uint64_t>(at));
    case FieldKind::number:
      return unsigned_json(load<std::uint32_t>(at));
    case FieldKind::signed_number:
      return integer_json(load<std::int64_t>(at));
    case FieldKind::hash:
      return hash_json(load<std::uint64_t>(at));
    case FieldKind::name:
      return name_json(field.names, load<std::uint32_t>(at));
    case FieldKind::names:
      return names_json(field.names, load<std::uint32_t>(at));
    case FieldKind::truth:
      return truth_json(load<std::uint32_t>(at) != 0);
    case FieldKind::counts:
      return counts_json(field, bytes);
    case FieldKind::arguments:
      return arguments_json(at);
    case FieldKind::object:
      return object_json(field, at);
  }
  return {};
}

}  // namespace

void add_member(JsonValue& object, std::string key, JsonValue value) {
  object.members.push_back({std::move(key), std::move(value)});
}

void write_fields(std::span<const Field> fields, const std::byte* bytes, JsonValue& object) {
  for (const Field& field : fields) {
    const bool dated = field.kind == FieldKind::date || field.kind == FieldKind::optional_date;
    add_member(object, std::string(field.name) + (dated ? "_s" : ""), field_json(field, bytes));
  }
}

const RecordLayout* layout_of(std::span<const RecordLayout> layouts, std::uint16_t type) {
  const auto found = std::ranges::find(layouts, type, &RecordLayout::type);
  return found == layouts.end() ? nullptr : &*found;
}

}  // namespace specroute::sim
