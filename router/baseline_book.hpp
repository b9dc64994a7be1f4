/// @file
/// Paired baselines: the acceptance that a (target model, draft model, rule, draft tokens,
/// profile) had, and on which pair of backends. Never a global mean.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "router/bind_table.hpp"
#include "router/counts.hpp"
#include "router/table.hpp"

namespace specroute::router {

struct BaselineKey {
  std::uint64_t target_model = 0;
  std::uint64_t draft_model = 0;
  std::uint64_t profile = 0;
  std::uint32_t rule = 0;
  std::uint32_t draft_tokens = 0;
  bool operator==(const BaselineKey&) const = default;
};
BaselineKey baseline_key(const BindRow& row);

constexpr std::uint32_t kBaselineSlots = 30;

/// Counts of the windows that ended within one slot of time.
struct BaselineSlot {
  std::uint64_t index = 0;  ///< 1 + date / slot length; 0: unused
  Counts verified;
  Counts unattributed;
};

/// A ring of slots of one key on one pair of backends.
struct Baseline {
  BaselineKey key;
  std::uint64_t draft_backend = 0;
  std::uint64_t target_backend = 0;
  std::uint64_t last_heard = 0;
  std::array<BaselineSlot, kBaselineSlots> slots{};
};

/// One window's share of a baseline.
struct BaselineEntry {
  Grade grade = Grade::invalid;
  std::uint64_t to_ns = 0;  ///< end of the window
  std::uint64_t drafted = 0;
  std::uint64_t accepted = 0;
};

/// Baselines keep their position until they are evicted, so a bind row can hold it.
class BaselineBook {
 public:
  Table<Baseline> book;

  /// The position for the row's key and backends, made if needed.
  /// @return whether another baseline was evicted for it (heard of longest ago, ties by position)
  bool place(const BindRow& row, std::uint64_t now, std::uint32_t& at);
  /// Adds a window that is not invalid.
  void add(std::uint32_t at, const BaselineEntry& entry, std::uint64_t window_ns);
  /// The latest verified windows of the row's own pair of backends, up to the date `before`.
  [[nodiscard]] std::optional<Counts> of_pair(const BindRow& row, std::uint64_t before,
                                              std::uint64_t window_ns) const;
  /// The latest verified windows of the row's key on any backends, up to the date `before`.
  [[nodiscard]] std::optional<Counts> of_key(const BindRow& row, std::uint64_t before,
                                             std::uint64_t window_ns) const;
  /// What the pairing of `row` itself had in the window that ends at `before`, unattributed
  /// windows included.
  [[nodiscard]] std::optional<Counts> of_replaced(const BindRow& row, std::uint64_t before,
                                                  std::uint64_t window_ns) const;

 private:
  [[nodiscard]] const Baseline* find(const BindRow& row) const;
};

}  // namespace specroute::router
