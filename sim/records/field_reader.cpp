#include "sim/records/field_reader.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "sim/json/json_pointer.hpp"
#include "sim/json/nearest.hpp"
#include "sim/records/date_text.hpp"
#include "sim/records/integer_text.hpp"

namespace specroute::sim {
namespace {

constexpr const char* kCount = "an integer in [0, 18446744073709551615]";
constexpr const char* kNumber = "an integer in [0, 4294967295]";
constexpr const char* kSigned = "an integer in [-9223372036854775808, 9223372036854775807]";

template <class Number>
void store(Number number, std::byte* at) {
  std::memcpy(at, &number, sizeof(number));
}

bool is_date(const Field& field) {
  return field.kind == FieldKind::date || field.kind == FieldKind::optional_date;
}

std::string seconds_key(const Field& field) {
  return std::string(field.name) + "_s";
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : ", ") + quoted(word);
  return text;
}

std::vector<std::string> words_of(std::span<const NamedValue> names) {
  std::vector<std::string> words;
  for (const NamedValue& one : names) words.emplace_back(one.name);
  return words;
}

/// What a field that is missing should have held.
std::string wanted(const Field& field) {
  switch (field.kind) {
    case FieldKind::date:
    case FieldKind::optional_date:
      return "a date in seconds";
    case FieldKind::object:
      return "an object";
    case FieldKind::name:
      return "one of " + listed(words_of(field.names));
    case FieldKind::truth:
      return "true or false";
    default:
      return kCount;
  }
}

std::string number_text(const JsonValue& value) {
  return write_json(value, {.sorted_keys = false, .indentation = 0});
}

}  // namespace

void FieldReader::fault(const JsonNode& node, std::string expected, std::string nearest) {
  faults_.push_back({.file = {},
                     .place = node.pointer,
                     .expected = std::move(expected),
                     .found = node.exists() ? found_text(*node.value) : "no such key",
                     .nearest = std::move(nearest)});
}

const RecordLayout* FieldReader::layout(std::span<const RecordLayout> layouts,
                                        const JsonNode& node) {
  if (!node.exists() || node.value->kind != JsonValue::Kind::object) {
    fault(node, "an object");
    return nullptr;
  }
  const auto type = node.text("type");
  std::vector<std::string> known;
  for (const RecordLayout& layout : layouts) {
    if (type && *type == layout.name) return &layout;
    known.emplace_back(layout.name);
  }
  fault(node.at("type"), "one of " + listed(known), nearest_of(type.value_or(""), known));
  return nullptr;
}

void FieldReader::read(std::span<const Field> fields, const JsonNode& node,
                       std::span<const std::string_view> others, std::byte* bytes) {
  meant_.clear();
  unknown_keys(fields, node, others);
  const std::vector<std::string> meant = std::exchange(meant_, {});
  for (const Field& one : fields) {
    const std::string key = is_date(one) ? seconds_key(one) : std::string(one.name);
    if (is_date(one) && in_nanoseconds(one, node, bytes)) continue;
    if (node.at(key).exists())
      field(one, node.at(key), bytes);
    else if (one.required && std::ranges::find(meant, key) == meant.end())
      fault(node.at(key), wanted(one));
  }
}

/// Whether the date is given in nanoseconds, and was read.
bool FieldReader::in_nanoseconds(const Field& field, const JsonNode& node, std::byte* bytes) {
  const JsonNode given = node.at(field.name);
  if (!given.exists()) return false;
  const std::string key = seconds_key(field);
  if (node.at(key).exists())
    fault(given, "one of " + quoted(key) + " and this, not both");
  else
    nanoseconds(given, bytes + field.at);
  return true;
}

void FieldReader::unknown_keys(std::span<const Field> fields, const JsonNode& node,
                               std::span<const std::string_view> others) {
  std::vector<std::string> known(others.begin(), others.end());
  for (const Field& one : fields)
    known.push_back(is_date(one) ? seconds_key(one) : std::string(one.name));
  for (const JsonMember& member : node.value->members) {
    const auto in_nanoseconds = [&](const Field& one) {
      return is_date(one) && one.name == member.key;
    };
    if (std::ranges::find(known, member.key) != known.end() ||
        std::ranges::any_of(fields, in_nanoseconds))
      continue;
    const std::string nearest = nearest_of(member.key, known);
    faults_.push_back({.file = {},
                       .place = child_pointer(node.pointer, member.key),
                       .expected = nearest.empty() ? "one of the keys " + listed(known) : "",
                       .found = "an unknown key",
                       .nearest = nearest});
    meant_.push_back(nearest);
  }
}

void FieldReader::field(const Field& field, const JsonNode& node, std::byte* bytes) {
  std::byte* at = bytes + field.at;
  switch (field.kind) {
    case FieldKind::date:
    case FieldKind::optional_date:
      return date(field, node, at);
    case FieldKind::count:
    case FieldKind::profile_id:
      return count(node, at);
    case FieldKind::number:
      return number(node, at);
    case FieldKind::signed_number:
      return signed_number(node, at);
    case FieldKind::hash:
      return hash(node, at);
    case FieldKind::name:
      return store(named(field, node), at);
    case FieldKind::names:
      return names(field, node, at);
    case FieldKind::truth:
      if (node.value->kind != JsonValue::Kind::boolean) fault(node, "true or false");
      return store(std::uint32_t{node.value->boolean ? 1U : 0U}, at);
    case FieldKind::counts:
      return counts(field, node, bytes);
    case FieldKind::arguments:
      return arguments(node, at);
    case FieldKind::object:
      return object(field, node, at);
  }
}

void FieldReader::date(const Field& field, const JsonNode& node, std::byte* at) {
  const bool optional = field.kind == FieldKind::optional_date;
  if (optional && node.value->kind == JsonValue::Kind::null) return;
  if (node.value->kind == JsonValue::Kind::text && node.value->text == "forever")
    return store(SRP_FOREVER, at);
  const auto read =
      node.value->is_number() ? nanoseconds_of(number_text(*node.value)) : std::nullopt;
  if (!read)
    return fault(node, std::string("seconds in [0, 18446744073], or \"forever\"") +
                           (optional ? ", or null" : ""));
  store(*read, at);
}

void FieldReader::nanoseconds(const JsonNode& node, std::byte* at) {
  const auto read = unsigned_of(*node.value);
  if (!read) return fault(node, "nanoseconds: " + std::string(kCount));
  store(*read, at);
}

void FieldReader::count(const JsonNode& node, std::byte* at) {
  const auto read = unsigned_of(*node.value);
  if (!read) return fault(node, kCount);
  store(*read, at);
}

void FieldReader::number(const JsonNode& node, std::byte* at) {
  const auto read = unsigned_of(*node.value);
  if (!read || *read > std::numeric_limits<std::uint32_t>::max()) return fault(node, kNumber);
  store(static_cast<std::uint32_t>(*read), at);
}

void FieldReader::signed_number(const JsonNode& node, std::byte* at) {
  if (node.value->kind != JsonValue::Kind::integer) return fault(node, kSigned);
  store(node.value->integer, at);
}

void FieldReader::hash(const JsonNode& node, std::byte* at) {
  const auto read = hash_of(*node.value);
  if (!read) return fault(node, "16 hex digits as a string, or an integer");
  store(*read, at);
}

std::uint32_t FieldReader::named(const Field& field, const JsonNode& node) {
  const auto is_it = [&](const NamedValue& one) { return one.name == node.value->text; };
  const auto found = std::ranges::find_if(field.names, is_it);
  const bool is_text = node.value->kind == JsonValue::Kind::text;
  if (is_text && found != field.names.end()) return found->value;
  // What has no name yet is written as a number, and read back as one.
  const auto read = unsigned_of(*node.value);
  if (read && *read <= std::numeric_limits<std::uint32_t>::max())
    return static_cast<std::uint32_t>(*read);
  const auto words = words_of(field.names);
  fault(node, "one of " + listed(words), is_text ? nearest_of(node.value->text, words) : "");
  return 0;
}

void FieldReader::names(const Field& field, const JsonNode& node, std::byte* at) {
  const auto words = words_of(field.names);
  if (node.value->kind != JsonValue::Kind::array)
    return fault(node, "an array of names out of " + listed(words));
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < node.value->items.size(); ++i)
    bits |=
        named(field, {.value = &node.value->items[i], .pointer = child_pointer(node.pointer, i)});
  store(bits, at);
}

void FieldReader::counts(const Field& field, const JsonNode& node, std::byte* bytes) {
  const auto& items = node.value->items;
  if (node.value->kind != JsonValue::Kind::array || items.size() > field.most)
    return fault(node, "an array of at most " + std::to_string(field.most) + " integers");
  for (std::size_t i = 0; i < items.size(); ++i)
    count({.value = &items[i], .pointer = child_pointer(node.pointer, i)},
          bytes + field.at + 8 * i);
  store(static_cast<std::uint32_t>(items.size()), bytes + field.length_at);
}

void FieldReader::arguments(const JsonNode& node, std::byte* at) {
  const auto& items = node.value->items;
  if (node.value->kind != JsonValue::Kind::array || items.size() > 4)
    return fault(node, "an array of at most 4 integers");
  for (std::size_t i = 0; i < items.size(); ++i)
    signed_number({.value = &items[i], .pointer = child_pointer(node.pointer, i)}, at + 8 * i);
}

void FieldReader::object(const Field& field, const JsonNode& node, std::byte* at) {
  const Field& first = field.fields.front();
  const bool is_profile = first.kind == FieldKind::profile_id;
  if (is_profile && unsigned_of(*node.value)) return count(node, at + first.at);
  if (!field.required && node.value->kind == JsonValue::Kind::null) return;
  if (node.value->kind != JsonValue::Kind::object)
    return fault(node, is_profile ? "an object, or the profile's id" : "an object");
  read(field.fields, node, {}, at);
}

}  // namespace specroute::sim
