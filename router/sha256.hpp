/// @file
/// SHA-256 (FIPS 180-4) of a text.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace specroute::router {

/// Digest of the concatenation of `parts`; nothing where libcrypto cannot serve.
std::optional<std::array<std::uint8_t, 32>> sha256(std::span<const std::string_view> parts);

}  // namespace specroute::router
