#include "models/random/stream.hpp"

namespace specroute::models {
namespace {

constexpr std::uint64_t kGoldenGamma = 0x9E3779B97F4A7C15U;
constexpr std::uint64_t kSequential = 1;  // keeps a purpose's streams apart from its bare keys
constexpr std::uint64_t kBareKey = 2;

constexpr std::uint64_t splitmix_finaliser(std::uint64_t z) {
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31U);
}

constexpr std::uint64_t fnv1a(std::string_view bytes) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const char byte : bytes) {
    hash ^= static_cast<unsigned char>(byte);
    hash *= 0x100000001B3U;
  }
  return hash;
}

constexpr std::uint64_t chain(std::uint64_t state, std::uint64_t value) {
  return splitmix_finaliser((state ^ value) + kGoldenGamma);
}

StreamKey derive(std::uint64_t seed, std::string_view purpose, std::uint64_t entity,
                 std::uint64_t domain) {
  std::uint64_t state = chain(0, seed);
  state = chain(state, fnv1a(purpose));
  state = chain(state, entity);
  state = chain(state, domain);
  return {static_cast<std::uint32_t>(state), static_cast<std::uint32_t>(state >> 32U)};
}

}  // namespace

void Stream::refill() {
  const std::uint64_t block = position_ / 2;
  const PhiloxBlock out = philox_block(
      key_, {static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32U),
             static_cast<std::uint32_t>(entity_), static_cast<std::uint32_t>(entity_ >> 32U)});
  words_[0] = std::uint64_t{out[1]} << 32U | out[0];
  words_[1] = std::uint64_t{out[3]} << 32U | out[2];
}

Stream Seed::stream(std::string_view purpose, std::uint64_t entity) const {
  return {derive(value, purpose, 0, kSequential), entity};
}

StreamKey Seed::key(std::string_view purpose, std::uint64_t entity) const {
  return derive(value, purpose, entity, kBareKey);
}

}  // namespace specroute::models
