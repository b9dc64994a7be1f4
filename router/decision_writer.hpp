/// @file
/// Where decisions go: the caller's buffer.
#pragma once

#include <specroute/policy_abi.h>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace specroute::router {

class DecisionWriter {
 public:
  DecisionWriter(void* out, std::size_t cap) : out_(static_cast<std::byte*>(out)), cap_(cap) {}

  [[nodiscard]] bool has_room() const { return cap_ - used_ >= sizeof(srp_decision); }
  [[nodiscard]] std::size_t used() const { return used_; }
  void write(const srp_decision& decision) {
    std::memcpy(out_ + used_, &decision, sizeof decision);
    used_ += sizeof decision;
  }

 private:
  std::byte* out_;
  std::size_t cap_;
  std::size_t used_ = 0;
};

}  // namespace specroute::router
