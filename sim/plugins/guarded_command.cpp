#include "sim/plugins/guarded_command.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace specroute::sim {
namespace {

/// Where the guard has its descriptors; 0 to 2 are the program's.
constexpr int kLifeline = 3;
constexpr int kReport = 4;  ///< an errno where the program cannot be started
constexpr int kStatus = 5;
constexpr int kDescriptors = 6;

void default_signals() {
  for (int number = 1; number < NSIG; ++number) std::signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// Keeps these descriptors as 0, 1, ... and closes all others: the guard of a second command would
/// else hold the lifeline of the first.
void keep_only(std::array<int, kDescriptors> kept) {
  for (int& descriptor : kept) descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, kDescriptors);
  for (int i = 0; i < kDescriptors; ++i)
    dup3(kept[static_cast<std::size_t>(i)], i, i < kLifeline ? 0 : O_CLOEXEC);
  if (close_range(kDescriptors, ~0U, 0) == 0) return;
  const long most = sysconf(_SC_OPEN_MAX);  // a kernel before 5.9
  for (int i = kDescriptors; i < most; ++i) close(i);
}

/// Becomes the program, or reports why it cannot.
[[noreturn]] void become(char* const* arguments, pid_t guard) noexcept {
  default_signals();
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // should someone kill the guard
  if (getppid() != guard) _exit(1);
  execvp(*arguments, arguments);
  const int error = errno;
  if (write(kReport, &error, sizeof error) < 0) _exit(126);
  _exit(127);
}

/// @return how many of our children were sent SIGKILL; orphans that we adopted are among them
int kill_children() {
  std::ifstream list("/proc/self/task/" + std::to_string(getpid()) + "/children");
  int killed = 0;
  for (pid_t child = 0; list >> child;) killed += kill(child, SIGKILL) == 0;
  return killed;
}

/// Kills until no child is left: each that dies may leave us its own.
void kill_all(pid_t program) {
  bool is_there = true;  // while it is not reaped its number, and that of its group, is its own
  for (;;) {
    if (is_there) kill(-program, SIGKILL);
    const bool dies = (is_there && kill(program, SIGKILL) == 0) || kill_children() > 0;
    if (is_there) kill_children();
    const pid_t gone = waitpid(-1, nullptr, dies ? 0 : WNOHANG);
    if (gone == program) is_there = false;
    if (gone == 0 || (gone < 0 && errno != EINTR)) return;
  }
}

/// Reaps orphans that ended. The program is looked at and left as a zombie, see kill_all.
/// @return whether it has ended
bool look_for_ends(pid_t program) {
  for (;;) {
    siginfo_t ended{};
    if (waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_pid == 0)
      return false;
    if (ended.si_pid == program) {
      const int status =
          ended.si_code == CLD_EXITED ? W_EXITCODE(ended.si_status, 0) : ended.si_status;
      return write(kStatus, &status, sizeof status) >= 0 || errno != EINTR;
    }
    waitpid(ended.si_pid, nullptr, 0);
  }
}

/// Until the lifeline closes.
void keep_watch(pid_t program, const sigset_t& mask) {
  bool has_ended = false;
  for (;;) {
    if (!has_ended) has_ended = look_for_ends(program);
    pollfd lifeline{kLifeline, POLLIN, 0};
    if (ppoll(&lifeline, 1, nullptr, &mask) > 0) return;
  }
}

/// The guard's life. It is in a group of its own, for it must survive what is sent to ours.
[[noreturn]] void guard(char* const* arguments,
                        const std::array<int, kDescriptors>& kept) noexcept {
  default_signals();
  setpgid(0, 0);
  keep_only(kept);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGTTOU, SIGTTIN})
    std::signal(number, SIG_IGN);
  sigset_t none;
  sigset_t child;
  sigemptyset(&none);
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  sigprocmask(SIG_BLOCK, &child, nullptr);  // but while it waits
  std::signal(SIGCHLD, [](int) {});
  const pid_t self = getpid();
  const pid_t program = fork();
  if (program == 0) become(arguments, self);
  if (program < 0) {
    const int error = errno;
    _exit(write(kReport, &error, sizeof error) < 0 ? 1 : 0);
  }
  setpgid(program, program);  // whichever of the two comes first
  for (const int descriptor : {0, 1, 2, kReport}) close(descriptor);
  keep_watch(program, none);
  kill_all(program);
  _exit(0);
}

Diagnostic not_started(const std::string& program, int error) {
  return {.file = {},
          .place = program,
          .expected = "a program that can be started",
          .found = std::strerror(error),
          .nearest = {}};
}

}  // namespace

Result<GuardedCommand> GuardedCommand::start(const std::vector<std::string>& words) {
  auto input = make_pipe();
  auto output = make_pipe();
  auto errors = make_pipe();
  auto lifeline = make_pipe();
  auto report = make_pipe();
  auto status = make_pipe();
  if (!input || !output || !errors || !lifeline || !report || !status)
    return not_started(words.front(), errno);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t pid = fork();
  if (pid < 0) return not_started(words.front(), errno);
  if (pid == 0)
    guard(arguments.data(), {input->read.get(), output->write.get(), errors->write.get(),
                             lifeline->read.get(), report->write.get(), status->write.get()});
  GuardedCommand started;
  started.guard_ = pid;
  started.lifeline_ = std::move(lifeline->write);
  started.input = std::move(input->write);
  started.output = std::move(output->read);
  started.errors = std::move(errors->read);
  started.status = std::move(status->read);
  report->write.reset();
  int error = 0;
  ssize_t count = 0;
  do count = read(report->read.get(), &error, sizeof error);
  while (count < 0 && errno == EINTR);
  if (count == sizeof error) return not_started(words.front(), error);
  return started;
}

GuardedCommand::~GuardedCommand() {
  if (guard_ < 0) return;
  lifeline_.reset();
  while (waitpid(guard_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

GuardedCommand::GuardedCommand(GuardedCommand&& other) noexcept
    : input(std::move(other.input)),
      output(std::move(other.output)),
      errors(std::move(other.errors)),
      status(std::move(other.status)),
      guard_(std::exchange(other.guard_, -1)),
      lifeline_(std::move(other.lifeline_)) {}

}  // namespace specroute::sim
