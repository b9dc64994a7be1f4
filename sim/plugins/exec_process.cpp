#include "sim/plugins/exec_process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/plugins/event_text.hpp"
#include "sim/plugins/policy_fault.hpp"

namespace specroute::sim {
namespace {

constexpr std::size_t kLastWords = 2048;

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
  auto command = GuardedCommand::start(words);
  if (!command) return command.diagnostics();
  std::unique_ptr<ExecProcess> started(new ExecProcess(std::move(command).value()));
  const GuardedCommand& made = started->command_;
  for (const Descriptor* end : {&made.input, &made.output, &made.errors, &made.status})
    keep_waiting(end->get());
  return started;
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
  if (!command_.output.is_open()) fail(about, end_text());
  if (Clock::now() < deadline) return;
  fail(about, "no answer within " + seconds_text(timeout) + " s" +
                  (said_.empty() ? "" : ", only the beginning of one: " + shown(said_)));
}

void ExecProcess::exchange(std::string_view& unsent, Clock::time_point deadline) {
  std::vector<pollfd> polled;
  if (command_.output.is_open()) polled.push_back({command_.output.get(), POLLIN, 0});
  if (command_.errors.is_open()) polled.push_back({command_.errors.get(), POLLIN, 0});
  if (!unsent.empty() && command_.input.is_open())
    polled.push_back({command_.input.get(), POLLOUT, 0});
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
  const auto wait = std::clamp(left, std::chrono::milliseconds{0}, std::chrono::milliseconds{1000});
  if (command_.status.is_open()) polled.push_back({command_.status.get(), POLLIN, 0});
  poll(polled.data(), polled.size(), static_cast<int>(wait.count()));
  if (!unsent.empty() && command_.input.is_open()) {
    const ssize_t written = write(command_.input.get(), unsent.data(), unsent.size());
    if (written > 0) unsent.remove_prefix(static_cast<std::size_t>(written));
    if (written < 0 && errno != EINTR && errno != EAGAIN) command_.input.reset();
  }
  take_output();
  take_errors();
  take_status();
}

void ExecProcess::take_output() {
  if (command_.output.is_open()) take(command_.output, said_);
}

void ExecProcess::take_errors() {
  if (command_.errors.is_open()) take(command_.errors, words_);
  if (words_.size() > kLongestLine) words_.erase(0, words_.size() - kLastWords);
}

void ExecProcess::take_status() {
  Descriptor& from = command_.status;
  int status = 0;
  if (!from.is_open()) return;
  const ssize_t count = read(from.get(), &status, sizeof status);
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (count == sizeof status) status_ = status;
  from.reset();
}

void ExecProcess::conclude() {
  constexpr const char* kWhen = "after its last answer";
  constexpr std::chrono::seconds kMoment{1};
  constexpr std::chrono::seconds kDying{5};  // a core to write, a machine that is busy
  command_.input.reset();
  std::string_view nothing;
  auto deadline = Clock::now() + kMoment;
  bool was_open = command_.output.is_open();
  while (!status_ && said_.empty() && Clock::now() < deadline) {
    exchange(nothing, deadline);
    if (was_open && !command_.output.is_open()) deadline += kDying;
    was_open = command_.output.is_open();
  }
  take_output();
  if (!said_.empty()) fail(kWhen, "it said more than it was asked: " + shown(said_));
  if (status_ && *status_ != 0) fail(kWhen, end_text());
}

std::string ExecProcess::end_text() {
  const auto deadline = Clock::now() + std::chrono::seconds{1};
  std::string_view nothing;
  while (!status_ && Clock::now() < deadline) exchange(nothing, deadline);
  const std::string rest = said_.empty() ? "" : " after " + shown(said_);
  if (!status_) return "it closed its standard output" + rest;
  if (WIFSIGNALED(*status_))
    return "it was killed by signal " + std::to_string(WTERMSIG(*status_)) + rest;
  return "it exited with code " + std::to_string(WEXITSTATUS(*status_)) + rest;
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
