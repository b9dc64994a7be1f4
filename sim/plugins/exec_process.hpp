/// @file
/// A command that answers lines with lines. It and all that it starts is killed and reaped on every
/// way out, and dies with this process however that ends.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <specroute/vocab/result.hpp>
#include <specroute/vocab/units.hpp>

#include "sim/engine/descriptor.hpp"
#include "sim/plugins/guarded_command.hpp"

namespace specroute::sim {

class ExecProcess {
 public:
  /// The longest line that is taken, and as much that is kept of stderr at most.
  static constexpr std::size_t kLongestLine = 1 << 20;

  /// Starts the program in the current directory. Says why it cannot be started.
  static Result<std::unique_ptr<ExecProcess>> start(const std::vector<std::string>& words);
  ExecProcess(const ExecProcess&) = delete;
  ExecProcess& operator=(const ExecProcess&) = delete;

  /// Sends a line (without its break) and returns the one line of the answer. Throws a PolicyFault
  /// that begins with `about`: nothing within the timeout, the end of the program, more than one
  /// line, one that is too long, or words out of turn.
  std::string ask(const std::string& line, const std::string& about, Seconds timeout);

  /// Closes its input and gives it a second to end. Throws where it says anything more, or ends
  /// with a signal or a code other than 0.
  void conclude();

  /// "; its last lines on stderr:\n..." or nothing.
  [[nodiscard]] std::string last_words() const;

 private:
  using Clock = std::chrono::steady_clock;  // of the machine: it only bounds how long we wait

  explicit ExecProcess(GuardedCommand command) : command_(std::move(command)) {}
  /// Waits for news until the deadline. @param unsent what is still to be written
  void exchange(std::string_view& unsent, Clock::time_point deadline);
  void expect_more(const std::string& about, Seconds timeout, Clock::time_point deadline);
  void take_output();
  void take_errors();
  void take_status();
  [[noreturn]] void fail(const std::string& about, const std::string& what);
  /// How the program ended, if it does so within a moment.
  std::string end_text();

  GuardedCommand command_;
  std::string said_;           ///< not yet taken as an answer
  std::string words_;          ///< of stderr
  std::optional<int> status_;  ///< as of waitpid, once it has ended
};

}  // namespace specroute::sim
