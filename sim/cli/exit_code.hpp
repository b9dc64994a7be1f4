/// @file
/// What the process tells its caller.
#pragma once

namespace specroute::sim {

enum class ExitCode : int {
  ran = 0,
  expectation_failed = 1,
  bad_usage = 2,   ///< arguments, scenario, configuration, destination
  incomplete = 3,  ///< a replication got stuck, or took more time than it was given
  /// A replication crashed, or sent what is not a result; or a policy from outside did wrong, or is
  /// nondeterministic.
  misbehaving = 4,
};

}  // namespace specroute::sim
