/// @file
/// Numbers in the diagnostics of the calibrations.
#pragma once

#include <cstdio>
#include <string>

namespace specroute::models {

/// Four significant digits: "0.5341", "12", "1e-05".
[[nodiscard]] inline std::string figure_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

}  // namespace specroute::models
