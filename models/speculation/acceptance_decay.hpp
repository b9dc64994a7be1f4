/// @file
/// Acceptance that falls as a context grows: an input curve, not a model.
///
/// The curve is linear between its points, and constant before the first and after the last; only
/// its ratio to the first point counts, f(c) = value(c) / value(first). So a table of measured
/// lengths can be given as it is published, and the first point is where the pair's own figures
/// hold.
/// @source what such a curve looks like: speculators pull request 684, EAGLE-3 at 2k to 20k tokens,
/// mean acceptance length 2.295 to 1.084 where the draft's window is ignored, flat where it is not.
#pragma once

#include <span>
#include <vector>

namespace specroute::models {

struct ContextDecay {
  /// What f multiplies.
  enum class Of {
    /// Every conditional: a_k(c) = min(1, f a_k).
    alpha,
    /// The length: m(c) = f m within [1, gamma + 1], every conditional raised to the one power that
    /// gives it (see `shape_with_rate`). Meant for a gamma and a length near those measured:
    /// a factor that would bring the length below 1 accepts nothing.
    mean_acceptance_length,
  };
  struct Point {
    double context_tokens;  ///< >= 0, above the point before it
    double value;           ///< > 0
  };
  Of of;
  std::vector<Point> points;  ///< at least two
};

/// f(c). @param context_tokens prompt and output so far, >= 0.
[[nodiscard]] double decay_factor(const ContextDecay& decay, double context_tokens);

/// The shape at a context, from the shape where f is 1.
[[nodiscard]] std::vector<double> decayed_shape(const ContextDecay& decay,
                                                std::span<const double> conditional,
                                                double context_tokens);

}  // namespace specroute::models
