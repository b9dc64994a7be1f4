#include "models/degradation/repetition.hpp"

#include <algorithm>
#include <vector>

#include <specroute/vocab/check.hpp>

namespace specroute::models {
namespace {

using Tokens = std::span<const std::uint32_t>;

void check_detector(const PatternDetector& detector) {
  check(1 <= detector.min_pattern && detector.min_pattern <= detector.max_pattern,
        "a detector has 1 <= min_pattern <= max_pattern");
  check(detector.min_count >= 2, "what stands there once is no repetition");
}

void check_detector(const GramDetector& detector) {
  check(1 <= detector.gram && detector.gram <= detector.window, "a window holds a gram");
  check(detector.min_count >= 2, "what stands there once is no repetition");
}

}  // namespace

std::optional<std::uint32_t> tokens_to_detection(const PatternDetector& detector,
                                                 std::uint32_t period) {
  check_detector(detector);
  check(period >= 1, "a loop has a period");
  const std::uint32_t pattern = (detector.min_pattern + period - 1) / period * period;
  if (pattern > detector.max_pattern) return std::nullopt;
  return pattern * detector.min_count;
}

std::optional<std::uint32_t> tokens_to_detection(const GramDetector& detector,
                                                 std::uint32_t period) {
  check_detector(detector);
  check(period >= 1, "a loop has a period");
  const std::uint64_t tokens =
      detector.gram + std::uint64_t{detector.min_count - 1} * std::uint64_t{period};
  if (tokens > detector.window) return std::nullopt;
  return static_cast<std::uint32_t>(tokens);
}

bool fires(const PatternDetector& detector, Tokens tokens) {
  check_detector(detector);
  for (std::uint64_t pattern = detector.min_pattern; pattern <= detector.max_pattern; ++pattern) {
    const std::uint64_t needed = pattern * detector.min_count;
    if (needed > tokens.size()) return false;
    const Tokens tail = tokens.last(needed);
    if (std::ranges::equal(tail.first(needed - pattern), tail.last(needed - pattern))) return true;
  }
  return false;
}

bool fires(const GramDetector& detector, Tokens tokens) {
  check_detector(detector);
  if (tokens.size() < detector.gram) return false;
  const Tokens window = tokens.last(std::min<std::size_t>(tokens.size(), detector.window));
  const Tokens gram = tokens.last(detector.gram);
  std::uint32_t count = 0;
  for (std::size_t at = 0; at + detector.gram <= window.size(); ++at)
    count += std::ranges::equal(window.subspan(at, detector.gram), gram);
  return count >= detector.min_count;
}

std::optional<std::size_t> first_detection(const PatternDetector& detector, Tokens tokens) {
  check_detector(detector);
  // run[m]: how many tokens up to this one equal the token m before them. The text ends in c copies
  // of a pattern of m tokens where the last (c - 1) m do.
  std::vector<std::uint64_t> run(detector.max_pattern + std::size_t{1}, 0);
  for (std::size_t i = 0; i < tokens.size(); ++i)
    for (std::size_t m = detector.min_pattern; m <= std::min<std::size_t>(detector.max_pattern, i);
         ++m) {
      run[m] = tokens[i] == tokens[i - m] ? run[m] + 1 : 0;
      if (run[m] >= (detector.min_count - std::uint64_t{1}) * m) return i + 1;
    }
  return std::nullopt;
}

std::optional<std::size_t> first_detection(const GramDetector& detector, Tokens tokens) {
  for (std::size_t size = 1; size <= tokens.size(); ++size)
    if (fires(detector, tokens.first(size))) return size;
  return std::nullopt;
}

}  // namespace specroute::models
