/// @file
/// A forked child with a pipe for its output and one for its stderr. POSIX only; used by
/// zygote.cpp.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <poll.h>
#include <sys/types.h>

#include <specroute/vocab/units.hpp>

#include "sim/engine/descriptor.hpp"

namespace specroute::sim {

/// The parent's end of a child. Destroying it kills and reaps the child.
class ChildProcess {
 public:
  /// What the child runs: it may write to the descriptor; its return value is the exit code.
  using Body = std::function<int(int output)>;

  /// Forks. The child dies with this process. nullptr: no process or descriptor to be had.
  static std::unique_ptr<ChildProcess> spawn(const Body& body);

  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Appends what to wait for. Closed pipes add nothing.
  void add_to(std::vector<pollfd>& polled) const;

  /// Takes what is there to read, and looks whether the child has ended. Never blocks.
  void pump();

  /// Whether the child has ended and all it had written has been taken.
  [[nodiscard]] bool ended() const { return ended_; }
  /// The output pipe is closed: the end is near, and polling will not announce it.
  [[nodiscard]] bool is_ending() const { return !ended_ && !output_.is_open(); }
  /// waitpid's status, once ended.
  [[nodiscard]] int status() const { return status_; }
  /// Output so far; the caller may consume it.
  std::string& output() { return bytes_; }
  /// The last 4 KiB of stderr.
  [[nodiscard]] std::string last_words() const;

  void kill() const;

 private:
  ChildProcess(pid_t pid, Descriptor output, Descriptor errors);
  void read_once(Descriptor& from, std::string& into) const;
  void take(bool everything);

  pid_t pid_;
  Descriptor output_;
  Descriptor errors_;
  std::string bytes_;
  std::string words_;
  int status_ = 0;
  bool ended_ = false;
};

}  // namespace specroute::sim
