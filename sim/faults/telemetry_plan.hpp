/// @file
/// Telemetry faults as data: what the router reads of a target's counters, at any date.
#pragma once

#include <optional>
#include <vector>

#include <specroute/vocab/id.hpp>
#include <specroute/vocab/units.hpp>

#include "sim/scenario/scenario.hpp"

namespace specroute::sim {

class TelemetryPlan {
 public:
  explicit TelemetryPlan(const std::vector<TelemetryFault>& faults) : faults_(faults) {}

  /// Added to the transport of a window cut at `now`; of several delays, their sum.
  [[nodiscard]] Seconds extra_delay(BackendId target, Seconds now) const;
  /// Chance that a scrape at `now` fails: 1 - product of (1 - share).
  [[nodiscard]] double loss(BackendId target, Seconds now) const;
  /// What the published ratio is over; nothing where it is over drafted tokens.
  [[nodiscard]] std::optional<TelemetryFault::Denominator> denominator(BackendId target,
                                                                       Seconds now) const;
  /// The one engine whose counters are read; nothing where all are.
  [[nodiscard]] std::optional<std::uint32_t> only_engine(BackendId target, Seconds now) const;

  /// Dates at which counters fall to 0, in the order of the file.
  struct Reset {
    Seconds date;
    BackendId backend;
  };
  [[nodiscard]] std::vector<Reset> resets() const;
  /// Whether one engine of this target is ever read alone.
  [[nodiscard]] std::optional<std::uint32_t> engine_ever_alone(BackendId target) const;

 private:
  [[nodiscard]] const TelemetryFault* last(TelemetryFault::Kind kind, BackendId target,
                                           Seconds now) const;
  std::vector<TelemetryFault> faults_;
};

}  // namespace specroute::sim
