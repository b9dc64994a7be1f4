/// @file
/// The policy's host: hands events to a policy module through its C ABI and collects decisions.
/// The module is the real router library, the same binary that a production router links.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <specroute/policy_abi.h>
#include <specroute/vocab/result.hpp>
#include <specroute/vocab/units.hpp>

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
  PolicyHost(PolicyHost&& other) noexcept;
  PolicyHost& operator=(PolicyHost&&) = delete;
  ~PolicyHost();

  /// Fills the record's head and sends it. What the policy decides is appended to `decisions`.
  template <class Record>
  void send(Record& record, std::uint16_t type, Seconds now, std::uint64_t pairing,
            std::vector<srp_decision>& decisions) {
    record.h.size = sizeof(Record);
    record.h.type = type;
    record.h.now = to_nanoseconds(now);
    record.h.seq = ++sequence_;
    record.h.pairing = pairing;
    deliver(record.h, decisions);
  }

  [[nodiscard]] const srp_module& module() const { return *module_; }
  [[nodiscard]] std::string explain(const srp_decision& decision) const;
  [[nodiscard]] std::string reason(const srp_decision& decision) const;

 private:
  PolicyHost(const srp_module& module, srp_policy* policy) : module_(&module), policy_(policy) {}
  void deliver(const srp_record& record, std::vector<srp_decision>& decisions);

  static constexpr std::size_t kMaxDecisions = 64;
  const srp_module* module_;
  srp_policy* policy_;
  std::uint64_t sequence_ = 0;
  std::array<srp_decision, kMaxDecisions> buffer_{};
};

/// Checks a configuration without making a policy: every fault as a diagnostic.
/// @param place where the configuration stands in its file
[[nodiscard]] Diagnostics validate_policy(const srp_module& module, const std::string& place,
                                          const std::string& config_json);

}  // namespace specroute::sim
