/// @file
/// A command that never outlives us, nor do its descendants: a guard between it and us ends them.
///
/// The guard is a process of its own. It adopts what the command leaves orphaned, and holds the
/// reading end of a pipe whose other end is ours alone: when that closes, by us or because we were
/// killed, the guard kills the command's group and every child and orphan that it has, and goes.
/// What runs under another user's rights cannot be killed and is left.
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

#include <specroute/vocab/result.hpp>

#include "sim/engine/descriptor.hpp"

namespace specroute::sim {

class GuardedCommand {
 public:
  /// Starts the program in the current directory, in a process group of its own. Says why it
  /// cannot be started.
  static Result<GuardedCommand> start(const std::vector<std::string>& words);

  /// Kills the program with all that it started, and waits until that is done.
  ~GuardedCommand();
  GuardedCommand(GuardedCommand&& other) noexcept;
  GuardedCommand& operator=(GuardedCommand&&) = delete;

  Descriptor input;   ///< to write what the program reads
  Descriptor output;  ///< to read what it writes
  Descriptor errors;  ///< and what it writes to standard error
  Descriptor status;  ///< readable once it has ended: an int, as waitpid gives it

 private:
  GuardedCommand() = default;

  pid_t guard_ = -1;
  Descriptor lifeline_;  ///< the guard sees it close
};

}  // namespace specroute::sim
