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

struct Pipe {
  Descriptor read;
  Descriptor write;
};

std::optional<Pipe> make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return std::nullopt;
  Pipe made{Descriptor{ends[0]}, Descriptor{ends[1]}};
  fcntl(ends[0], F_SETFL, O_NONBLOCK);  // of the reading end only
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

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    reset();
    number_ = other.release();
  }
  return *this;
}

int Descriptor::release() {
  return std::exchange(number_, -1);
}

void Descriptor::reset() {
  const int number = release();
  if (number >= 0) close(number);
}

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(descriptor, bytes.data(), bytes.size());
    if (written >= 0)
      bytes.remove_prefix(static_cast<std::size_t>(written));
    else if (errno != EINTR)
      return false;
  }
  return true;
}

std::unique_ptr<ChildProcess> ChildProcess::spawn(const Body& body) {
  auto output = make_pipe();
  auto errors = make_pipe();
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
