/// @file
/// The nearest known spelling to one that is not known.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace specroute::sim {

/// Edit distance with insertion, deletion, substitution and the swap of two neighbours, each of
/// cost 1 (optimal string alignment). Bytes are compared; ASCII case is ignored.
/// @source Damerau, "A technique for computer detection and correction of spelling errors",
/// CACM 7(3), 1964.
std::size_t edit_distance(std::string_view left, std::string_view right);

/// The candidate with the least distance to `word`, the first of equals; empty where even that
/// one is further than a third of the longer of the two and neither begins with the other.
std::string nearest_of(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace specroute::sim
