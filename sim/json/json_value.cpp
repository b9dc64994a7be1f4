#include "sim/json/json_value.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <specroute/vocab/check.hpp>

namespace specroute::sim {
namespace {

constexpr double kFixedFrom = 1e-6;
constexpr double kFixedTo = 1e15;

/// Fewest digits that read back as the same double; std::to_chars knows no locale.
std::string real_text(double real) {
  check(std::isfinite(real), "a JSON number is finite");
  const double size = std::fabs(real);
  const bool fixed = size == 0.0 || (size >= kFixedFrom && size < kFixedTo);
  std::array<char, 64> buffer{};
  const auto [end, error] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), real == 0.0 ? 0.0 : real,
                    fixed ? std::chars_format::fixed : std::chars_format::scientific);
  check(error == std::errc{}, "64 characters hold a double");
  return {buffer.data(), end};
}

class Writer {
 public:
  explicit Writer(const JsonLayout& layout) : layout_(layout) {}

  void value(const JsonValue& node) {
    switch (node.kind) {
      case JsonValue::Kind::null:
        out_ += "null";
        break;
      case JsonValue::Kind::boolean:
        out_ += node.boolean ? "true" : "false";
        break;
      case JsonValue::Kind::integer:
        out_ += std::to_string(node.integer);
        break;
      case JsonValue::Kind::real:
        out_ += node.text.empty() ? real_text(node.real) : node.text;
        break;
      case JsonValue::Kind::text:
        out_ += quoted(node.text);
        break;
      case JsonValue::Kind::array:
        array(node.items);
        break;
      case JsonValue::Kind::object:
        object(node.members);
        break;
    }
  }

  std::string take() { return std::move(out_); }

 private:
  void line_break() {
    if (layout_.indentation == 0) return;
    out_ += '\n';
    out_.append(static_cast<std::size_t>(depth_) * static_cast<std::size_t>(layout_.indentation),
                ' ');
  }

  void array(const std::vector<JsonValue>& items) {
    out_ += '[';
    ++depth_;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i > 0) out_ += ',';
      line_break();
      value(items[i]);
    }
    --depth_;
    if (!items.empty()) line_break();
    out_ += ']';
  }

  void object(const std::vector<JsonMember>& members) {
    std::vector<const JsonMember*> order;
    for (const auto& member : members) order.push_back(&member);
    if (layout_.sorted_keys) std::ranges::sort(order, {}, &JsonMember::key);
    out_ += '{';
    ++depth_;
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (i > 0) out_ += ',';
      line_break();
      out_ += quoted(order[i]->key) + (layout_.indentation == 0 ? ":" : ": ");
      value(order[i]->value);
    }
    --depth_;
    if (!members.empty()) line_break();
    out_ += '}';
  }

  JsonLayout layout_;
  int depth_ = 0;
  std::string out_;
};

/// Cuts after `limit` bytes, never inside a UTF-8 character.
std::string cut(std::string text, std::size_t limit) {
  if (text.size() <= limit) return text;
  while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xC0U) == 0x80U) --limit;
  return text.substr(0, limit) + "...";
}

}  // namespace

JsonValue::JsonValue() : JsonValue(Kind::null) {}
JsonValue::JsonValue(Kind its_kind) : kind(its_kind) {}

const JsonValue* JsonValue::find(std::string_view key) const {
  const auto member = std::ranges::find(members, key, &JsonMember::key);
  return member == members.end() ? nullptr : &member->value;
}

double JsonValue::number() const {
  if (kind == Kind::integer) return static_cast<double>(integer);
  return kind == Kind::real ? real : 0.0;
}

std::string write_json(const JsonValue& value, const JsonLayout& layout) {
  Writer writer(layout);
  writer.value(value);
  return writer.take();
}

std::string found_text(const JsonValue& value) {
  if (value.kind == JsonValue::Kind::array)
    return "an array of length " + std::to_string(value.items.size());
  if (value.kind == JsonValue::Kind::object)
    return value.members.empty() ? "an empty object" : "an object";
  return cut(write_json(value, {.sorted_keys = false, .indentation = 0}), 60);
}

std::string quoted(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (byte < 0x20 || byte == 0x7f) {
      out += "\\u00";
      out += kHex[byte >> 4U];
      out += kHex[byte & 15U];
    } else {
      out += c;
    }
  }
  return out + '"';
}

}  // namespace specroute::sim
