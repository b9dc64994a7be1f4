/// @file
/// What the tests of acceptance sample with.
#pragma once

#include "models/speculation/sampling.hpp"

namespace specroute::models {

inline SamplingParameters at(double temperature) {
  return {.temperature = temperature};
}

}  // namespace specroute::models
