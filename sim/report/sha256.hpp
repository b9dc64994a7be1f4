/// @file
/// SHA-256 of a text, for manifests.
#pragma once

#include <string>
#include <string_view>

namespace specroute::sim {

/// 64 lower-case hex digits. @source FIPS 180-4
[[nodiscard]] std::string sha256_hex(std::string_view text);

}  // namespace specroute::sim
