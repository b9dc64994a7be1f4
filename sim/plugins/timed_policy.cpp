#include "sim/plugins/timed_policy.hpp"

#include <chrono>
#include <utility>

namespace specroute::sim {
namespace {

class TimedPolicy : public PolicyPort {
 public:
  TimedPolicy(std::unique_ptr<PolicyPort> policy, PolicyTime& time)
      : policy_(std::move(policy)), time_(time) {}

  void deliver(const srp_record& event, std::vector<srp_decision>& decisions) override {
    const auto start = std::chrono::steady_clock::now();
    policy_->deliver(event, decisions);
    time_.wall_s += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    ++time_.events;
  }
  std::string explain(const srp_decision& decision) override { return policy_->explain(decision); }
  std::string reason(const srp_decision& decision) override { return policy_->reason(decision); }
  void conclude() override { policy_->conclude(); }

 private:
  std::unique_ptr<PolicyPort> policy_;
  PolicyTime& time_;
};

}  // namespace

std::unique_ptr<PolicyPort> timed(std::unique_ptr<PolicyPort> policy, PolicyTime& time) {
  return std::make_unique<TimedPolicy>(std::move(policy), time);
}

}  // namespace specroute::sim
