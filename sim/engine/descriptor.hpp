/// @file
/// File descriptors that close themselves, and pipes of them. POSIX only.
#pragma once

#include <optional>
#include <string_view>

namespace specroute::sim {

/// A file descriptor that closes itself; -1 is none.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor() { reset(); }
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  [[nodiscard]] int get() const { return number_; }
  [[nodiscard]] bool is_open() const { return number_ >= 0; }
  int release();
  void reset();

 private:
  int number_;
};

struct Pipe {
  Descriptor read;
  Descriptor write;
};

/// Both ends close when a program is started. Nothing: no descriptor to be had, see errno.
std::optional<Pipe> make_pipe();

/// Writes all bytes, through interruptions. False: the reader is gone.
bool write_all(int descriptor, std::string_view bytes);

}  // namespace specroute::sim
