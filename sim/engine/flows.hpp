/// @file
/// Bulk transfers (1 MB and more: weights, KV migration) as flows that share links in SimGrid.
///
/// Smaller messages should be local events after Platform::message_time: a flow costs about 4 us
/// of CPU time and more with every flow that shares a link with it. Keep fewer than 1,000 in
/// flight: SimGrid 3.32 removes each from a list by linear search.
///
/// SimGrid's own answers to the hard cases would end the process or the simulation; here:
/// - an end off, or a link down, at the start: refused (SimGrid aborts, or never completes it);
/// - an end or a link that goes down in flight: failed, at once;
/// - less than one byte: one byte is sent (SimGrid never starts an empty transfer);
/// - cancel: no callback (SimGrid signals twice).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include <specroute/vocab/units.hpp>

#include "sim/engine/platform.hpp"

namespace specroute::sim {

/// The caller's name for a flow: unique among the flows in flight.
using FlowTag = std::uint64_t;

enum class FlowEnd { done, failed };

/// All flows of one Platform. Starting and cancelling is for platform events, callbacks, or before
/// the run (checked).
class Flows {
 public:
  /// Called once per flow that ends by itself, with SimGrid's clock at that date. It may start and
  /// cancel flows, change the platform and schedule lane events. A failure is reported after the
  /// event that causes it and the other events of that date, before the clock moves on. Flows that
  /// end at one date are reported in a fixed order, the failed ones first.
  using OnEnd = std::function<void(FlowTag, FlowEnd)>;

  Flows(Platform& platform, OnEnd on_end);
  ~Flows();
  Flows(const Flows&) = delete;
  Flows& operator=(const Flows&) = delete;

  /// Starts a transfer between two different hosts; `size` >= 0, rounded up to whole bytes.
  /// False: refused, since the route is down now; what that costs is the caller's decision.
  [[nodiscard]] bool start(HostIndex from, HostIndex to, Bytes size, FlowTag tag);

  /// Ends a flow without a callback. False: no such flow is in flight.
  bool cancel(FlowTag tag);

  [[nodiscard]] std::size_t in_flight() const;

 private:
  struct State;
  std::shared_ptr<State> state_;  ///< shared with SimGrid's signal, which cannot be disconnected
};

}  // namespace specroute::sim
