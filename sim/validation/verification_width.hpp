/// @file
/// What the width of a verification costs while weights are read, off the tables of products.
#pragma once

#include "sim/validation/comparison.hpp"

namespace specroute::sim::validation {

/// Time of 256 rows over that of one row, mean over the products of each system that have both.
/// @param gemm the section on matrix products. @return a table without rows where no product has.
[[nodiscard]] Table verification_width(const Section& gemm);

}  // namespace specroute::sim::validation
