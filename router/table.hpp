/// @file
/// A flat array of fixed capacity in memory that someone else owns. It never allocates.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

namespace specroute::router {

/// `Item` is plain bytes without padding, so that a snapshot of it is a copy.
template <class Item>
struct Table {
  static_assert(std::is_trivially_copyable_v<Item>);
  static_assert(std::has_unique_object_representations_v<Item>, "no padding");

  Item* items = nullptr;
  std::uint32_t size = 0;
  std::uint32_t capacity = 0;

  [[nodiscard]] std::span<Item> all() { return {items, size}; }
  [[nodiscard]] std::span<const Item> all() const { return {items, size}; }
  [[nodiscard]] bool full() const { return size == capacity; }

  /// Makes room at `at`; the table must not be full.
  Item& insert(std::uint32_t at, const Item& item) {
    std::memmove(static_cast<void*>(items + at + 1), items + at, (size - at) * sizeof(Item));
    ++size;
    items[at] = item;
    return items[at];
  }
  void erase(std::uint32_t at) {
    --size;
    std::memmove(static_cast<void*>(items + at), items + at + 1, (size - at) * sizeof(Item));
  }
  /// First position whose item is not `before` the wanted one; items are sorted by it.
  template <class Before>
  [[nodiscard]] std::uint32_t lower_bound(Before before) const {
    std::uint32_t low = 0;
    std::uint32_t high = size;
    while (low < high) {
      const std::uint32_t middle = low + (high - low) / 2;
      if (before(items[middle])) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
};

}  // namespace specroute::router
