/// @file
/// The only file that sees libcrypto.
#include "router/sha256.hpp"

#include <openssl/evp.h>

#include <memory>

namespace specroute::router {

std::optional<std::array<std::uint8_t, 32>> sha256(std::span<const std::string_view> parts) {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                        &EVP_MD_CTX_free);
  if (!context || EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) != 1) return std::nullopt;
  for (const auto part : parts)
    if (EVP_DigestUpdate(context.get(), part.data(), part.size()) != 1) return std::nullopt;
  std::array<std::uint8_t, 32> digest{};
  if (EVP_DigestFinal_ex(context.get(), digest.data(), nullptr) != 1) return std::nullopt;
  return digest;
}

}  // namespace specroute::router
