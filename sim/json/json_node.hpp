/// @file
/// A value with its place, to read a document that may be malformed without tripping over it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/json/json_value.hpp"

namespace specroute::sim {

/// Points into a tree that outlives it. A node that does not exist has no value, and neither do
/// the nodes below it; each accessor then gives nothing.
struct JsonNode {
  const JsonValue* value = nullptr;
  std::string pointer;

  [[nodiscard]] bool exists() const { return value != nullptr; }
  [[nodiscard]] JsonNode at(std::string_view key) const;
  /// Elements of the array under `key`; none where it is no array.
  [[nodiscard]] std::vector<JsonNode> items(std::string_view key) const;
  /// The text, number, or truth value under `key`; none where it is missing or of another type.
  [[nodiscard]] std::optional<std::string> text(std::string_view key) const;
  [[nodiscard]] std::optional<double> number(std::string_view key) const;
  [[nodiscard]] std::optional<bool> truth(std::string_view key) const;
};

}  // namespace specroute::sim
