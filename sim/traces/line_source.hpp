/// @file
/// Lines of a stream, through a buffer that holds little more than the longest of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <istream>
#include <string>
#include <string_view>

#include "sim/digest/sha256.hpp"

namespace specroute::sim {

/// Ends lines at LF or CRLF; the last may end with the stream. Digests every byte on its way.
class LineSource {
 public:
  static constexpr std::size_t kLongestLine = std::size_t{4} << 20U;

  explicit LineSource(std::istream& stream) : stream_(stream) {}

  /// The next line, valid until the next call; false at the end, and at a line that is too long.
  [[nodiscard]] bool next(std::string_view& line);

  [[nodiscard]] std::uint64_t number() const { return number_; }  ///< of the last line, from 1
  [[nodiscard]] bool too_long() const { return too_long_; }       ///< the line after it is
  [[nodiscard]] bool failed() const { return stream_.bad(); }

  /// Of the whole stream, once it has ended.
  [[nodiscard]] std::string sha256() { return digest_.hex(); }

 private:
  bool fill();

  std::istream& stream_;
  Sha256 digest_;
  std::string buffer_;
  std::size_t begin_ = 0;  ///< of the next line in the buffer
  std::uint64_t number_ = 0;
  bool too_long_ = false;
};

}  // namespace specroute::sim
