/// @file
/// A function of a token count, tabulated once and read in the hot loop.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

namespace specroute::models {

/// 32 cells per octave of 1 + tokens, up to 2^18 tokens; linear within a cell and beyond the last.
/// A blend of two limits is off by less than 0.1 % between cell ends. Copies share the table.
class TokenTable {
 public:
  TokenTable() = default;  ///< zero everywhere
  explicit TokenTable(const std::function<double(double tokens)>& function) {
    const auto values = std::make_shared<double[]>(kCells + 1);
    for (std::uint64_t cell = 0; cell <= kCells; ++cell)
      values[static_cast<std::ptrdiff_t>(cell)] = function(begin_of(cell) - 1.0);
    values_ = values;
  }

  /// @param tokens >= 0; fractions are allowed.
  [[nodiscard]] double at(double tokens) const {
    if (values_ == nullptr) return 0.0;
    const double shifted = 1.0 + tokens;
    const std::uint64_t cell =
        std::min((std::bit_cast<std::uint64_t>(shifted) >> kShift) - kFirst, kCells - 1);
    const double share = (shifted - begin_of(cell)) * cells_per_unit(cell);
    const double* const ends = values_.get() + cell;
    return ends[0] + share * (ends[1] - ends[0]);
  }

 private:
  static constexpr unsigned kCellBits = 5;
  static constexpr unsigned kShift = 52U - kCellBits;
  static constexpr std::uint64_t kBias = 1023;  // of a double's exponent
  static constexpr std::uint64_t kFirst = kBias << kCellBits;
  static constexpr std::uint64_t kCells = std::uint64_t{18} << kCellBits;

  /// The double whose upper bits count to the cell: cells of an octave are equally wide.
  static double begin_of(std::uint64_t cell) {
    return std::bit_cast<double>((kFirst + cell) << kShift);
  }

  /// One over the width of a cell: a power of two, so that its product is as exact as a quotient.
  static double cells_per_unit(std::uint64_t cell) {
    const std::uint64_t exponent = (kFirst + cell) >> kCellBits;
    return std::bit_cast<double>((2 * kBias + kCellBits - exponent) << 52U);
  }

  std::shared_ptr<const double[]> values_;
};

}  // namespace specroute::models
