/// @file
/// An array of doubles that is written before it is read, once, and kept.
///
/// Zeroing it first would be in vain. And where an array is megabytes, a system that hands memory
/// out in pages of 4 KiB takes longer to do so than it takes to fill them: it is asked for large
/// pages, where it knows of any.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>

namespace specroute::models {

class LargeArray {
 public:
  LargeArray() = default;  ///< of no values
  /// Values are indeterminate. Out of memory is a bug.
  explicit LargeArray(std::size_t size);

  [[nodiscard]] double& operator[](std::size_t index) { return values_.get()[index]; }
  [[nodiscard]] const double& operator[](std::size_t index) const { return values_.get()[index]; }

 private:
  struct Free {
    void operator()(double* values) const { std::free(values); }
  };
  std::unique_ptr<double, Free> values_;
};

}  // namespace specroute::models
