/// @file
/// What the requests of one class came to, and the sum over classes.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include <specroute/vocab/units.hpp>

#include "models/statistics/quantile.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/world/request_table.hpp"
#include "sim/world/run_result.hpp"

namespace specroute::sim {

/// One request's end as the client sees it.
struct Ending {
  const Sequence& sequence;
  ClassId request_class;
  EndState state;
  Seconds left;         ///< the system, where it ended
  Seconds at;           ///< at the client, network included
  Seconds first_token;  ///< at the client; NaN where none was emitted
  std::uint32_t retries;
};

/// Whether a request was completed within both objectives of its class.
[[nodiscard]] bool meets_objectives(const Ending& ending, const RequestClass& objectives);

/// Counts and latencies. Latencies are of completions; an SLO is met by completions only.
struct ClassRecord {
  std::array<std::uint64_t, kEndStates> ends{};
  std::uint64_t arrived = 0;
  std::uint64_t retries = 0;
  std::uint64_t tokens = 0;  ///< output tokens, of every end state
  std::uint64_t degraded = 0;
  std::uint64_t looping = 0;
  std::uint64_t schema = 0;
  std::uint64_t corrupted = 0;
  std::uint64_t ttft_met = 0;
  std::uint64_t tpot_met = 0;
  std::uint64_t good = 0;          ///< both objectives met
  std::uint64_t healthy_good = 0;  ///< and not degraded
  models::QuantileSketch ttft;
  models::QuantileSketch tpot;  ///< of completions of two tokens and more
  models::QuantileSketch end_to_end;
  models::QuantileSketch inter_token;

  [[nodiscard]] std::uint64_t count(EndState state) const {
    return ends[static_cast<std::size_t>(state)];
  }
  /// @param objectives of the class. A single token has a TPOT of 0 and meets that objective.
  void ended(const Ending& ending, const RequestClass& objectives);
  /// As if all that `other` counted had been counted here.
  void merge(const ClassRecord& other);

 private:
  void completed(const Ending& ending, const RequestClass& objectives);
};

/// Appends p50, p95 and p99 of a sketch of seconds, in milliseconds, under `path`.
void report_quantiles(Metrics& metrics, const std::string& path,
                      const models::QuantileSketch& sketch);

/// Attainment of each objective and of both (met / arrived, rejections included; null without
/// arrivals), goodput and healthy goodput, under `path`.
void report_objectives(Metrics& metrics, const std::string& path, const ClassRecord& record,
                       Seconds horizon);

/// All of one class, under "class.NAME.".
void report_class(Metrics& metrics, const std::string& name, const ClassRecord& record,
                  Seconds horizon);

}  // namespace specroute::sim
