/// @file
/// Sums over the pairings of each profile, kept as they change, so that a gate that compares with
/// the fleet need not go through it at each window. They follow from the rows, and are no state.
#pragma once

#include <cstdint>
#include <span>

#include "router/bind_table.hpp"
#include "router/counts.hpp"
#include "router/table.hpp"

namespace specroute::router {

/// Over the rows of one profile. "Judged": what a row was judged on last, ended rows included.
struct FleetSums {
  std::uint64_t profile = 0;
  std::uint64_t rows = 0;
  std::uint64_t members = 0;  ///< live
  std::uint64_t held = 0;     ///< members whose quarantine was not said to be over
  std::uint64_t peers = 0;    ///< members that serve and were judged
  std::uint64_t sum_ppm = 0;  ///< of the peers' rates
  std::uint64_t plays = 0;    ///< of the members' arms, where the gate has arms
  std::uint64_t witness = 0;  ///< where a search for a better arm begins; no result depends on it
  Wide squares_ppm = 0;       ///< of the peers' rates
  Wide drafted = 0;           ///< judged
  Wide accepted = 0;          ///< judged
};

class FleetBook {
 public:
  Table<FleetSums> sums;  ///< by profile; of no capacity where the gate does not read the fleet

  [[nodiscard]] bool in_use() const { return sums.capacity != 0; }
  // What the gate reads: nothing else is summed.
  bool of_arms = false;    ///< plays: its tallies are those of arms
  bool of_peers = false;   ///< peers, and the sums of their rates
  bool of_counts = false;  ///< judged counts

  [[nodiscard]] FleetSums* find(std::uint64_t profile);
  /// A row enters or leaves the table. Its sums go with the last of its profile.
  void enter(const BindRow& row);
  void leave(const BindRow& row);
  /// Takes what the row contributes out of the sums, or puts it in.
  void take_out(const BindRow& row);
  void put_in(const BindRow& row);
  void make_anew(std::span<const BindRow> rows);
};

/// For the time in which a row changes: out of the sums before, in again after.
class FleetChange {
 public:
  FleetChange(FleetBook& book, const BindRow& row) : book_(book), row_(row) {
    if (book_.in_use()) book_.take_out(row_);
  }
  ~FleetChange() {
    if (book_.in_use()) book_.put_in(row_);
  }
  FleetChange(const FleetChange&) = delete;
  FleetChange& operator=(const FleetChange&) = delete;

 private:
  FleetBook& book_;
  const BindRow& row_;
};

}  // namespace specroute::router
