/// @file
/// Runs a piece of a test in a process of its own, since a process has one engine.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "sim/engine/zygote.hpp"

namespace specroute::sim {

/// What `body` returns, or how its process ended with its last words.
inline std::string in_child(const std::function<std::string()>& body) {
  const auto results =
      run_forked([&] { return [&](std::uint64_t) { return body(); }; }, {.timeout = Seconds{60.0}});
  const auto& result = results.front();
  return result.end == JobEnd::finished ? result.output
                                        : describe(result) + ": " + result.last_words;
}

/// A date with all its bits, so that texts are equal exactly when dates are.
inline std::string exact(Seconds date) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", date.count());
  return text;
}

}  // namespace specroute::sim
