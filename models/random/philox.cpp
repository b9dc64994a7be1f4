#include "models/random/philox.hpp"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define SPECROUTE_PHILOX_AVX2
#include <immintrin.h>
#endif

namespace specroute::models {
namespace {

void batch_from(std::size_t first, std::size_t count, StreamKey key, const PhiloxCounters& in,
                const PhiloxWords& out) {
  for (std::size_t i = first; i < count; ++i) {
    const PhiloxBlock block = philox_block(key, {in.word0[i], in.word1[i], in.word2[i], in.word3});
    out.word0[i] = block[0];
    out.word1[i] = block[1];
    out.word2[i] = block[2];
    out.word3[i] = block[3];
  }
}

#ifdef SPECROUTE_PHILOX_AVX2
#pragma GCC push_options
#pragma GCC target("avx2")

// GCC 12 does not vectorise the widening product, so it is spelled out. A counter's word sits in
// the low half of a 64-bit lane; the high half may hold anything, as the product reads only the
// low.
constexpr std::size_t kLanes = 4;

__m256i load_lanes(const std::uint32_t* from) {
  return _mm256_cvtepu32_epi64(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
}

void store_lanes(std::uint32_t* to, __m256i value) {
  const __m256i low_halves = _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to),
                   _mm256_castsi256_si128(_mm256_permutevar8x32_epi32(value, low_halves)));
}

// The left word of a round: high half of the product, xor the neighbour, xor the round key.
__m256i mix(__m256i product, __m256i neighbour, std::uint32_t round_key) {
  return _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(product, 32), neighbour),
                          _mm256_set1_epi64x(round_key));
}

// Counters [0, returned) of the batch are done; the rest is less than one vector.
std::size_t batch_avx2(StreamKey key, const PhiloxCounters& in, const PhiloxWords& out,
                       std::size_t count) {
  const __m256i multiplier0 = _mm256_set1_epi64x(kPhiloxMultiplier0);
  const __m256i multiplier1 = _mm256_set1_epi64x(kPhiloxMultiplier1);
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    __m256i c0 = load_lanes(in.word0 + i);
    __m256i c1 = load_lanes(in.word1 + i);
    __m256i c2 = load_lanes(in.word2 + i);
    __m256i c3 = _mm256_set1_epi64x(in.word3);
    StreamKey round_key = key;
#pragma GCC unroll 10
    for (int round = 0; round < kPhiloxRounds; ++round) {
      const __m256i product0 = _mm256_mul_epu32(c0, multiplier0);
      const __m256i product1 = _mm256_mul_epu32(c2, multiplier1);
      c0 = mix(product1, c1, round_key.word0);
      c2 = mix(product0, c3, round_key.word1);
      c1 = product1;
      c3 = product0;
      round_key.word0 += kPhiloxWeyl0;
      round_key.word1 += kPhiloxWeyl1;
    }
    store_lanes(out.word0 + i, c0);
    store_lanes(out.word1 + i, c1);
    store_lanes(out.word2 + i, c2);
    store_lanes(out.word3 + i, c3);
  }
  return i;
}

#pragma GCC pop_options
#endif

}  // namespace

void philox_batch(StreamKey key, const PhiloxCounters& counters, const PhiloxWords& words,
                  std::size_t count) {
  std::size_t done = 0;
#ifdef SPECROUTE_PHILOX_AVX2
  if (__builtin_cpu_supports("avx2") != 0) done = batch_avx2(key, counters, words, count);
#endif
  batch_from(done, count, key, counters, words);
}

}  // namespace specroute::models
