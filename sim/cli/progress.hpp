/// @file
/// How far a campaign has come, on a terminal and nowhere else.
#pragma once

#include <cstdint>
#include <memory>

namespace specroute::sim {

/// One line that is written over. It has a descriptor of its own: replications, which show it, find
/// their standard error replaced by a pipe.
class Progress {
 public:
  /// Null where standard error is no terminal.
  static std::unique_ptr<Progress> on_terminal();
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(std::uint64_t ended, std::uint64_t planned) const;
  void clear() const;

 private:
  explicit Progress(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

}  // namespace specroute::sim
