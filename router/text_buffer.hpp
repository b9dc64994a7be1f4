/// @file
/// Text into a caller's buffer, without heap, locale or terminator surprises.
#pragma once

#include <specroute/policy_abi.h>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace specroute::router {

/// Writes what fits into (buf, cap), ends it with NUL, and counts what was wanted.
class TextBuffer {
 public:
  TextBuffer(char* buf, std::size_t cap) : buf_(buf), cap_(buf == nullptr ? 0 : cap) {
    if (cap_ > 0) buf_[0] = '\0';
  }

  TextBuffer& text(std::string_view part) {
    if (wanted_ + 1 < cap_) {
      const std::size_t room = cap_ - 1 - wanted_;
      const std::size_t taken = part.size() < room ? part.size() : room;
      std::memcpy(buf_ + wanted_, part.data(), taken);
      buf_[wanted_ + taken] = '\0';
    }
    wanted_ += part.size();
    return *this;
  }
  TextBuffer& integer(std::uint64_t value) { return digits(value, 10, 0); }
  TextBuffer& integer(std::int64_t value) {
    std::array<char, 24> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    return text({digits.data(), static_cast<std::size_t>(end - digits.data())});
  }
  /// 16 hex digits.
  TextBuffer& hash(std::uint64_t value) { return digits(value, 16, 16); }
  /// Parts per million as a decimal with three places, rounded half away from zero.
  TextBuffer& ppm(std::int64_t value) {
    const auto size =
        value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
    const std::uint64_t thousandths = (size + 500) / 1000;
    if (value < 0 && thousandths != 0) text("-");
    return digits(thousandths / 1000, 10, 0).text(".").digits(thousandths % 1000, 10, 3);
  }
  /// A double as Python's ":.3f" prints it.
  TextBuffer& fixed3(double value) {
    if (std::isnan(value)) return text("nan");
    std::array<char, 400> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value,
                                   std::chars_format::fixed, 3)
                         .ptr;
    return text({digits.data(), static_cast<std::size_t>(end - digits.data())});
  }

  /// Bytes wanted, NUL included.
  [[nodiscard]] std::size_t wanted() const { return wanted_ + 1; }
  /// Bytes written, NUL excluded.
  [[nodiscard]] std::size_t written() const {
    return cap_ == 0 ? 0 : (wanted_ < cap_ ? wanted_ : cap_ - 1);
  }
  [[nodiscard]] std::int32_t status() const { return wanted_ < cap_ ? SRP_OK : SRP_E_SPACE; }

 private:
  TextBuffer& digits(std::uint64_t value, int base, std::size_t width) {
    std::array<char, 24> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, base).ptr;
    const auto count = static_cast<std::size_t>(end - digits.data());
    for (std::size_t i = count; i < width; ++i) text("0");
    return text({digits.data(), count});
  }

  char* buf_;
  std::size_t cap_;
  std::size_t wanted_ = 0;
};

}  // namespace specroute::router
