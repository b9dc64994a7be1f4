/// @file
/// One instance of a policy that is held to what the ABI promises with each call. A broken promise
/// aborts.
#pragma once

#include <specroute/policy_abi.h>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/unit/router/random_host.hpp"

namespace specroute::fuzz {

/// Lends memory, up to a limit, and never while an event is served.
struct Lender {
  bool hot = false;
  std::size_t most = std::size_t{64} << 20U;

  srp_host table();
};

/// What one event was answered: the code, and the decisions of all its parts.
struct Reply {
  std::int32_t status = SRP_OK;
  std::vector<srp_decision> decisions;

  /// Byte for byte.
  [[nodiscard]] bool same_as(const Reply& other) const;
};

class PromisedPolicy {
 public:
  /// @param config must be valid
  explicit PromisedPolicy(const std::string& config);
  ~PromisedPolicy();
  PromisedPolicy(const PromisedPolicy&) = delete;
  PromisedPolicy& operator=(const PromisedPolicy&) = delete;

  /// Feeds one event with room for two decisions at a time, and checks: the code is one of the
  /// ABI's; an event that was refused or ignored left the digest as it was and said nothing; only a
  /// tick is served in parts; each decision is well formed. Now and then too small a buffer is
  /// tried first.
  Reply send(const router::test::AnyEvent& event);
  [[nodiscard]] std::uint64_t digest() const;
  [[nodiscard]] std::vector<std::byte> snapshot() const;
  /// Restores and checks: SRP_OK, and the digest is the snapshot's; or a code, and nothing changed.
  /// @return whether it was taken
  bool restore(const std::vector<std::byte>& bytes);
  [[nodiscard]] const srp_policy& instance() const { return *policy_; }

 private:
  void check_small_room(const router::test::AnyEvent& event);
  Reply send_once(const router::test::AnyEvent& event, std::size_t room);
  void check_decision(const srp_record& event, const srp_decision& decision);

  const srp_module* module_;
  Lender lender_;
  srp_policy* policy_ = nullptr;
  std::uint64_t digest_ = 0;   ///< after the latest event
  std::uint64_t next_id_ = 0;  ///< of a decision; 0: not known (after a restore)
};

}  // namespace specroute::fuzz
