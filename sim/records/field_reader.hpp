/// @file
/// Members of a struct from JSON, with every fault at once.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include <specroute/vocab/result.hpp>

#include "sim/json/json_node.hpp"
#include "sim/records/record_fields.hpp"

namespace specroute::sim {

class FieldReader {
 public:
  /// Fills the struct at `bytes`, which holds zeros, from the object `node`. What is missing stays
  /// zero, unless the field is required. @param others keys of the object that are no fields
  void read(std::span<const Field> fields, const JsonNode& node,
            std::span<const std::string_view> others, std::byte* bytes);

  /// The layout that "type" of `node` names; null, and a fault, where it names none.
  const RecordLayout* layout(std::span<const RecordLayout> layouts, const JsonNode& node);

  void fault(const JsonNode& node, std::string expected, std::string nearest = {});
  [[nodiscard]] Diagnostics& faults() { return faults_; }

 private:
  void field(const Field& field, const JsonNode& node, std::byte* bytes);
  void date(const Field& field, const JsonNode& node, std::byte* at);
  bool in_nanoseconds(const Field& field, const JsonNode& node, std::byte* bytes);
  void nanoseconds(const JsonNode& node, std::byte* at);
  void count(const JsonNode& node, std::byte* at);
  void number(const JsonNode& node, std::byte* at);
  void signed_number(const JsonNode& node, std::byte* at);
  void hash(const JsonNode& node, std::byte* at);
  std::uint32_t named(const Field& field, const JsonNode& node);
  void names(const Field& field, const JsonNode& node, std::byte* at);
  void counts(const Field& field, const JsonNode& node, std::byte* bytes);
  void arguments(const JsonNode& node, std::byte* at);
  void object(const Field& field, const JsonNode& node, std::byte* at);
  void unknown_keys(std::span<const Field> fields, const JsonNode& node,
                    std::span<const std::string_view> others);

  Diagnostics faults_;
  std::vector<std::string> meant_;  ///< keys that misspelt ones of the latest object stand for
};

}  // namespace specroute::sim
