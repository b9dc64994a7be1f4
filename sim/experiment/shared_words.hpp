/// @file
/// Counters that forked processes share.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace specroute::sim {

/// Words of 0, in memory that stays one when this process forks.
class SharedWords {
 public:
  using Word = std::atomic<std::uint32_t>;
  static_assert(Word::is_always_lock_free, "processes share it");

  explicit SharedWords(std::size_t count);
  ~SharedWords();
  SharedWords(const SharedWords&) = delete;
  SharedWords& operator=(const SharedWords&) = delete;

  /// Null where there is no memory to share.
  [[nodiscard]] Word* at(std::size_t index) const;

 private:
  std::size_t bytes_;
  Word* words_ = nullptr;
};

}  // namespace specroute::sim
