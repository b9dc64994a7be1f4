#include "sim/json/json_node.hpp"

#include "sim/json/json_pointer.hpp"

namespace specroute::sim {

JsonNode JsonNode::at(std::string_view key) const {
  return {.value = value == nullptr ? nullptr : value->find(key),
          .pointer = child_pointer(pointer, key)};
}

std::vector<JsonNode> JsonNode::items(std::string_view key) const {
  const JsonNode array = at(key);
  std::vector<JsonNode> nodes;
  if (!array.exists()) return nodes;
  for (std::size_t i = 0; i < array.value->items.size(); ++i)
    nodes.push_back({.value = &array.value->items[i], .pointer = child_pointer(array.pointer, i)});
  return nodes;
}

std::optional<std::string> JsonNode::text(std::string_view key) const {
  const JsonNode node = at(key);
  if (!node.exists() || node.value->kind != JsonValue::Kind::text) return std::nullopt;
  return node.value->text;
}

std::optional<double> JsonNode::number(std::string_view key) const {
  const JsonNode node = at(key);
  if (!node.exists() || !node.value->is_number()) return std::nullopt;
  return node.value->number();
}

std::optional<bool> JsonNode::truth(std::string_view key) const {
  const JsonNode node = at(key);
  if (!node.exists() || node.value->kind != JsonValue::Kind::boolean) return std::nullopt;
  return node.value->boolean;
}

}  // namespace specroute::sim
