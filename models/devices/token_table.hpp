/// @file
/// A function of a token count, tabulated once and read in the hot loop.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace specroute::models {

/// 32 cells per octave of 1 + tokens, up to 2^18 tokens; linear within a cell and beyond the last.
/// A blend of two limits is off by less than 0.1 % between cell ends. Copies share the table.
class TokenTable {
 public:
  TokenTable() = default;  ///< zero everywhere
  explicit TokenTable(const std::function<double(double tokens)>& function) {
    auto values = std::make_shared<std::vector<double>>();
    values->reserve(kCells + 1);
    for (std::uint64_t cell = 0; cell <= kCells; ++cell)
      values->push_back(function(begin_of(cell) - 1.0));
    values_ = std::move(values);
  }

  /// @param tokens >= 0; fractions are allowed.
  [[nodiscard]] double at(double tokens) const {
    if (values_ == nullptr) return 0.0;
    const double shifted = 1.0 + tokens;
    const std::uint64_t cell =
        std::min((std::bit_cast<std::uint64_t>(shifted) >> kShift) - kFirst, kCells - 1);
    const double begin = begin_of(cell);
    const double share = (shifted - begin) / (begin_of(cell + 1) - begin);
    const double low = (*values_)[cell];
    return low + share * ((*values_)[cell + 1] - low);
  }

 private:
  static constexpr unsigned kCellBits = 5;
  static constexpr unsigned kShift = 52U - kCellBits;
  static constexpr std::uint64_t kFirst = std::uint64_t{1023} << kCellBits;
  static constexpr std::uint64_t kCells = std::uint64_t{18} << kCellBits;

  /// The double whose upper bits count to the cell: cells of an octave are equally wide.
  static double begin_of(std::uint64_t cell) {
    return std::bit_cast<double>((kFirst + cell) << kShift);
  }

  std::shared_ptr<const std::vector<double>> values_;
};

}  // namespace specroute::models
