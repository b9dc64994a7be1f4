/// @file
/// Unsigned 64-bit numbers and hashes in JSON, whose integers are signed here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/json/json_value.hpp"

namespace specroute::sim {

[[nodiscard]] JsonValue unsigned_json(std::uint64_t number);
[[nodiscard]] JsonValue integer_json(std::int64_t number);
[[nodiscard]] JsonValue text_json(std::string text);
[[nodiscard]] JsonValue truth_json(bool truth);
/// 16 lower-case hex digits as a text: JSON readers round integers beyond 2^53.
[[nodiscard]] JsonValue hash_json(std::uint64_t hash);

/// The integer of 0 to 2^64 - 1 that `value` is; none for anything else.
[[nodiscard]] std::optional<std::uint64_t> unsigned_of(const JsonValue& value);
/// The same for a text of 1 to 16 hex digits, or an integer.
[[nodiscard]] std::optional<std::uint64_t> hash_of(const JsonValue& value);

}  // namespace specroute::sim
