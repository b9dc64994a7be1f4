/// @file
/// What a reader must not conclude from this simulator, and why.
#pragma once

#include <span>

namespace specroute::sim::validation {

struct FidelityLimit {
  const char* claim;   ///< the conclusion that is not supported, as a sentence
  const char* reason;  ///< why, and what may be said instead
};

/// The most tempting first. The page docs/validation.md ends with them.
[[nodiscard]] std::span<const FidelityLimit> fidelity_limits();

}  // namespace specroute::sim::validation
