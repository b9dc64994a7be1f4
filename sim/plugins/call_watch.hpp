/// @file
/// Watches over calls into foreign code in this process: a crash or a hang of it ends the process
/// with a sentence on stderr and kPolicyFaultExit.
///
/// It takes over SIGALRM and the signals of a crash, for the process as a whole, so it is for a
/// process that runs one replication. A crash outside a watched call takes its usual course.
#pragma once

#include <atomic>
#include <cstdint>

#include <specroute/policy_abi.h>
#include <specroute/vocab/units.hpp>

namespace specroute::sim {

/// Set once a policy has failed in any process; may be null.
using FaultFlag = std::atomic<std::uint32_t>;

/// Installs the handlers. @param timeout of one call, above 0
void watch_calls(Seconds timeout, FaultFlag* flag);

/// While it lives, this process is inside `function` of the policy. At most one at a time.
class WatchedCall {
 public:
  /// @param event what the call is about, or null
  explicit WatchedCall(const char* function, const srp_record* event = nullptr);
  ~WatchedCall();
  WatchedCall(const WatchedCall&) = delete;
  WatchedCall& operator=(const WatchedCall&) = delete;
};

}  // namespace specroute::sim
