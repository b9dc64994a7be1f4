/// @file
/// The run second by second (a long one of many targets by several seconds): what each serving
/// pairing drafted, accepted, completed and degraded.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <specroute/vocab/id.hpp>
#include <specroute/vocab/units.hpp>

#include "sim/world/incident_record.hpp"

namespace specroute::sim {

/// Columns of a row, in order.
inline constexpr const char* kTimeSeriesHeader =
    "second,target,draft,drafted,accepted,acceptance_rate,mean_acceptance_length,completions,"
    "degraded,output_tokens,running,waiting,kv_occupancy\n";

/// Whole seconds between two rows of a pairing: 1, and more where `targets` would otherwise write
/// more than 100,000 rows up to `horizon`, so that memory does not grow with it.
[[nodiscard]] std::uint64_t series_period_s(Seconds horizon, std::size_t targets);

class TimeSeries {
 public:
  /// @param rows that will be written about; room is kept for them, so that they need not move
  explicit TimeSeries(std::size_t backends, std::size_t rows = 0);

  void completed(BackendId target, bool degraded) {
    ++completions_[target.index()];
    degraded_[target.index()] += degraded;
  }

  /// What the engines of a target hold at the end of a second, and what they emitted so far.
  struct TargetState {
    std::uint64_t tokens = 0;
    std::uint64_t running = 0;  ///< decoding or in prefill
    std::uint64_t waiting = 0;  ///< in the engines' lines
    double kv_occupancy = 0.0;  ///< allocated / all KV blocks
  };
  /// A pairing at the end of a second.
  struct Second {
    double second;
    PairingId pairing;
    BackendId target;
    const std::string& target_name;
    std::string draft_name;  ///< empty: the target serves alone
    TargetState state;
  };
  /// Closes a second for one serving pairing. @param total its counters since its bind
  void close(const Second& end, const DraftCounts& total);

  [[nodiscard]] const std::string& rows() const { return rows_; }
  [[nodiscard]] std::string take_rows() { return std::move(rows_); }

 private:
  std::vector<std::uint64_t> completions_;  ///< by target, since the last close
  std::vector<std::uint64_t> degraded_;
  std::vector<std::uint64_t> tokens_;  ///< by target, at the last close
  std::vector<DraftCounts> closed_;    ///< by pairing, at the last close
  std::string rows_;
};

/// The shortest text that reads back as the same double; independent of the locale.
[[nodiscard]] std::string number_text(double value);

}  // namespace specroute::sim
