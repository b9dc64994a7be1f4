/// @file
/// The simulated cluster fabric, as SimGrid sees it: hosts on nodes with full-duplex NICs, around
/// one switch (a star) or in a fat tree of a leaf switch per rack and spine switches above.
///
/// Hosts of one node share its NIC. They should reach each other without the fabric: a flow between
/// them would cross the NIC both ways. In the tree a rack has one uplink, as wide as a NIC, to each
/// spine switch, and a flow takes the one that its receiver's place gives (SimGrid's D-mod-k).
///
/// SimGrid's defaults model TCP over the Internet. Here it runs as a fluid max-min model of a
/// cluster fabric instead (each effect was measured on SimGrid 3.32):
/// - network/model CM02: LV08 would multiply latency by 13.01 and bandwidth by 0.97.
/// - network/crosstraffic 0: opposite flows would take 5 % from each other.
/// - network/TCP-gamma 0: a rate would be capped by a TCP window over the path latency.
/// - surf/precision 1e-300: SimGrid ends an activity early when some other event falls within the
///   precision before it, so that traces would depend on where the engine happened to stop. The
///   default is 1e-9 s, and even 1e-12 s was seen to differ. The lane lets the clock arrive at
///   every date exactly (lane.hpp), so that no tolerance is needed.
/// - latency enters through a factor: CM02 shares a link in inverse proportion to path latency.
///   Every link gets the same tiny latency and a factor restores the true one, so that flows
///   through one bottleneck get equal rates.
///
/// One Platform per process, ever: SimGrid's clock survives the deletion of its engine. A second
/// one is a bug of the caller; replications fork (zygote.hpp).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <specroute/vocab/id.hpp>
#include <specroute/vocab/units.hpp>

namespace specroute::sim {

/// A host of the plan, dense from 0 in the plan's order.
using HostIndex = Id<struct HostEntity>;

/// One host. `nic` is the bandwidth in each direction (> 0), `latency` one traversal of the NIC
/// (>= 0): a path's latency is the sender's plus the backbone's plus the receiver's.
struct HostPlan {
  std::string name;    ///< unique and non-empty
  BytesPerSecond nic;  ///< of a shared node: of its first host
  Seconds latency;
  std::string node = {};  ///< empty: a node of its own
  std::string rack = {};  ///< of a tree; all of its hosts have one
};

/// The spine that every path crosses. `contended`: all flows share `bandwidth`; otherwise it only
/// caps each flow on its own (a non-blocking fabric).
struct BackbonePlan {
  BytesPerSecond bandwidth;
  Seconds latency;
  bool contended = true;
};

/// A leaf switch per rack, and `uplinks` spine switches. @source Zahavi, "D-Mod-K routing providing
/// non-blocking traffic for shift permutations on real life fat trees", 2010.
struct TreePlan {
  std::uint32_t uplinks = 1;  ///< of a rack, each of bandwidth `link`
  BytesPerSecond link;        ///< of every link of the tree
};

struct PlatformPlan {
  std::vector<HostPlan> hosts;
  std::optional<BackbonePlan> backbone;  ///< of a star
  std::optional<TreePlan> tree = {};     ///< none: a star
};

/// The built and sealed platform. Whatever changes it may be called before the run, from a
/// platform event, or from a flow's completion callback; never from a local event (checked).
class Platform {
 public:
  /// Builds the SimGrid engine and the star zone. The plan's ranges are the caller's duty
  /// (checked).
  explicit Platform(const PlatformPlan& plan);
  ~Platform();
  Platform(const Platform&) = delete;
  Platform& operator=(const Platform&) = delete;

  [[nodiscard]] std::size_t host_count() const;

  /// Latency of the route between two hosts; 0 from a host to itself.
  [[nodiscard]] Seconds route_latency(HostIndex from, HostIndex to) const;

  /// The narrowest link of the route between two different hosts.
  [[nodiscard]] BytesPerSecond route_bandwidth(HostIndex from, HostIndex to) const;

  /// Time of a message that does not contend: latency + size / bottleneck bandwidth, which is what
  /// a flow takes on an idle network. 0 from a host to itself. `size` >= 0.
  [[nodiscard]] Seconds message_time(HostIndex from, HostIndex to, Bytes size) const;

  /// Switches a host off: every flow that touches it fails at this date, and is reported after the
  /// events of this date. No effect on a host that is off.
  void turn_off(HostIndex host);
  void turn_on(HostIndex host);
  [[nodiscard]] bool is_on(HostIndex host) const;

  /// Partitions a host from the fabric, in both directions, while it stays on: as turn_off for the
  /// flows that cross its NIC. Hosts of one node share that fate.
  void cut_link(HostIndex host);
  void restore_link(HostIndex host);
  [[nodiscard]] bool is_linked(HostIndex host) const;

  /// Whether a connection could be made now: both hosts on and linked, and not the same.
  [[nodiscard]] bool can_reach(HostIndex from, HostIndex to) const;

  /// SimGrid's clock. It lags behind Lane::now() inside local events and equals it elsewhere.
  [[nodiscard]] Seconds engine_clock() const;

 private:
  friend struct EngineAccess;  // lane.cpp and flows.cpp
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace specroute::sim
