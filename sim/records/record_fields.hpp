/// @file
/// The records of the policy ABI as tables: what each member is called in JSON, and where it lies.
/// One reader and one writer walk these tables, so the two cannot disagree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <specroute/policy_abi.h>

namespace specroute::sim {

enum class FieldKind {
  date,           ///< srp_ns as decimal seconds under "NAME_s", or as nanoseconds under "NAME"
  optional_date,  ///< the same, where 0 means none (null)
  count,          ///< uint64_t
  number,         ///< uint32_t
  signed_number,  ///< int64_t
  hash,           ///< uint64_t as 16 hex digits
  name,           ///< uint32_t out of `names`
  names,          ///< uint32_t, bits out of `names`, as an array
  truth,          ///< uint32_t, 0 or 1
  counts,         ///< array of uint64_t, its length in the uint32_t at `length_at`
  arguments,      ///< int64_t[4]
  profile_id,     ///< uint64_t
  object          ///< nested struct, as `fields` say; a plain integer stands for its first field
};

struct NamedValue {
  std::string_view name;
  std::uint32_t value;
};

struct Field {
  std::string_view name;  ///< the member's
  FieldKind kind;
  std::size_t at;         ///< offset in the struct
  bool required = false;  ///< whether a record cannot be without it
  std::span<const NamedValue> names = {};
  std::span<const Field> fields = {};
  std::size_t length_at = 0;
  std::uint32_t most = 0;  ///< of the elements of `counts`
};

/// A record type: its name in JSON, its number and size, and its members behind "type".
struct RecordLayout {
  std::string_view name;
  std::uint16_t type;
  std::uint32_t size;
  std::span<const Field> fields;
};

/// The ten events, in the order of their numbers.
[[nodiscard]] std::span<const RecordLayout> event_layouts();
/// The five decisions, in the order of their numbers.
[[nodiscard]] std::span<const RecordLayout> decision_layouts();

}  // namespace specroute::sim
