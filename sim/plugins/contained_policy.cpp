#include "sim/plugins/contained_policy.hpp"

#include <cstdio>
#include <utility>

#include <unistd.h>

#include "sim/plugins/policy_fault.hpp"

namespace specroute::sim {
namespace {

void tell(const PolicyFault& fault, FaultFlag* flag) {
  if (flag != nullptr) flag->store(1);
  std::fprintf(stderr, "\n%s%s\n", kPolicyFaultMark, fault.what());
  std::fflush(nullptr);
}

class ContainedPolicy : public PolicyPort {
 public:
  ContainedPolicy(std::unique_ptr<PolicyPort> policy, FaultFlag* flag)
      : policy_(std::move(policy)), flag_(flag) {}
  ContainedPolicy(const ContainedPolicy&) = delete;
  ContainedPolicy& operator=(const ContainedPolicy&) = delete;
  ~ContainedPolicy() override {
    try {
      if (policy_ != nullptr) policy_->conclude();
    } catch (const PolicyFault& fault) {
      end(fault);
    }
  }

  void deliver(const srp_record& event, std::vector<srp_decision>& decisions) override {
    try {
      policy_->deliver(event, decisions);
    } catch (const PolicyFault& fault) {
      end(fault);
    }
  }
  std::string explain(const srp_decision& decision) override { return policy_->explain(decision); }
  std::string reason(const srp_decision& decision) override { return policy_->reason(decision); }

 private:
  [[noreturn]] void end(const PolicyFault& fault) {
    tell(fault, flag_);
    policy_.reset();  // a child of its own is killed and reaped before we go
    _exit(kPolicyFaultExit);
  }

  std::unique_ptr<PolicyPort> policy_;
  FaultFlag* flag_;
};

}  // namespace

std::unique_ptr<PolicyPort> contained(const std::function<std::unique_ptr<PolicyPort>()>& open,
                                      FaultFlag* flag) {
  try {
    return std::make_unique<ContainedPolicy>(open(), flag);
  } catch (const PolicyFault& fault) {
    tell(fault, flag);
    _exit(kPolicyFaultExit);
  }
}

}  // namespace specroute::sim
