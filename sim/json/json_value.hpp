/// @file
/// A JSON document as its readers hold it: members in file order, numbers as written.
///
/// It exists so that one source file, json_text.cpp, sees the JSON library, and because that
/// library's own tree forgets how a number was spelt and which keys came twice.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace specroute::sim {

struct JsonMember;

struct JsonValue {
  enum class Kind { null, boolean, integer, real, text, array, object };

  // In the source file, where JsonMember is complete.
  JsonValue();
  explicit JsonValue(Kind its_kind);

  Kind kind;
  bool boolean = false;
  std::int64_t integer = 0;
  double real = 0.0;
  std::string text;  ///< of a text; of a real, its spelling in the file, or empty
  std::vector<JsonValue> items;
  std::vector<JsonMember> members;

  /// The member's value, or null where there is none (or this is no object).
  [[nodiscard]] const JsonValue* find(std::string_view key) const;
  [[nodiscard]] bool is_number() const { return kind == Kind::integer || kind == Kind::real; }
  /// Value of a number of either kind; 0 for anything else.
  [[nodiscard]] double number() const;
};

struct JsonMember {
  std::string key;
  JsonValue value;
};

struct JsonLayout {
  bool sorted_keys;  ///< by bytes; else in file order
  int indentation;   ///< spaces per level; 0: one line, no spaces
};

/// Writes a value as JSON text without a final line break. A real is written as it was spelt, or
/// else with the fewest digits that read back as the same double.
std::string write_json(const JsonValue& value, const JsonLayout& layout);

/// A value as a diagnostic shows it: scalars as written and cut at 60 bytes, "an array of length 3"
/// and "an object" for the rest.
std::string found_text(const JsonValue& value);

/// `text` between double quotes, escaped as JSON asks.
std::string quoted(std::string_view text);

}  // namespace specroute::sim
