/// @file
/// Replications as forked processes: a zygote prepares once, then forks one child per replication.
///
/// SimGrid allows one engine per process, ever; so each replication gets a process of its own, and
/// the costly preparation is shared by forking it instead of repeating it. The caller's process
/// never runs `prepare`, and may call run_forked any number of times.
///
/// A replication that crashes, exits by itself or outlives its time is a failed replication with
/// its signal or exit code and its last lines on stderr; the others go on. No process is left
/// behind: children and zygote die with their parent, whatever ends it.
///
/// Call it from a process with one thread: a forked child has no other thread, yet inherits every
/// lock that one held.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <specroute/vocab/units.hpp>

namespace specroute::sim {

/// Runs one replication in its child and returns its result as bytes. An exception that leaves it
/// is a crash of the child.
using Replication = std::function<std::string(std::uint64_t index)>;

/// Runs once, in the zygote. It must not start a simulation, nor a thread.
using Prepare = std::function<Replication()>;

enum class JobEnd {
  finished,   ///< `output` is what the replication returned
  crashed,    ///< ended by a signal: `code` is its number
  exited,     ///< called exit: `code` is the exit code (0 too: there is no result)
  timed_out,  ///< killed after ForkOptions::timeout
  lost,       ///< never ran, or its result was lost: the zygote died, or fork failed
};

struct JobResult {
  JobEnd end = JobEnd::lost;
  int code = 0;
  std::string output;
  std::string last_words;  ///< the last 4 KiB of stderr: the child's, or the zygote's if lost
};

struct ForkOptions {
  std::uint64_t count = 1;  ///< replications, with indices 0 to count - 1
  unsigned jobs = 1;        ///< children alive at a time, at least 1
  /// Longest wall time of one replication, and of the preparation.
  Seconds timeout{std::numeric_limits<double>::infinity()};
};

/// Takes the result of one replication, in the caller's process.
using Deliver = std::function<void(std::uint64_t index, JobResult result)>;

/// Runs the replications and hands over each result as it ends, once per index; those that were
/// lost come last. Memory holds what is on its way, whatever the number of replications. Results
/// may be many megabytes. A failure is a JobResult, never an exception.
void run_forked(const Prepare& prepare, const ForkOptions& options, const Deliver& deliver);

/// The same, with the results in the order of their indices when all have ended.
[[nodiscard]] std::vector<JobResult> run_forked(const Prepare& prepare, const ForkOptions& options);

/// One sentence for a log: "finished", "crashed by signal 6", "timed out" ...
[[nodiscard]] std::string describe(const JobResult& result);

}  // namespace specroute::sim
