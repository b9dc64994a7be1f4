/// @file
/// SHA-256 of what a result was made from: scenarios, traces, and the files of the result itself.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace specroute::sim {

/// 64 lower-case hex digits. @source FIPS 180-4
[[nodiscard]] std::string sha256_hex(std::string_view text);

/// The same of bytes that come piece by piece.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void update(std::string_view bytes);
  /// Of all bytes so far; nothing may follow.
  [[nodiscard]] std::string hex();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace specroute::sim
