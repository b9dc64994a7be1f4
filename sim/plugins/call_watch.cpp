#include "sim/plugins/call_watch.hpp"

#include <array>
#include <cmath>
#include <csignal>
#include <cstring>

#include <sys/time.h>
#include <unistd.h>

#include "sim/plugins/event_text.hpp"
#include "sim/plugins/policy_fault.hpp"

namespace specroute::sim {
namespace {

/// Alarms within the time that a call has: setting a clock at each call would cost more than most
/// calls. A hang is found within a quarter more.
constexpr int kAlarms = 4;
constexpr std::array kCrashes = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS};

/// What a handler may look at: it runs between any two instructions.
struct Watch {
  const char* volatile function = nullptr;  ///< null: no foreign code is running
  volatile std::uint64_t event = 0;         ///< its number; 0: the call is about none
  volatile std::uint16_t type = 0;
  volatile std::uint64_t call = 0;  ///< counts calls
  std::uint64_t call_seen = 0;      ///< by the latest alarm
  int alarms = 0;                   ///< that saw this call
  std::array<char, 32> patience_text{};
  FaultFlag* flag = nullptr;
  alignas(16) std::array<std::byte, 1 << 16> stack{};  ///< the handlers', should the other be full
};
Watch watch;

/// Text put together without anything that a signal handler may not call.
class Sentence {
 public:
  Sentence& operator<<(const char* text) {
    for (; *text != '\0' && size_ < text_.size(); ++text) text_[size_++] = *text;
    return *this;
  }
  Sentence& operator<<(std::uint64_t number) {
    std::array<char, 21> digits{};
    std::size_t at = digits.size() - 1;
    do {
      digits[--at] = static_cast<char>('0' + number % 10);
      number /= 10;
    } while (number > 0);
    return *this << &digits[at];
  }
  void say() const {
    if (write(STDERR_FILENO, text_.data(), size_) < 0) return;  // nobody is left to be told
  }

 private:
  std::array<char, 256> text_{};
  std::size_t size_ = 0;
};

const char* signal_text(int number) {
  switch (number) {
    case SIGSEGV:
      return " (segmentation fault)";
    case SIGABRT:
      return " (abort)";
    case SIGFPE:
      return " (arithmetic fault)";
    case SIGBUS:
      return " (bus error)";
    case SIGILL:
      return " (illegal instruction)";
    default:
      return "";
  }
}

void end_with(Sentence sentence) {
  sentence << " in " << watch.function;
  if (watch.event != 0)
    sentence << " of event " << watch.event << " (" << event_type_text(watch.type) << ")";
  (sentence << "\n").say();
  if (watch.flag != nullptr) watch.flag->store(1);
  _exit(kPolicyFaultExit);
}

void on_crash(int number) {
  if (watch.function == nullptr) {  // ours: it takes its course once this handler returns
    std::signal(number, SIG_DFL);
    raise(number);
    return;
  }
  Sentence sentence;
  sentence << "\n" << kPolicyFaultMark << "crashed by signal ";
  sentence << static_cast<std::uint64_t>(number) << signal_text(number);
  end_with(sentence);
}

void on_alarm(int) {
  if (watch.function == nullptr || watch.call != watch.call_seen) {
    watch.call_seen = watch.call;
    watch.alarms = 0;
    return;
  }
  if (++watch.alarms < kAlarms) return;
  Sentence sentence;
  sentence << "\n"
           << kPolicyFaultMark << "hangs: no return after " << watch.patience_text.data() << " s";
  end_with(sentence);
}

void handle(int number, void (*handler)(int)) {
  struct sigaction action{};
  action.sa_handler = handler;
  action.sa_flags = SA_ONSTACK | SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, nullptr);
}

}  // namespace

void watch_calls(Seconds timeout, FaultFlag* flag) {
  const std::string text = seconds_text(timeout);
  std::memcpy(watch.patience_text.data(), text.data(),
              std::min(text.size(), watch.patience_text.size() - 1));
  watch.flag = flag;
  stack_t stack{};
  stack.ss_sp = watch.stack.data();
  stack.ss_size = watch.stack.size();
  sigaltstack(&stack, nullptr);
  for (const int number : kCrashes) handle(number, on_crash);
  handle(SIGALRM, on_alarm);
  const double period = timeout.count() / kAlarms;
  const double whole = std::floor(period);
  itimerval clock{};
  clock.it_interval.tv_sec = static_cast<time_t>(whole);
  clock.it_interval.tv_usec = static_cast<suseconds_t>(std::floor((period - whole) * 1e6));
  clock.it_value = clock.it_interval;
  setitimer(ITIMER_REAL, &clock, nullptr);
}

WatchedCall::WatchedCall(const char* function, const srp_record* event) {
  watch.event = event == nullptr ? 0 : event->seq;
  watch.type = event == nullptr ? std::uint16_t{0} : event->type;
  watch.call = watch.call + 1;
  watch.function = function;
}

WatchedCall::~WatchedCall() {
  watch.function = nullptr;
}

}  // namespace specroute::sim
