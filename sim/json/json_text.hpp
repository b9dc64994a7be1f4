/// @file
/// JSON text into a tree, and the faults that only the text shows.
#pragma once

#include <string>

#include <specroute/vocab/result.hpp>

#include "sim/json/json_value.hpp"

namespace specroute::sim {

inline constexpr int kDeepestNesting = 64;

struct ParsedText {
  JsonValue root;
  /// One per repetition, which it places by pointer and "(line:column)"; the tree holds the last
  /// value of a key.
  Diagnostics duplicate_keys;
};

/// Parses `text`, which `file` names in diagnostics. A syntax error, a number beyond a double's
/// range or a nesting deeper than `kDeepestNesting` comes alone, since nothing after it can be
/// trusted: the first two with "line:column" of the token that is wrong (columns in bytes, from 1),
/// the last with a pointer.
Result<ParsedText> parse_json(const std::string& text, const std::string& file);

}  // namespace specroute::sim
