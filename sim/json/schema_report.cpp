#include "sim/json/schema_report.hpp"

#include <algorithm>

#include "sim/json/json_pointer.hpp"
#include "sim/json/nearest.hpp"
#include "sim/json/schema_phrase.hpp"
#include "sim/json/schema_reference.hpp"

namespace specroute::sim {
namespace {

bool is_false(const JsonValue& schema) {
  return schema.kind == JsonValue::Kind::boolean && !schema.boolean;
}

std::vector<std::string> keys_of(const JsonValue* object) {
  std::vector<std::string> keys;
  if (object == nullptr) return keys;
  for (const auto& member : object->members) keys.push_back(member.key);
  return keys;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

/// Whether a condition asks for the value of a key that is missing: it holds then, by the rules of
/// JSON Schema, and what follows from it would only hide that the key is required.
bool lacks_its_key(const JsonValue& condition, const JsonValue& base, const JsonValue& value) {
  const JsonValue* properties = condition.find("properties");
  const JsonValue* required = base.find("required");
  if (properties == nullptr || required == nullptr || value.kind != JsonValue::Kind::object)
    return false;
  return std::ranges::any_of(properties->members, [&](const JsonMember& asked) {
    return value.find(asked.key) == nullptr &&
           std::ranges::find(required->items, asked.key, &JsonValue::text) != required->items.end();
  });
}

class Reporter {
 public:
  /// @param root the document that references lead into
  explicit Reporter(const JsonValue& root) : root_(root) {}

  /// `condition` says under which "if" the schema holds; empty: always. `base` is the schema that
  /// a branch adds to.
  void walk(const JsonValue& unresolved, const JsonValue& value, const std::string& pointer,
            const std::string& condition, const JsonValue* base = nullptr) {
    const JsonValue& schema = resolve_reference(root_, unresolved);
    if (schema.kind == JsonValue::Kind::boolean) return;  // `false` is the parent's to report
    if (!value_fits(schema, value)) {
      add(pointer, expected_phrase(schema) + condition, found_text(value), nearest(schema, value));
      if (!type_fits(schema, value)) return;
    }
    if (value.kind == JsonValue::Kind::object) {
      const auto meant = members(schema, value, pointer, condition);
      barred_keys(schema, base == nullptr ? schema : *base, value, {pointer, condition});
      missing_keys({schema, base == nullptr ? schema : *base, value, pointer, condition, meant});
    }
    const JsonValue* items = schema.find("items");
    if (items != nullptr && value.kind == JsonValue::Kind::array)
      for (std::size_t i = 0; i < value.items.size(); ++i)
        walk(*items, value.items[i], child_pointer(pointer, i), condition);
    combined(schema, value, pointer, condition, base == nullptr ? schema : *base);
  }

  Diagnostics take() { return std::move(faults_); }

 private:
  struct Place {
    const std::string& pointer;
    const std::string& condition;
  };
  struct MissingKeys {
    const JsonValue& schema;
    const JsonValue& base;  ///< says what the key should hold
    const JsonValue& value;
    const std::string& pointer;
    const std::string& condition;
    const std::vector<std::string>& meant;
  };

  void add(const std::string& place, std::string expected, std::string found,
           std::string nearest = {}) {
    faults_.push_back({.file = {},
                       .place = place,
                       .expected = std::move(expected),
                       .found = std::move(found),
                       .nearest = std::move(nearest)});
  }

  static std::string nearest(const JsonValue& schema, const JsonValue& value) {
    const JsonValue* choices = schema.find("enum");
    if (choices == nullptr || value.kind != JsonValue::Kind::text) return {};
    std::vector<std::string> words;
    for (const auto& choice : choices->items) words.push_back(choice.text);
    return nearest_of(value.text, words);
  }

  /// Gives the known keys that misspelt ones probably stand for.
  std::vector<std::string> members(const JsonValue& schema, const JsonValue& value,
                                   const std::string& pointer, const std::string& condition) {
    const JsonValue* properties = schema.find("properties");
    const JsonValue* additional = schema.find("additionalProperties");
    std::vector<std::string> meant;
    for (const auto& member : value.members) {
      const std::string place = child_pointer(pointer, member.key);
      const JsonValue* known = properties == nullptr ? nullptr : properties->find(member.key);
      if (known != nullptr && is_false(*known)) {
        add(place, "no such key" + condition, found_text(member.value));
      } else if (known != nullptr) {
        walk(*known, member.value, place, condition);
      } else if (additional != nullptr && is_false(*additional)) {
        meant.push_back(unknown_key(member.key, keys_of(properties), place));
      } else if (additional != nullptr) {
        walk(*additional, member.value, place, condition);
      }
    }
    return meant;
  }

  /// Keys that "propertyNames" does not allow. One that `base` does not know either has been told
  /// of.
  void barred_keys(const JsonValue& schema, const JsonValue& base, const JsonValue& value,
                   const Place& at) {
    const JsonValue* names = schema.find("propertyNames");
    if (names == nullptr) return;
    const JsonValue* known = base.find("properties");
    const JsonValue* additional = base.find("additionalProperties");
    const bool closed = &base != &schema && additional != nullptr && is_false(*additional);
    for (const auto& member : value.members) {
      JsonValue key(JsonValue::Kind::text);
      key.text = member.key;
      const bool told = closed && (known == nullptr || known->find(member.key) == nullptr);
      if (told || value_fits(*names, key)) continue;
      add(child_pointer(at.pointer, member.key), "no such key" + at.condition,
          found_text(member.value));
    }
  }

  void missing_keys(const MissingKeys& search) {
    const JsonValue* required = search.schema.find("required");
    if (required == nullptr) return;
    for (const auto& key : required->items) {
      if (search.value.find(key.text) != nullptr ||
          std::ranges::find(search.meant, key.text) != search.meant.end())
        continue;
      const JsonValue* properties = search.base.find("properties");
      const JsonValue* wanted = properties == nullptr ? nullptr : properties->find(key.text);
      const auto phrase =
          wanted == nullptr ? std::string{} : expected_phrase(resolve_reference(root_, *wanted));
      add(child_pointer(search.pointer, key.text),
          (phrase.empty() ? "a value" : phrase) + search.condition, "no such key");
    }
  }

  std::string unknown_key(const std::string& key, const std::vector<std::string>& known,
                          const std::string& place) {
    auto nearest = nearest_of(key, known);
    add(place, nearest.empty() ? "one of the keys " + joined(known) : std::string{},
        "an unknown key", nearest);
    return nearest;
  }

  void combined(const JsonValue& schema, const JsonValue& value, const std::string& pointer,
                const std::string& outer, const JsonValue& base) {
    if (const JsonValue* all = schema.find("allOf"))
      for (const auto& each : all->items) walk(each, value, pointer, outer, &base);
    const JsonValue* condition = schema.find("if");
    if (condition == nullptr) return;
    if (lacks_its_key(*condition, base, value)) return;
    const bool holds = schema_matches(*condition, value, root_);
    const JsonValue* branch = schema.find(holds ? "then" : "else");
    if (branch == nullptr) return;
    walk(*branch, value, pointer,
         outer + (holds ? " where " : " unless ") + condition_phrase(*condition), &base);
  }

  const JsonValue& root_;
  Diagnostics faults_;
};

}  // namespace

Diagnostics schema_faults(const JsonValue& root, const JsonValue& value) {
  Reporter reporter(root);
  reporter.walk(root, value, {}, {});
  return reporter.take();
}

bool schema_matches(const JsonValue& schema, const JsonValue& value, const JsonValue& root) {
  Reporter reporter(root);
  reporter.walk(schema, value, {}, {});
  return reporter.take().empty();
}

}  // namespace specroute::sim
