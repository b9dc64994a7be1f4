#include "models/random/portable_math.hpp"

#include <cstddef>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define SPECROUTE_LANES
#include <immintrin.h>
#endif
#include <sleef.h>

namespace specroute::models::portable {

double exp(double x) {
  return Sleef_cinz_expd1_u10purec(x);
}
double expm1(double x) {
  return Sleef_cinz_expm1d1_u10purec(x);
}
double exp2(double x) {
  return Sleef_cinz_exp2d1_u10purec(x);
}
double log(double x) {
  return Sleef_cinz_logd1_u10purec(x);
}
double log1p(double x) {
  return Sleef_cinz_log1pd1_u10purec(x);
}
double pow(double base, double exponent) {
  return Sleef_cinz_powd1_u10purec(base, exponent);
}
double sin(double radians) {
  return Sleef_cinz_sind1_u10purec(radians);
}
double cos(double radians) {
  return Sleef_cinz_cosd1_u10purec(radians);
}

namespace {

void exp_scalar(double* values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) values[i] = exp(values[i]);
}

void log_scalar(double* values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) values[i] = log(values[i]);
}

#ifdef SPECROUTE_LANES

// Each returns how many leading entries it has done.
std::size_t exp_sse2(double* values, std::size_t count) {
  std::size_t i = 0;
  for (; i + 2 <= count; i += 2)
    _mm_storeu_pd(values + i, Sleef_cinz_expd2_u10sse2(_mm_loadu_pd(values + i)));
  return i;
}

std::size_t log_sse2(double* values, std::size_t count) {
  std::size_t i = 0;
  for (; i + 2 <= count; i += 2)
    _mm_storeu_pd(values + i, Sleef_cinz_logd2_u10sse2(_mm_loadu_pd(values + i)));
  return i;
}

#pragma GCC push_options
#pragma GCC target("avx")
// SLEEF's header declares its four-lane functions only where the whole file has AVX on.
extern "C" __m256d Sleef_cinz_expd4_u10avx(__m256d);
extern "C" __m256d Sleef_cinz_logd4_u10avx(__m256d);

std::size_t exp_avx(double* values, std::size_t count) {
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4)
    _mm256_storeu_pd(values + i, Sleef_cinz_expd4_u10avx(_mm256_loadu_pd(values + i)));
  return i;
}

std::size_t log_avx(double* values, std::size_t count) {
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4)
    _mm256_storeu_pd(values + i, Sleef_cinz_logd4_u10avx(_mm256_loadu_pd(values + i)));
  return i;
}
#pragma GCC pop_options

#endif

}  // namespace

void exp_in_place(std::span<double> values) {
  std::size_t done = 0;
#ifdef SPECROUTE_LANES
  done = __builtin_cpu_supports("avx") != 0 ? exp_avx(values.data(), values.size())
                                            : exp_sse2(values.data(), values.size());
#endif
  exp_scalar(values.data() + done, values.size() - done);
}

void log_in_place(std::span<double> values) {
  std::size_t done = 0;
#ifdef SPECROUTE_LANES
  done = __builtin_cpu_supports("avx") != 0 ? log_avx(values.data(), values.size())
                                            : log_sse2(values.data(), values.size());
#endif
  log_scalar(values.data() + done, values.size() - done);
}

}  // namespace specroute::models::portable
