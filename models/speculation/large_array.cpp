#include "models/speculation/large_array.hpp"

#include <specroute/vocab/check.hpp>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace specroute::models {
namespace {

constexpr std::size_t kLargePage = std::size_t{1} << 21U;

}  // namespace

LargeArray::LargeArray(std::size_t size) {
  const std::size_t bytes = size * sizeof(double);
  const std::size_t alignment = bytes < kLargePage ? 64 : kLargePage;
  const std::size_t whole = (bytes + alignment - 1) / alignment * alignment;
  void* const memory = std::aligned_alloc(alignment, whole);
  check(memory != nullptr, "there is memory for a table");
#ifdef __linux__
  if (alignment == kLargePage) madvise(memory, bytes / kLargePage * kLargePage, MADV_HUGEPAGE);
#endif
  values_.reset(static_cast<double*>(memory));
}

}  // namespace specroute::models
