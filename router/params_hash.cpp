#include "router/params_hash.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <string_view>

#include "router/sha256.hpp"

namespace specroute::router {
namespace {

/// Canonical text without its grammar, in fixed memory: 1.8e308 prints 309 digits, a dot and four
/// more, and there are six doubles.
class CanonicalText {
 public:
  CanonicalText& text(std::string_view part) {
    for (const char c : part) buffer_[size_++] = c;
    return *this;
  }
  CanonicalText& fixed(double value) {
    // std::to_chars writes "-nan" for a NaN with its sign bit set; Python has one nan.
    if (std::isnan(value)) return text("nan|");
    const auto end = std::to_chars(at(), limit(), value, std::chars_format::fixed, 4).ptr;
    return advance(end);
  }
  CanonicalText& integer(std::int64_t value) {
    return advance(std::to_chars(at(), limit(), value).ptr);
  }
  [[nodiscard]] std::string_view view() const { return {buffer_.data(), size_}; }

 private:
  char* at() { return buffer_.data() + size_; }
  char* limit() { return buffer_.data() + buffer_.size(); }
  CanonicalText& advance(const char* end) {
    size_ = static_cast<std::size_t>(end - buffer_.data());
    return text("|");
  }

  std::array<char, 2200> buffer_{};
  std::size_t size_ = 0;
};

}  // namespace

std::int32_t params_hash(std::uint32_t version, const srp_sampling* s, char out[17]) {
  if (s == nullptr || out == nullptr || (version != 1 && version != 2)) return SRP_E_ARG;
  if (s->grammar_id.ptr == nullptr && s->grammar_id.len != 0) return SRP_E_ARG;
  CanonicalText canonical;
  if (version == 2) canonical.text("v2|");
  canonical.fixed(s->temperature).fixed(s->top_p);
  if (version == 2) {
    canonical.integer(s->top_k).fixed(s->min_p).fixed(s->repetition_penalty);
    canonical.fixed(s->presence_penalty).fixed(s->frequency_penalty);
    if (s->rule != 0) canonical.text("rule ").integer(s->rule);
  }
  canonical.integer(s->seed);
  const std::string_view grammar = s->grammar_id.len == 0
                                       ? std::string_view{}
                                       : std::string_view{s->grammar_id.ptr, s->grammar_id.len};
  const std::array parts{canonical.view(), grammar};
  const auto digest = sha256(parts);
  if (!digest) return SRP_E_SPACE;
  constexpr std::string_view kHex = "0123456789abcdef";
  for (std::size_t i = 0; i < 8; ++i) {
    out[2 * i] = kHex[(*digest)[i] >> 4U];
    out[2 * i + 1] = kHex[(*digest)[i] & 15U];
  }
  out[16] = '\0';
  return SRP_OK;
}

}  // namespace specroute::router
