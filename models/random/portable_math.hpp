/// @file
/// Transcendental functions whose bits do not depend on the machine.
///
/// glibc picks an implementation of exp, log, pow and sin by CPU feature, and the picks differ in
/// the last bit. A run must be a pure function of its inputs, so models and simulation call these
/// wrappers over SLEEF's deterministic functions (the `cinz` family: no fused multiply-add, every
/// vector width gives the bits of the scalar) and never libm's. About 28 ns a call.
///
/// Error of each: at most 1.0 ULP over the whole domain. Domain and special values are those of C99
/// Annex F: exp(-inf) = 0, log(0) = -inf, log(x < 0) = NaN, NaN in gives NaN out. None sets errno.
///
/// @source Shibata and Petrogalli, "SLEEF: A Portable Vectorized Library of C Standard Mathematical
/// Functions", IEEE TPDS 31(6), 2020; library version 3.5.1.
#pragma once

#include <span>

namespace specroute::models::portable {

/// e^x. Overflows to +inf above about 709.78, underflows to 0 below about -745.13.
[[nodiscard]] double exp(double x);
/// e^x - 1 without cancellation near 0.
[[nodiscard]] double expm1(double x);
/// 2^x.
[[nodiscard]] double exp2(double x);
/// Natural logarithm, x >= 0.
[[nodiscard]] double log(double x);
/// log(1 + x) without cancellation near 0, x >= -1.
[[nodiscard]] double log1p(double x);
/// base^exponent.
[[nodiscard]] double pow(double base, double exponent);
/// Sine of an angle in radians.
[[nodiscard]] double sin(double radians);
/// Cosine of an angle in radians.
[[nodiscard]] double cos(double radians);

/// Replaces every x of `values` by e^x: the bits of `exp(x)`, several lanes at a time.
void exp_in_place(std::span<double> values);
/// Replaces every x >= 0 of `values` by its natural logarithm, likewise.
void log_in_place(std::span<double> values);

}  // namespace specroute::models::portable
