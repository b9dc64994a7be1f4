#include "sim/json/json_pointer.hpp"

#include <algorithm>

#include "sim/json/json_value.hpp"

namespace specroute::sim {
namespace {

bool is_index(std::string_view segment) {
  return !segment.empty() &&
         std::ranges::all_of(segment, [](char c) { return c >= '0' && c <= '9'; });
}

/// -1, 0 or 1.
int compare_segments(std::string_view left, std::string_view right) {
  const bool left_is_index = is_index(left);
  const bool right_is_index = is_index(right);
  if (left_is_index != right_is_index) return left_is_index ? -1 : 1;
  if (left_is_index && left.size() != right.size()) return left.size() < right.size() ? -1 : 1;
  const int order = left.compare(right);
  return order < 0 ? -1 : static_cast<int>(order > 0);
}

/// Takes the first segment, with its mark, off a pointer; of "line:column", off that.
std::string_view take_segment(std::string_view& pointer, char mark = '/') {
  if (pointer.starts_with(mark)) pointer.remove_prefix(1);
  const auto segment = pointer.substr(0, pointer.find(mark));
  pointer.remove_prefix(segment.size());
  return segment;
}

std::string unescaped(std::string_view segment) {
  std::string out;
  for (std::size_t i = 0; i < segment.size(); ++i) {
    const bool escape = segment[i] == '~' && i + 1 < segment.size();
    if (escape) ++i;
    out += escape ? (segment[i] == '1' ? '/' : '~') : segment[i];
  }
  return out;
}

}  // namespace

std::string child_pointer(const std::string& pointer, std::string_view key) {
  std::string out = pointer + '/';
  for (const char c : key) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += c;
    }
  }
  return out;
}

std::string child_pointer(const std::string& pointer, std::size_t index) {
  return pointer + '/' + std::to_string(index);
}

bool pointer_less(std::string_view left, std::string_view right) {
  const char mark = left.starts_with('/') || right.starts_with('/') ? '/' : ':';
  while (!left.empty() && !right.empty()) {
    const int order = compare_segments(take_segment(left, mark), take_segment(right, mark));
    if (order != 0) return order < 0;
  }
  return left.empty() && !right.empty();
}

const JsonValue* resolve_pointer(const JsonValue& root, std::string_view pointer) {
  const JsonValue* value = &root;
  while (!pointer.empty() && value != nullptr) {
    if (!pointer.starts_with('/')) return nullptr;
    const auto segment = take_segment(pointer);
    if (value->kind != JsonValue::Kind::array) {
      value = value->find(unescaped(segment));
      continue;
    }
    const bool in_reach = is_index(segment) && segment.size() < 10;
    const auto index = in_reach ? std::stoul(std::string(segment)) : value->items.size();
    value = index < value->items.size() ? &value->items[index] : nullptr;
  }
  return value;
}

}  // namespace specroute::sim
