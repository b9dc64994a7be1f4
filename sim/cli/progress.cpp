#include "sim/cli/progress.hpp"

#include <string>

#include <fcntl.h>
#include <unistd.h>

namespace specroute::sim {
namespace {

/// A line that a terminal does not take is no reason to stop.
void say(int descriptor, const std::string& text) {
  [[maybe_unused]] const auto written = write(descriptor, text.data(), text.size());
}

}  // namespace

std::unique_ptr<Progress> Progress::on_terminal() {
  if (isatty(STDERR_FILENO) == 0) return nullptr;
  const int descriptor = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
  if (descriptor < 0) return nullptr;
  return std::unique_ptr<Progress>(new Progress(descriptor));
}

Progress::~Progress() {
  close(descriptor_);
}

void Progress::show(std::uint64_t ended, std::uint64_t planned) const {
  say(descriptor_,
      '\r' + std::to_string(ended) + " of " + std::to_string(planned) + " replications\x1b[K");
}

void Progress::clear() const {
  say(descriptor_, "\r\x1b[K");
}

}  // namespace specroute::sim
