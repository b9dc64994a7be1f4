#include "sim/json/json_text.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include <specroute/vocab/check.hpp>

#include "sim/json/diagnostics_text.hpp"
#include "sim/json/json_places.hpp"
#include "sim/json/json_pointer.hpp"

namespace specroute::sim {
namespace {

using Library = nlohmann::json;

/// "line:column" of the byte at `offset`.
std::string line_and_column(const std::string& text, std::size_t offset) {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(offset);
  const auto line = 1 + std::count(text.begin(), end, '\n');
  const std::size_t line_break = offset == 0 ? std::string::npos : text.rfind('\n', offset - 1);
  const std::size_t column = line_break == std::string::npos ? offset + 1 : offset - line_break;
  return std::to_string(line) + ":" + std::to_string(column);
}

/// What the library wanted instead, from the end of its message; "valid JSON" where it says none.
std::string wanted(const std::string& message) {
  constexpr std::string_view kMark = "; expected ";
  const auto mark = message.rfind(kMark);
  if (mark == std::string::npos) return "valid JSON";
  auto name = message.substr(mark + kMark.size());
  if (name == "'}'" || name == "']'") return "',' or " + name;
  if (name == "string literal") return "a key";
  if (name == "end of input") return "nothing after the JSON document";
  if (name.starts_with("'['")) return "a value";
  return name;
}

/// The text that the library stumbled over.
struct Token {
  std::size_t offset;
  std::string shown;
};

constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::string_view kEndsOfAWord = "{}[],:\" \t\r\n";

/// One past the token that begins at `first`, within the first `end` bytes.
std::size_t end_of_token(std::string_view text, std::size_t first, std::size_t end) {
  if (text[first] != '"')
    return std::min({std::max(text.find_first_of(kEndsOfAWord, first), first + 1), end});
  for (std::size_t at = first + 1; at < end; ++at) {
    if (text[at] == '"') return at + 1;
    if (text[at] == '\\') ++at;
  }
  return end;
}

/// The last token that begins in the first `end` bytes. The library's own account of it holds all
/// that was read since the last string or number, and spells control characters in its own way.
std::size_t last_token(std::string_view text, std::size_t end) {
  std::size_t found = 0;
  for (std::size_t at = 0; at < end;) {
    at = std::min(text.find_first_not_of(kBlanks, at), end);
    if (at == end) break;
    found = at;
    at = end_of_token(text, at, end);
  }
  return found;
}

Token token_at(const std::string& text, std::size_t position) {
  if (position == 0 || position > text.size()) return {text.size(), "the end of the file"};
  const std::size_t offset = last_token(text, position);
  const char first = text[offset];
  const bool is_text = first == '"';
  const std::size_t end = end_of_token(text, offset, is_text ? position : text.size());
  std::string shown = text.substr(offset, end - offset);
  const bool is_number = first == '-' || (first >= '0' && first <= '9');
  const bool is_value =
      is_text || is_number || shown == "true" || shown == "false" || shown == "null";
  constexpr std::size_t kLongest = 60;
  if (shown.size() > kLongest) shown = shown.substr(0, kLongest) + "...";
  const auto is_odd = [](char c) { return c < ' ' || c > '~'; };
  std::ranges::replace_if(shown, is_odd, '?');
  return {offset, is_value ? shown : "'" + shown + "'"};
}

class TreeBuilder : public Library::json_sax_t {
 public:
  TreeBuilder(const std::string& text, const std::string& file) : text_(text), file_(file) {}

  bool null() override { return add({}); }
  bool boolean(bool value) override {
    JsonValue node(JsonValue::Kind::boolean);
    node.boolean = value;
    return add(std::move(node));
  }
  bool number_integer(number_integer_t value) override {
    JsonValue node(JsonValue::Kind::integer);
    node.integer = value;
    return add(std::move(node));
  }
  bool number_unsigned(number_unsigned_t value) override {
    constexpr auto kLargest = std::numeric_limits<std::int64_t>::max();
    if (value <= static_cast<number_unsigned_t>(kLargest))
      return number_integer(static_cast<std::int64_t>(value));
    return number_float(static_cast<double>(value), std::to_string(value));
  }
  bool number_float(number_float_t value, const string_t& spelling) override {
    JsonValue node(JsonValue::Kind::real);
    node.real = value;
    node.text = spelling;
    return add(std::move(node));
  }
  bool string(string_t& value) override {
    JsonValue node(JsonValue::Kind::text);
    node.text = value;
    return add(std::move(node));
  }
  bool binary(binary_t& /*value*/) override { return false; }
  bool start_object(std::size_t /*count*/) override { return open(JsonValue::Kind::object); }
  bool start_array(std::size_t /*count*/) override { return open(JsonValue::Kind::array); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    open_.back().key = name;
    return true;
  }
  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const nlohmann::detail::exception& error) override {
    const Token found = token_at(text_, position);
    fatal_ = {.file = file_,
              .place = line_and_column(text_, found.offset),
              .expected = error.id == kNumberOverflow ? "a number that a double can hold"
                                                      : wanted(error.what()),
              .found = found.shown,
              .nearest = {}};
    return false;
  }

  Result<ParsedText> take() {
    if (fatal_) return *fatal_;
    return ParsedText{std::move(root_), std::move(duplicates_)};
  }

 private:
  static constexpr int kNumberOverflow = 406;  // of the library's out_of_range

  /// A container that is not closed yet, and what names it in the one around it.
  struct Open {
    JsonValue value;
    std::string pointer;
    std::string key;  ///< of the member that comes next, in an object
  };

  bool open(JsonValue::Kind kind) {
    const std::string pointer = open_.empty() ? std::string{} : next_pointer();
    if (static_cast<int>(open_.size()) == kDeepestNesting) {
      fatal_ = {.file = file_,
                .place = pointer,
                .expected = "at most " + std::to_string(kDeepestNesting) + " levels of nesting",
                .found = "a deeper one",
                .nearest = {}};
      return false;
    }
    open_.push_back({.value = JsonValue(kind), .pointer = pointer, .key = {}});
    return true;
  }

  bool close() {
    JsonValue done = std::move(open_.back().value);
    open_.pop_back();
    return add(std::move(done));
  }

  bool add(JsonValue value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return true;
    }
    JsonValue& parent = open_.back().value;
    if (parent.kind == JsonValue::Kind::array) {
      parent.items.push_back(std::move(value));
      return true;
    }
    const auto same = std::ranges::find(parent.members, open_.back().key, &JsonMember::key);
    if (same == parent.members.end()) {
      parent.members.push_back({open_.back().key, std::move(value)});
      return true;
    }
    duplicates_.push_back({.file = file_,
                           .place = next_pointer(),
                           .expected = "each key once",
                           .found = "the key again",
                           .nearest = {}});
    same->value = std::move(value);
    return true;
  }

  [[nodiscard]] std::string next_pointer() const {
    const Open& parent = open_.back();
    return parent.value.kind == JsonValue::Kind::array
               ? child_pointer(parent.pointer, parent.value.items.size())
               : child_pointer(parent.pointer, parent.key);
  }

  const std::string& text_;
  const std::string& file_;
  std::vector<Open> open_;
  JsonValue root_;
  Diagnostics duplicates_;
  std::optional<Diagnostic> fatal_;
};

/// A pointer cannot tell a key from the same one again: line and column do.
void place_repeats(Diagnostics& faults, const JsonPlaces& places) {
  const auto& repeats = places.repeats();
  check(repeats.size() == faults.size(), "each repeated key has its place in the text");
  for (std::size_t i = 0; i < faults.size(); ++i) {
    faults[i].place = marked_place(faults[i].place, places.line_column(repeats[i].again));
    faults[i].found += " (first at " + places.line_column(repeats[i].first) + ')';
  }
}

}  // namespace

Result<ParsedText> parse_json(const std::string& text, const std::string& file) {
  TreeBuilder builder(text, file);
  Library::sax_parse(text, &builder);
  auto parsed = builder.take();
  if (!parsed || parsed.value().duplicate_keys.empty()) return parsed;
  ParsedText document = std::move(parsed).value();
  place_repeats(document.duplicate_keys, JsonPlaces(text));
  return document;
}

}  // namespace specroute::sim
