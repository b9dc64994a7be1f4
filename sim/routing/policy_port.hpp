/// @file
/// One instance of a policy as its host sees it, wherever it lives: in a module that is linked or
/// loaded, or in another process.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <specroute/policy_abi.h>
#include <specroute/vocab/result.hpp>

namespace specroute::sim {

class PolicyPort {
 public:
  PolicyPort() = default;
  PolicyPort(const PolicyPort&) = delete;
  PolicyPort& operator=(const PolicyPort&) = delete;
  virtual ~PolicyPort() = default;

  /// Sends one event, a whole record; appends what the policy decides.
  virtual void deliver(const srp_record& event, std::vector<srp_decision>& decisions) = 0;
  /// The sentence behind a decision of this instance.
  [[nodiscard]] virtual std::string explain(const srp_decision& decision) = 0;
  /// The name of a decision's reason; empty where it has none.
  [[nodiscard]] virtual std::string reason(const srp_decision& decision) = 0;
  /// No event comes any more: what can only be told now is told.
  virtual void conclude() {}
};

/// An instance of a module that is linked into this program, and trusted: what it does wrong is a
/// bug. Fails with the module's own text where it refuses the configuration.
[[nodiscard]] Result<std::unique_ptr<PolicyPort>> linked_policy(const srp_module& module,
                                                                const std::string& label,
                                                                const std::string& config_json);

/// The memory that instances live in: what a host lends to a module.
[[nodiscard]] const srp_host& lending_host();

}  // namespace specroute::sim
