#include "sim/engine/zygote.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace specroute::sim {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

Prepare always(const Replication& replication) {
  return [replication] { return replication; };
}

[[noreturn]] void hang() {
  while (true) pause();
}

// Whether a process is gone, or is a zombie that only waits for its parent.
bool is_gone(pid_t pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  if (!std::getline(stat, line)) return true;
  return line.at(line.rfind(')') + 2) == 'Z';
}

bool is_gone_soon(pid_t pid) {
  for (int i = 0; i < 200 && !is_gone(pid); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds{10});
  return is_gone(pid);
}

// The first replication ends only when the second one's result has been handed over.
TEST(Zygote, HandsOverEachResultAsItEnds) {
  std::array<int, 2> gate{};
  ASSERT_EQ(pipe(gate.data()), 0);
  std::vector<std::uint64_t> order;
  run_forked(always([&](std::uint64_t index) {
               char byte = 0;
               if (index == 0 && read(gate[0], &byte, 1) != 1) return std::string("no byte");
               return std::to_string(index);
             }),
             {.count = 2, .jobs = 2}, [&](std::uint64_t index, const JobResult& result) {
               EXPECT_EQ(result.output, std::to_string(index));
               order.push_back(index);
               const ssize_t opened = index == 1 ? write(gate[1], "x", 1) : 1;
               EXPECT_EQ(opened, 1);
             });
  EXPECT_EQ(order, (std::vector<std::uint64_t>{1, 0}));
  close(gate[0]);
  close(gate[1]);
}

TEST(Zygote, DeliversResultsInTheOrderOfReplications) {
  // The first ones take longest, so that they end in the opposite order.
  const auto results = run_forked(always([](std::uint64_t index) {
                                    usleep(static_cast<useconds_t>((8 - index) * 5000));
                                    return "result " + std::to_string(index);
                                  }),
                                  {.count = 8, .jobs = 8});
  ASSERT_EQ(results.size(), 8U);
  for (std::size_t i = 0; i < results.size(); ++i) {
    EXPECT_EQ(results[i].end, JobEnd::finished);
    EXPECT_EQ(results[i].output, "result " + std::to_string(i));
  }
}

TEST(Zygote, PreparesOnceAndNeverInTheCaller) {
  int prepared = 0;
  const pid_t caller = getpid();
  const Prepare prepare = [&prepared, caller] {
    ++prepared;
    const pid_t zygote = getpid();
    return [&prepared, zygote, caller](std::uint64_t) {
      const bool apart = getpid() != zygote && zygote != caller && getppid() == zygote;
      return std::to_string(prepared) + (apart ? " apart" : " together");
    };
  };
  for (const auto& result : run_forked(prepare, {.count = 5, .jobs = 2}))
    EXPECT_EQ(result.output, "1 apart");
  EXPECT_EQ(prepared, 0);
}

TEST(Zygote, RunsTwiceInOneProcess) {
  for (const std::string word : {"first", "second"}) {
    const auto results = run_forked(always([&word](std::uint64_t) { return std::string(word); }),
                                    {.count = 2, .jobs = 1});
    EXPECT_EQ(results[1].output, word);
  }
}

TEST(Zygote, DoesNothingForNoReplication) {
  const Prepare never = []() -> Replication { std::abort(); };
  EXPECT_TRUE(run_forked(never, {.count = 0}).empty());
}

TEST(Zygote, CarriesBytesUnchanged) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes.push_back(static_cast<char>(i));
  const auto results =
      run_forked(always([&](std::uint64_t index) { return index == 0 ? bytes : std::string{}; }),
                 {.count = 2});
  EXPECT_EQ(results[0].output, bytes);
  EXPECT_EQ(results[1].end, JobEnd::finished);
  EXPECT_EQ(results[1].output, "");
}

TEST(Zygote, CarriesManyMegabytesFromSeveralChildrenAtOnce) {
  constexpr std::size_t kSize = 24U << 20;
  const auto results = run_forked(always([](std::uint64_t index) {
                                    return std::string(kSize, static_cast<char>('a' + index));
                                  }),
                                  {.count = 4, .jobs = 3});
  for (std::size_t i = 0; i < results.size(); ++i)
    EXPECT_EQ(results[i].output, std::string(kSize, static_cast<char>('a' + i))) << i;
}

TEST(Zygote, KeepsNoMoreChildrenAliveThanJobs) {
  // Each child holds a lock of its slot of time: with one job, never two at once.
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  const auto results = run_forked(always([&](std::uint64_t) {
                                    EXPECT_EQ(write(ends[1], "(", 1), 1);
                                    usleep(3000);
                                    EXPECT_EQ(write(ends[1], ")", 1), 1);
                                    return std::string{};
                                  }),
                                  {.count = 6, .jobs = 1});
  std::array<char, 12> trace{};
  EXPECT_EQ(read(ends[0], trace.data(), trace.size()), 12);
  EXPECT_EQ(std::string(trace.data(), trace.size()), "()()()()()()");
  close(ends[0]);
  close(ends[1]);
}

TEST(Zygote, ReportsACrashWithItsSignalAndLastWordsAndGoesOn) {
  const auto results = run_forked(always([](std::uint64_t index) {
                                    if (index == 1) {
                                      std::fprintf(stderr, "must hold: blocks conserved\n");
                                      std::abort();
                                    }
                                    if (index == 2) {
                                      std::signal(SIGSEGV, SIG_DFL);  // a sanitizer has its own
                                      std::raise(SIGSEGV);
                                    }
                                    return std::string("fine");
                                  }),
                                  {.count = 4, .jobs = 2});
  EXPECT_EQ(results[0].output, "fine");
  EXPECT_EQ(results[1].end, JobEnd::crashed);
  EXPECT_EQ(results[1].code, SIGABRT);
  EXPECT_EQ(results[1].last_words, "must hold: blocks conserved\n");
  EXPECT_EQ(describe(results[1]), "crashed by signal 6");
  EXPECT_EQ(results[2].code, SIGSEGV);
  EXPECT_EQ(results[3].output, "fine");
}

TEST(Zygote, ReportsAnExceptionAsACrashOfTheChild) {
  const auto results = run_forked(
      always([](std::uint64_t) -> std::string { throw std::runtime_error("lost the plot"); }), {});
  EXPECT_EQ(results[0].end, JobEnd::crashed);
  EXPECT_EQ(results[0].code, SIGABRT);
  EXPECT_THAT(results[0].last_words, HasSubstr("lost the plot"));
}

TEST(Zygote, ReportsAnExitEvenWithCodeZero) {
  const auto results = run_forked(
      always([](std::uint64_t index) -> std::string { _exit(static_cast<int>(index) * 3); }),
      {.count = 2});
  EXPECT_EQ(results[0].end, JobEnd::exited);
  EXPECT_EQ(results[0].code, 0);
  EXPECT_EQ(results[1].end, JobEnd::exited);
  EXPECT_EQ(results[1].code, 3);
}

TEST(Zygote, KillsAReplicationThatOutlivesItsTime) {
  const auto results = run_forked(always([](std::uint64_t index) {
                                    if (index == 0) hang();
                                    return std::string("quick");
                                  }),
                                  {.count = 3, .jobs = 2, .timeout = Seconds{0.3}});
  EXPECT_EQ(results[0].end, JobEnd::timed_out);
  EXPECT_EQ(results[1].output, "quick");
  EXPECT_EQ(results[2].output, "quick");
}

TEST(Zygote, BoundsThePreparationToo) {
  const Prepare endless = []() -> Replication { hang(); };
  const auto results = run_forked(endless, {.count = 2, .timeout = Seconds{0.2}});
  EXPECT_EQ(results[1].end, JobEnd::lost);
  EXPECT_THAT(results[1].last_words, EndsWith("the preparation timed out\n"));
}

TEST(Zygote, KeepsOnlyTheEndOfALongComplaint) {
  const auto results = run_forked(always([](std::uint64_t) {
                                    for (int i = 0; i < 100'000; ++i)
                                      std::fprintf(stderr, "line %d\n", i);
                                    return std::string("said");
                                  }),
                                  {});
  EXPECT_EQ(results[0].output, "said");
  EXPECT_EQ(results[0].last_words.size(), 4096U);
  EXPECT_THAT(results[0].last_words, EndsWith("line 99999\n"));
}

TEST(Zygote, LosesAllWhenThePreparationDies) {
  const Prepare broken = []() -> Replication {
    std::fprintf(stderr, "no such platform\n");
    std::abort();
  };
  const auto results = run_forked(broken, {.count = 2});
  EXPECT_EQ(results[0].end, JobEnd::lost);
  EXPECT_THAT(results[0].last_words, HasSubstr("no such platform\nthe zygote died: crashed"));
}

TEST(Zygote, KeepsWhatCameBeforeItsDeath) {
  const Prepare prepare = [] {
    const pid_t zygote = getpid();
    return [zygote](std::uint64_t index) {
      if (index == 1) {
        usleep(100'000);
        kill(zygote, SIGKILL);
        hang();
      }
      return std::string("in time");
    };
  };
  const auto results = run_forked(prepare, {.count = 3});
  EXPECT_EQ(results[0].output, "in time");
  EXPECT_EQ(results[1].end, JobEnd::lost);
  EXPECT_EQ(results[2].end, JobEnd::lost);
}

TEST(Zygote, TakesGarbageOnItsPipeForALostRun) {
  const Prepare prepare = []() -> Replication {
    const std::string garbage(300, '?');
    for (int i = 3; i < 64; ++i) {
      struct stat kind{};
      const bool writable = (fcntl(i, F_GETFL) & O_ACCMODE) == O_WRONLY;
      if (fstat(i, &kind) == 0 && S_ISFIFO(kind.st_mode) && writable &&
          write(i, garbage.data(), garbage.size()) < 0)
        std::abort();
    }
    return [](std::uint64_t) { return std::string("unheard"); };
  };
  const auto results = run_forked(prepare, {.count = 2});
  EXPECT_EQ(results[0].end, JobEnd::lost);
  EXPECT_THAT(results[0].last_words, EndsWith("the zygote sent garbage\n"));
}

// A middle process calls run_forked and is killed; the replication reports its pid first.
void expect_no_orphan(int signal_number) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  const pid_t middle = fork();
  if (middle == 0) {
    (void)run_forked(always([&](std::uint64_t) -> std::string {
                       const pid_t self = getpid();
                       if (write(ends[1], &self, sizeof self) < 0) std::abort();
                       hang();
                     }),
                     {});
    _exit(0);
  }
  pid_t replication = 0;
  ASSERT_EQ(read(ends[0], &replication, sizeof replication),
            static_cast<ssize_t>(sizeof replication));
  EXPECT_FALSE(is_gone(replication));
  kill(middle, signal_number);
  waitpid(middle, nullptr, 0);
  EXPECT_TRUE(is_gone_soon(replication));
  close(ends[0]);
  close(ends[1]);
}

TEST(Zygote, LeavesNoOrphanWhenTheCallerIsTerminated) {
  expect_no_orphan(SIGTERM);
}
TEST(Zygote, LeavesNoOrphanWhenTheCallerIsInterrupted) {
  expect_no_orphan(SIGINT);
}
TEST(Zygote, LeavesNoOrphanWhenTheCallerIsKilled) {
  expect_no_orphan(SIGKILL);
}

TEST(Zygote, GoesOnThroughInterruptedSystemCalls) {
  struct sigaction action{};
  struct sigaction previous{};
  action.sa_handler = [](int) {};  // without SA_RESTART: system calls return EINTR
  sigaction(SIGALRM, &action, &previous);
  ualarm(1000, 1000);
  const auto results = run_forked(always([](std::uint64_t) {
                                    usleep(100'000);
                                    return std::string(1U << 20, 'x');
                                  }),
                                  {.count = 2});
  ualarm(0, 0);
  sigaction(SIGALRM, &previous, nullptr);
  EXPECT_EQ(results[0].output.size(), 1U << 20);
  EXPECT_EQ(results[1].output.size(), 1U << 20);
}

TEST(Zygote, DoesNotPrintTheCallersBufferTwice) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  FILE* stream = fdopen(ends[1], "w");
  std::fputs("once", stream);  // buffered: a child that flushed it would print it again
  (void)run_forked(always([&](std::uint64_t) {
                     std::fflush(stream);
                     return std::string{};
                   }),
                   {.count = 3});
  std::fclose(stream);
  std::string text(64, '\0');
  const ssize_t count = read(ends[0], text.data(), text.size());
  ASSERT_GT(count, 0);
  EXPECT_EQ(text.substr(0, static_cast<std::size_t>(count)), "once");
  close(ends[0]);
}

TEST(ZygoteDeath, RefusesZeroJobs) {
  EXPECT_DEATH((void)run_forked(always([](std::uint64_t) { return std::string{}; }),
                                {.count = 1, .jobs = 0}),
               "at least one replication");
}

}  // namespace
}  // namespace specroute::sim
