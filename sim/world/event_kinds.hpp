/// @file
/// The events of the world. Kinds with the platform bit touch SimGrid; `object` is said for each.
#pragma once

#include "sim/engine/event_heap.hpp"

namespace specroute::sim::event {

inline constexpr EventKind kArrival = 1;        ///< class id: its next request arrives
inline constexpr EventKind kSubmit = 2;         ///< slot: a request reaches its target
inline constexpr EventKind kDraftsArrive = 3;   ///< engine index x 2 + half
inline constexpr EventKind kPassEnds = 4;       ///< engine index x 2 + half
inline constexpr EventKind kProbe = 5;          ///< backend: the router sends a probe
inline constexpr EventKind kProbeAnswered = 6;  ///< backend
inline constexpr EventKind kProbeSilent = 7;    ///< backend: the probe's timeout
inline constexpr EventKind kTelemetryCut = 8;   ///< every backend closes its windows
inline constexpr EventKind kWindowsArrive = 9;  ///< index of a bundle of windows
inline constexpr EventKind kVerify = 10;        ///< bind operation
inline constexpr EventKind kRebuilt = 11;       ///< bind operation
inline constexpr EventKind kRetryBind = 12;     ///< bind operation
inline constexpr EventKind kReadmit = 13;       ///< pairing
inline constexpr EventKind kTick = 14;          ///< the policy asked for it
inline constexpr EventKind kReselect = 15;
inline constexpr EventKind kConditionChange = 16;  ///< backend: its overrides or its engine
inline constexpr EventKind kSecond = 17;           ///< the time series' beat
inline constexpr EventKind kMark = 18;             ///< which mark of the incident's story
inline constexpr EventKind kDrainEnds = 19;
inline constexpr EventKind kUserAsks = 20;      ///< index among the users of all closed loops
inline constexpr EventKind kHorizon = 21;       ///< nobody asks any more
inline constexpr EventKind kAnswer = 30;        ///< slot: an error reaches the router
inline constexpr EventKind kRetry = 31;         ///< slot: the wait before its next try is over
inline constexpr EventKind kTryTimeout = 32;    ///< slot: some layer's try has lasted too long
inline constexpr EventKind kBreakerWakes = 33;  ///< backend: its breaker's time open is over
inline constexpr EventKind kBreakerSweep = 34;
inline constexpr EventKind kHealthReport = 35;   ///< the policy is told how tries went
inline constexpr EventKind kQualityReport = 36;  ///< the policy is told of the detector's verdicts
inline constexpr EventKind kCounterReset = 40;   ///< target: its counters fall to 0
inline constexpr EventKind kWarm = 60;           ///< backend: its warm-up ends

inline constexpr EventKind kHostEvent = kPlatformBit | 1U;  ///< index in the fault plan
inline constexpr EventKind kTransfer = kPlatformBit | 2U;   ///< bind operation: contexts as a flow
inline constexpr EventKind kLoadWeights = kPlatformBit | 60U;  ///< backend: weights from storage
inline constexpr EventKind kDraftsLeave = kPlatformBit | 61U;  ///< engine index x 2 + half

}  // namespace specroute::sim::event
