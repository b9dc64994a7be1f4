/// @file
/// Which points of the space of fields a sweep visits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/json/json_value.hpp"
#include "sim/sweep/field.hpp"

namespace specroute::sim {

/// One value per field, in the order of the fields.
using SweepPoint = std::vector<JsonValue>;

/// Every combination, the last field turning fastest.
[[nodiscard]] std::vector<SweepPoint> grid(const std::vector<SweepField>& fields);

/// A Latin hypercube: each field is cut into `points` equal parts, and each part is visited once,
/// at a random place in it. Fields are permuted independently, from `seed`.
/// @source McKay, Beckman and Conover, "A comparison of three methods for selecting values of input
/// variables in the analysis of output from a computer code", Technometrics 21(2), 1979.
[[nodiscard]] std::vector<SweepPoint> latin_hypercube(const std::vector<SweepField>& fields,
                                                      std::size_t points, std::uint64_t seed);

}  // namespace specroute::sim
