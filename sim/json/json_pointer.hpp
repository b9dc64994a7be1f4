/// @file
/// JSON pointers (RFC 6901) as text: where a fault stands in a file.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace specroute::sim {

/// `pointer` + "/" + `key`, with "~" and "/" of the key escaped as "~0" and "~1".
std::string child_pointer(const std::string& pointer, std::string_view key);
std::string child_pointer(const std::string& pointer, std::size_t index);

/// Order of pointers as people count: segment by segment, index 2 before index 10, a parent
/// before its children.
bool pointer_less(std::string_view left, std::string_view right);

struct JsonValue;

/// The value that `pointer` leads to; null where it leads nowhere.
const JsonValue* resolve_pointer(const JsonValue& root, std::string_view pointer);

}  // namespace specroute::sim
