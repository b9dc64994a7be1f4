/// @file
/// The document of the real pair.
#pragma once

#include <string>
#include <vector>

#include "tests/real_pair/study.hpp"

namespace specroute::real_pair {

/// docs/validation-real-pair.md. @param stride as measured with.
[[nodiscard]] std::string render(const Laboratory& laboratory, const std::vector<Study>& studies,
                                 std::size_t stride);

}  // namespace specroute::real_pair
