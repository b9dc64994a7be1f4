/// @file
/// Members of a struct as JSON.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "sim/json/json_value.hpp"
#include "sim/records/record_fields.hpp"

namespace specroute::sim {

/// Appends every field of the struct at `bytes` to `object`, in the order of the table. A value
/// that has no name is written as its number. A constraint without a side to replace is null.
void write_fields(std::span<const Field> fields, const std::byte* bytes, JsonValue& object);

/// Appends one member.
void add_member(JsonValue& object, std::string key, JsonValue value);

/// The layout with that number; null where there is none.
[[nodiscard]] const RecordLayout* layout_of(std::span<const RecordLayout> layouts,
                                            std::uint16_t type);

}  // namespace specroute::sim
