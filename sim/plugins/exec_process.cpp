#include "sim/plugins/exec_process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>
#include <thread>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/plugins/event_text.hpp"
#include "sim/plugins/policy_fault.hpp"

namespace specroute::sim {
namespace {

constexpr std::size_t kLastWords = 2048;

struct Pipe {
  Descriptor read;
  Descriptor write;
};

std::optional<Pipe> make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return std::nullopt;
  return Pipe{Descriptor{ends[0]}, Descriptor{ends[1]}};
}

/// In the child: becomes the program, or writes to `report` why it cannot.
[[noreturn]] void become(const std::vector<std::string>& words, const std::array<int, 3>& streams,
                         int report, pid_t parent) noexcept {
  for (int number = 1; number < NSIG; ++number) std::signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);  // it died before we asked
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  for (int i = 0; i < 3; ++i) dup2(streams[static_cast<std::size_t>(i)], i);
  execvp(arguments.front(), arguments.data());
  const int error = errno;
  if (write(report, &error, sizeof error) < 0) _exit(126);
  _exit(127);
}

Diagnostic not_started(const std::string& program, int error) {
  return {.file = {},
          .place = program,
          .expected = "a program that can be started",
          .found = std::strerror(error),
          .nearest = {}};
}

void keep_waiting(int descriptor) {
  fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
}

/// Takes what is there; closes the descriptor at the end of the stream.
void take(Descriptor& from, std::string& into) {
  std::array<char, 1 << 16> chunk;
  const ssize_t count = read(from.get(), chunk.data(), chunk.size());
  if (count > 0) into.append(chunk.data(), static_cast<std::size_t>(count));
  if (count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN)) from.reset();
}

std::string shown(std::string line) {
  constexpr std::size_t kShown = 200;
  if (line.size() > kShown) line = line.substr(0, kShown) + "...";
  std::ranges::replace_if(line, [](char c) { return c < ' ' || c > '~'; }, '?');
  return line;
}

}  // namespace

Result<std::unique_ptr<ExecProcess>> ExecProcess::start(const std::vector<std::string>& words) {
  std::signal(SIGPIPE, SIG_IGN);  // a program that is gone is an error of write
  auto input = make_pipe();
  auto output = make_pipe();
  auto errors = make_pipe();
  auto report = make_pipe();
  if (!input || !output || !errors || !report) return not_started(words.front(), errno);
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid < 0) return not_started(words.front(), errno);
  if (pid == 0)
    become(words, {input->read.get(), output->write.get(), errors->write.get()},
           report->write.get(), parent);
  setpgid(pid, pid);  // whichever of the two comes first
  std::unique_ptr<ExecProcess> started(new ExecProcess(pid));
  report->write.reset();
  int error = 0;
  ssize_t count = 0;
  do count = read(report->read.get(), &error, sizeof error);
  while (count < 0 && errno == EINTR);
  if (count == sizeof error) return not_started(words.front(), error);
  started->input_ = std::move(input->write);
  started->output_ = std::move(output->read);
  started->errors_ = std::move(errors->read);
  for (const Descriptor* end : {&started->input_, &started->output_, &started->errors_})
    keep_waiting(end->get());
  return started;
}

ExecProcess::~ExecProcess() {
  ::kill(-pid_, SIGKILL);  // its own children too
  if (reaped_) return;
  ::kill(pid_, SIGKILL);
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

std::string ExecProcess::ask(const std::string& line, const std::string& about, Seconds timeout) {
  take_errors();
  take_output();
  if (!said_.empty()) fail(about, "it spoke out of turn: " + shown(said_));
  const std::string sent = line + '\n';
  std::string_view unsent = sent;
  const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(timeout);
  while (said_.find('\n') == std::string::npos) {
    exchange(unsent, deadline);
    if (said_.find('\n') == std::string::npos) expect_more(about, timeout, deadline);
  }
  const std::size_t end = said_.find('\n');
  if (end + 1 != said_.size())
    fail(about, "it answered with more than one line: " + shown(said_.substr(end + 1)));
  if (!unsent.empty()) fail(about, "it answered before it was asked: " + shown(said_));
  std::string answer = said_.substr(0, end);
  said_.clear();
  return answer;
}

/// The answer is not whole yet: fails where the rest cannot come, or comes too late.
void ExecProcess::expect_more(const std::string& about, Seconds timeout,
                              Clock::time_point deadline) {
  if (said_.size() > kLongestLine)
    fail(about,
         "its answer is longer than " + std::to_string(kLongestLine) + " bytes: " + shown(said_));
  if (!output_.is_open()) fail(about, end_text());
  if (Clock::now() < deadline) return;
  fail(about, "no answer within " + seconds_text(timeout) + " s" +
                  (said_.empty() ? "" : ", only the beginning of one: " + shown(said_)));
}

void ExecProcess::exchange(std::string_view& unsent, Clock::time_point deadline) {
  std::vector<pollfd> polled;
  if (output_.is_open()) polled.push_back({output_.get(), POLLIN, 0});
  if (errors_.is_open()) polled.push_back({errors_.get(), POLLIN, 0});
  if (!unsent.empty() && input_.is_open()) polled.push_back({input_.get(), POLLOUT, 0});
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
  const auto wait = std::clamp(left, std::chrono::milliseconds{0}, std::chrono::milliseconds{1000});
  poll(polled.data(), polled.size(), static_cast<int>(wait.count()));
  if (!unsent.empty() && input_.is_open()) {
    const ssize_t written = write(input_.get(), unsent.data(), unsent.size());
    if (written > 0) unsent.remove_prefix(static_cast<std::size_t>(written));
    if (written < 0 && errno != EINTR && errno != EAGAIN) input_.reset();
  }
  take_output();
  take_errors();
}

void ExecProcess::take_output() {
  if (output_.is_open()) take(output_, said_);
}

void ExecProcess::take_errors() {
  if (errors_.is_open()) take(errors_, words_);
  if (words_.size() > kLongestLine) words_.erase(0, words_.size() - kLastWords);
}

void ExecProcess::conclude() {
  input_.reset();
  constexpr std::chrono::seconds kMoment{1};
  const auto deadline = Clock::now() + kMoment;
  std::string_view nothing;
  while (output_.is_open() && said_.empty() && Clock::now() < deadline) exchange(nothing, deadline);
  if (!said_.empty())
    fail("after the last event", "it said more than it was asked: " + shown(said_));
}

std::string ExecProcess::end_text() {
  constexpr auto kStep = std::chrono::milliseconds{5};
  int status = 0;
  for (int i = 0; i < 40 && !reaped_; ++i) {
    const pid_t ended = waitpid(pid_, &status, WNOHANG);
    reaped_ = ended == pid_;
    if (!reaped_) std::this_thread::sleep_for(kStep);
  }
  const std::string rest = said_.empty() ? "" : " after " + shown(said_);
  if (!reaped_) return "it closed its standard output" + rest;
  if (WIFSIGNALED(status))
    return "it was killed by signal " + std::to_string(WTERMSIG(status)) + rest;
  return "it exited with code " + std::to_string(WEXITSTATUS(status)) + rest;
}

void ExecProcess::fail(const std::string& about, const std::string& what) {
  take_errors();
  throw PolicyFault(about + ": " + what + last_words());
}

std::string ExecProcess::last_words() const {
  constexpr int kLines = 8;
  std::string text = words_.substr(words_.size() - std::min(words_.size(), kLastWords));
  while (text.ends_with('\n')) text.pop_back();
  if (text.empty()) return {};
  std::size_t begin = text.size();
  for (int line = 0; line < kLines && begin != std::string::npos && begin > 0; ++line)
    begin = text.rfind('\n', begin - 1);
  if (begin != std::string::npos && begin > 0) text.erase(0, begin + 1);
  return "; its last lines on stderr:\n" + text;
}

}  // namespace specroute::sim
