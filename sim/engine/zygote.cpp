#include "sim/engine/zygote.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <memory>
#include <utility>

#include <poll.h>
#include <sys/wait.h>

#include <specroute/vocab/check.hpp>

#include "sim/engine/child_process.hpp"

namespace specroute::sim {

namespace {

using Clock = std::chrono::steady_clock;  // of the machine: it only bounds how long we wait
using Child = std::unique_ptr<ChildProcess>;

constexpr std::uint64_t kMagic = 0x7a79676f74653031U;
constexpr std::uint64_t kReady = ~std::uint64_t{0};  // index of the frame "prepared"

// What the zygote sends to the caller before the bytes of output and last words.
struct FrameHeader {
  std::uint64_t magic = kMagic;
  std::uint64_t index = 0;
  std::uint64_t output_size = 0;
  std::uint64_t words_size = 0;
  std::int32_t code = 0;
  std::uint32_t end = 0;
};

template <class T>
std::string_view bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof(T)};
}

Clock::time_point deadline_after(Seconds timeout) {
  constexpr Seconds kForever{1e9};
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::min(timeout, kForever));
}

// Waits until a child has something to read, or may have ended, or a deadline may have passed.
void wait_for_news(const std::vector<const ChildProcess*>& children, Clock::time_point deadline) {
  std::vector<pollfd> polled;
  auto patience = std::chrono::milliseconds{100};
  for (const auto* child : children) {
    child->add_to(polled);
    if (child->is_ending()) patience = std::chrono::milliseconds{1};
  }
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
  const auto wait = std::clamp(left, std::chrono::milliseconds{0}, patience);
  poll(polled.data(), polled.size(), static_cast<int>(wait.count()));  // EINTR: the caller loops
}

JobResult result_of(ChildProcess& child, bool timed_out) {
  JobResult result;
  result.last_words = child.last_words();
  const int status = child.status();
  if (timed_out) {
    result.end = JobEnd::timed_out;
  } else if (WIFSIGNALED(status)) {
    result.end = JobEnd::crashed;
    result.code = WTERMSIG(status);
  } else {
    result.end = JobEnd::exited;
    result.code = WEXITSTATUS(status);
    std::uint64_t size = 0;
    auto& bytes = child.output();
    if (result.code != 0 || bytes.size() < sizeof size) return result;
    std::memcpy(&size, bytes.data(), sizeof size);
    if (bytes.size() - sizeof size != size) return result;
    result.end = JobEnd::finished;
    result.output = std::move(bytes.erase(0, sizeof size));
  }
  return result;
}

// The zygote: keeps up to `jobs` replications alive and reports each as it ends.
class Nursery {
 public:
  Nursery(Replication replication, const ForkOptions& options, int report)
      : replication_(std::move(replication)), options_(options), report_(report) {}

  // False: the caller is gone.
  bool run() {
    send(kReady, {});
    while (intact_ && (next_ < options_.count || !alive_.empty())) {
      fill();
      if (!alive_.empty()) tend();
    }
    return intact_;
  }

 private:
  struct Ward {
    std::uint64_t index;
    Child child;
    Clock::time_point deadline;
    bool timed_out = false;
  };

  void fill() {
    while (next_ < options_.count && alive_.size() < options_.jobs) {
      auto child = ChildProcess::spawn([this](int output) { return deliver(output); });
      if (child == nullptr && !alive_.empty()) return;  // room may come when another one ends
      if (child == nullptr)
        send(next_, {JobEnd::lost, errno, {}, "no process could be forked\n"});
      else
        alive_.push_back({next_, std::move(child), deadline_after(options_.timeout)});
      ++next_;
    }
  }

  // In the child.
  [[nodiscard]] int deliver(int output) const {
    const std::string result = replication_(next_);
    const std::uint64_t size = result.size();
    return write_all(output, bytes_of(size)) && write_all(output, result) ? 0 : 1;
  }

  void tend() {
    std::vector<const ChildProcess*> children;
    auto deadline = Clock::time_point::max();
    for (const auto& ward : alive_) {
      children.push_back(ward.child.get());
      if (!ward.timed_out) deadline = std::min(deadline, ward.deadline);
    }
    wait_for_news(children, deadline);
    for (auto& ward : alive_) {
      ward.child->pump();
      if (ward.child->ended()) {
        send(ward.index, result_of(*ward.child, ward.timed_out));
      } else if (!ward.timed_out && Clock::now() >= ward.deadline) {
        ward.timed_out = true;
        ward.child->kill();
      }
    }
    std::erase_if(alive_, [](const Ward& ward) { return ward.child->ended(); });
  }

  void send(std::uint64_t index, const JobResult& result) {
    FrameHeader header;
    header.index = index;
    header.output_size = result.output.size();
    header.words_size = result.last_words.size();
    header.code = result.code;
    header.end = static_cast<std::uint32_t>(result.end);
    intact_ = intact_ && write_all(report_, bytes_of(header)) &&
              write_all(report_, result.output) && write_all(report_, result.last_words);
  }

  Replication replication_;
  ForkOptions options_;
  int report_;
  std::uint64_t next_ = 0;
  std::vector<Ward> alive_;
  bool intact_ = true;
};

// The caller's side: takes frames until all are there or the zygote is no more.
class Collector {
 public:
  Collector(std::uint64_t count, const Deliver& deliver)
      : deliver_(deliver), seen_(count, 0), missing_(count) {}

  void collect(ChildProcess& zygote, Clock::time_point ready_by) {
    while (missing_ > 0 && !zygote.ended()) {
      wait_for_news({&zygote}, ready_ ? Clock::time_point::max() : ready_by);
      zygote.pump();
      if (!take_frames(zygote.output())) return give_up(zygote, "the zygote sent garbage\n");
      if (!ready_ && Clock::now() >= ready_by)
        return give_up(zygote, "the preparation timed out\n");
    }
    if (missing_ > 0) give_up(zygote, "the zygote died: " + describe(result_of(zygote, false)));
  }

 private:
  // Consumes the complete frames. False: these are not frames.
  bool take_frames(std::string& bytes) {
    std::size_t taken = 0;
    FrameHeader header;
    while (bytes.size() - taken >= sizeof header) {
      std::memcpy(&header, bytes.data() + taken, sizeof header);
      if (!is_expected(header)) return false;
      const std::size_t available = bytes.size() - taken - sizeof header;
      if (header.output_size > available || header.words_size > available - header.output_size)
        break;
      const char* output = bytes.data() + taken + sizeof header;
      accept(header, {output, header.output_size},
             {output + header.output_size, header.words_size});
      taken += sizeof header + header.output_size + header.words_size;
    }
    bytes.erase(0, taken);
    return true;
  }

  [[nodiscard]] bool is_expected(const FrameHeader& header) const {
    if (header.magic != kMagic || header.end > static_cast<std::uint32_t>(JobEnd::lost))
      return false;
    if (header.index == kReady) return !ready_;
    return ready_ && header.index < seen_.size() && seen_[header.index] == 0;
  }

  void accept(const FrameHeader& header, std::string_view output, std::string_view words) {
    if (header.index == kReady) {
      ready_ = true;
      return;
    }
    seen_[header.index] = 1;
    --missing_;
    deliver_(header.index, {static_cast<JobEnd>(header.end), header.code, std::string(output),
                            std::string(words)});
  }

  // Whatever has not been reported is lost; the replications alive die with the zygote.
  void give_up(ChildProcess& zygote, const std::string& reason) {
    zygote.kill();
    for (std::size_t i = 0; i < seen_.size(); ++i)
      if (seen_[i] == 0) deliver_(i, {JobEnd::lost, 0, {}, zygote.last_words() + reason});
  }

  const Deliver& deliver_;
  std::vector<char> seen_;
  std::uint64_t missing_;
  bool ready_ = false;
};

}  // namespace

void run_forked(const Prepare& prepare, const ForkOptions& options, const Deliver& deliver) {
  check(options.jobs >= 1, "at least one replication runs at a time");
  check(options.timeout.count() > 0.0, "a timeout is positive");
  if (options.count == 0) return;
  Collector collector(options.count, deliver);
  const auto zygote = ChildProcess::spawn(
      [&](int report) { return Nursery(prepare(), options, report).run() ? 0 : 1; });
  if (zygote == nullptr) {
    const int reason = errno;
    for (std::uint64_t i = 0; i < options.count; ++i)
      deliver(i, {JobEnd::lost, reason, {}, "the zygote could not be forked\n"});
    return;
  }
  collector.collect(*zygote, deadline_after(options.timeout));
}

std::vector<JobResult> run_forked(const Prepare& prepare, const ForkOptions& options) {
  std::vector<JobResult> results(options.count);
  run_forked(prepare, options,
             [&](std::uint64_t index, JobResult result) { results[index] = std::move(result); });
  return results;
}

std::string describe(const JobResult& result) {
  switch (result.end) {
    case JobEnd::finished:
      return "finished";
    case JobEnd::crashed:
      return "crashed by signal " + std::to_string(result.code);
    case JobEnd::exited:
      return "exited with code " + std::to_string(result.code) + " before its result";
    case JobEnd::timed_out:
      return "timed out";
    case JobEnd::lost:
      return "lost";
  }
  return {};
}

}  // namespace specroute::sim
