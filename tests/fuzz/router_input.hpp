/// @file
/// Fuzzed bytes as a gate's configuration and a sequence of records: mostly the scenes of a host
/// that behaves, some of them with a field overwritten, some of no sense at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "tests/unit/router/random_host.hpp"

namespace specroute::fuzz {

/// Reads numbers off bytes; zeros once they are used up.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  [[nodiscard]] bool empty() const { return rest_.empty(); }
  /// The next `size` bytes, lowest first; size <= 8.
  std::uint64_t number(std::size_t size);

 private:
  std::string_view rest_;
};

/// A valid configuration of one of the gates, its numbers within their ranges, its tables small.
std::string configuration(ByteReader& in);

/// The records that the rest of the bytes make: three hundred or so at most.
router::test::Story records(ByteReader& in);

}  // namespace specroute::fuzz
