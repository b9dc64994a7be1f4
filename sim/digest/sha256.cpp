#include "sim/digest/sha256.hpp"

#include <array>

#include <openssl/evp.h>

#include <specroute/vocab/check.hpp>

namespace specroute::sim {

struct Sha256::State {
  EVP_MD_CTX* digest = EVP_MD_CTX_new();
  State() = default;
  ~State() { EVP_MD_CTX_free(digest); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  check(state_->digest != nullptr && EVP_DigestInit_ex(state_->digest, EVP_sha256(), nullptr) == 1,
        "libcrypto has SHA-256");
}

Sha256::~Sha256() = default;

void Sha256::update(std::string_view bytes) {
  check(EVP_DigestUpdate(state_->digest, bytes.data(), bytes.size()) == 1, "libcrypto digests");
}

std::string Sha256::hex() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  check(EVP_DigestFinal_ex(state_->digest, digest.data(), &size) == 1 && size == 32,
        "libcrypto has SHA-256");
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (std::size_t i = 0; i < size; ++i) {
    hex += kDigits[digest[i] >> 4U];
    hex += kDigits[digest[i] & 15U];
  }
  return hex;
}

std::string sha256_hex(std::string_view text) {
  Sha256 digest;
  digest.update(text);
  return digest.hex();
}

}  // namespace specroute::sim
