#include "sim/engine/child_process.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <optional>
#include <utility>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace specroute::sim {

namespace {

constexpr std::size_t kLastWords = 4096;

/// A pipe that a parent reads without waiting.
std::optional<Pipe> make_output_pipe() {
  auto made = make_pipe();
  if (made) fcntl(made->read.get(), F_SETFL, O_NONBLOCK);
  return made;
}

void default_signals() {
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGCHLD}) std::signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

// noexcept: the child lives inside the stack of its parent, and an exception must not reach the
// handlers of frames that belong to the parent.
[[noreturn]] void live(const ChildProcess::Body& body, int output, int errors,
                       pid_t parent) noexcept {
  default_signals();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);  // it died before we asked
  dup2(errors, STDERR_FILENO);
  const int code = body(output);
  std::fflush(stdout);
  _exit(code);
}

}  // namespace

std::unique_ptr<ChildProcess> ChildProcess::spawn(const Body& body) {
  auto output = make_output_pipe();
  auto errors = make_output_pipe();
  if (!output || !errors) return nullptr;
  std::fflush(nullptr);  // or the child would write our buffers a second time
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid < 0) return nullptr;
  if (pid == 0) live(body, output->write.get(), errors->write.get(), parent);
  return std::unique_ptr<ChildProcess>(
      new ChildProcess(pid, std::move(output->read), std::move(errors->read)));
}

ChildProcess::ChildProcess(pid_t pid, Descriptor output, Descriptor errors)
    : pid_(pid), output_(std::move(output)), errors_(std::move(errors)) {}

ChildProcess::~ChildProcess() {
  if (ended_) return;
  kill();
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void ChildProcess::add_to(std::vector<pollfd>& polled) const {
  for (const auto* pipe : {&output_, &errors_})
    if (pipe->is_open()) polled.push_back({pipe->get(), POLLIN, 0});
}

// Reads one chunk. Leaves the descriptor closed at the end of the stream.
void ChildProcess::read_once(Descriptor& from, std::string& into) const {
  std::array<char, 1 << 16> chunk;
  const ssize_t count = read(from.get(), chunk.data(), chunk.size());
  if (count > 0) into.append(chunk.data(), static_cast<std::size_t>(count));
  if (count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN)) from.reset();
}

void ChildProcess::take(bool everything) {
  std::size_t before = 0;
  do {
    before = bytes_.size();
    if (output_.is_open()) read_once(output_, bytes_);
  } while (everything && bytes_.size() > before);
  do {
    before = words_.size();
    if (errors_.is_open()) read_once(errors_, words_);
    if (words_.size() > 16 * kLastWords) words_.erase(0, words_.size() - kLastWords);
  } while (everything && words_.size() > before);
}

void ChildProcess::pump() {
  if (ended_) return;
  take(false);
  const pid_t reaped = waitpid(pid_, &status_, WNOHANG);
  if (reaped == 0 || (reaped < 0 && errno == EINTR)) return;
  // A pipe may still be held open by a descendant: take what the child wrote, not wait for its end.
  take(true);
  ended_ = true;
}

std::string ChildProcess::last_words() const {
  return words_.size() > kLastWords ? words_.substr(words_.size() - kLastWords) : words_;
}

void ChildProcess::kill() const {
  if (!ended_) ::kill(pid_, SIGKILL);
}

}  // namespace specroute::sim
