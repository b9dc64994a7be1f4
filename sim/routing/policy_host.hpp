/// @file
/// The policy's host: numbers events, hands them to a policy and collects decisions. The policy is
/// the real router library through its C ABI, the same binary that a production router links, or
/// one from outside behind the same interface.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <specroute/policy_abi.h>
#include <specroute/vocab/result.hpp>
#include <specroute/vocab/units.hpp>

#include "sim/routing/policy_port.hpp"

namespace specroute::sim {

/// Dates cross the ABI in whole nanoseconds, rounded to nearest. @param date >= 0
[[nodiscard]] srp_ns to_nanoseconds(Seconds date);
/// The other way; SRP_FOREVER becomes +infinity.
[[nodiscard]] Seconds to_seconds(srp_ns date);

class PolicyHost {
 public:
  /// @param config_json the gate's configuration; refused with the module's own text.
  static Result<PolicyHost> create(const srp_module& module, const std::string& label,
                                   const std::string& config_json);
  /// @param fingerprints whose params_hash the router's own fingerprints use; it outlives the host
  PolicyHost(const srp_module& fingerprints, std::unique_ptr<PolicyPort> policy)
      : fingerprints_(&fingerprints), policy_(std::move(policy)) {}

  /// Fills the record's head and sends it. What the policy decides is appended to `decisions`.
  template <class Record>
  void send(Record& record, std::uint16_t type, Seconds now, std::uint64_t pairing,
            std::vector<srp_decision>& decisions) {
    record.h.size = sizeof(Record);
    record.h.type = type;
    record.h.now = to_nanoseconds(now);
    record.h.seq = ++sequence_;
    record.h.pairing = pairing;
    policy_->deliver(record.h, decisions);
  }

  /// The module that hashes sampling parameters.
  [[nodiscard]] const srp_module& module() const { return *fingerprints_; }
  [[nodiscard]] std::string explain(const srp_decision& decision) const {
    return policy_->explain(decision);
  }
  [[nodiscard]] std::string reason(const srp_decision& decision) const {
    return policy_->reason(decision);
  }

 private:
  const srp_module* fingerprints_;
  std::unique_ptr<PolicyPort> policy_;
  std::uint64_t sequence_ = 0;
};

/// Checks a configuration without making a policy: every fault as a diagnostic.
/// @param place where the configuration stands in its file
[[nodiscard]] Diagnostics validate_policy(const srp_module& module, const std::string& place,
                                          const std::string& config_json);

}  // namespace specroute::sim
