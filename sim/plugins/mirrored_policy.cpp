#include "sim/plugins/mirrored_policy.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include <specroute/router/decision_name.hpp>

#include "sim/plugins/event_text.hpp"
#include "sim/plugins/policy_fault.hpp"

namespace specroute::sim {
namespace {

std::string said(PolicyPort& policy, const std::vector<srp_decision>& decisions, std::size_t at) {
  if (at >= decisions.size()) return "nothing";
  const srp_decision& one = decisions[at];
  std::string text(router::decision_name(one.h.type));
  text += " of pairing " + std::to_string(one.h.pairing) + ", profile " +
          std::to_string(one.profile) + ", id " + std::to_string(one.id);
  if (one.valid_until != 0) text += ", until " + std::to_string(one.valid_until) + " ns";
  if (const std::string reason = policy.reason(one); !reason.empty()) text += ": " + reason;
  return text;
}

class MirroredPolicy : public PolicyPort {
 public:
  MirroredPolicy(std::unique_ptr<PolicyPort> policy, std::unique_ptr<PolicyPort> twin)
      : policy_(std::move(policy)), twin_(std::move(twin)) {}

  void deliver(const srp_record& event, std::vector<srp_decision>& decisions) override {
    first_.clear();
    second_.clear();
    policy_->deliver(event, first_);
    twin_->deliver(event, second_);
    for (std::size_t i = 0; i < std::max(first_.size(), second_.size()); ++i)
      if (!same(i))
        throw PolicyFault(
            "is nondeterministic: two instances that were sent the same events "
            "answered " +
            event_text(event) + " with " + said(*policy_, first_, i) + ", and with " +
            said(*twin_, second_, i));
    decisions.insert(decisions.end(), first_.begin(), first_.end());
  }
  std::string explain(const srp_decision& decision) override { return policy_->explain(decision); }
  std::string reason(const srp_decision& decision) override { return policy_->reason(decision); }
  void conclude() override {
    policy_->conclude();
    twin_->conclude();
  }

 private:
  [[nodiscard]] bool same(std::size_t at) const {
    if (at >= first_.size() || at >= second_.size()) return false;
    const srp_decision& one = first_[at];
    const srp_decision& other = second_[at];
    return std::memcmp(&one, &other, sizeof one) == 0 &&
           policy_->reason(one) == twin_->reason(other) &&
           policy_->explain(one) == twin_->explain(other);
  }

  std::unique_ptr<PolicyPort> policy_;
  std::unique_ptr<PolicyPort> twin_;
  std::vector<srp_decision> first_;
  std::vector<srp_decision> second_;
};

}  // namespace

std::unique_ptr<PolicyPort> mirrored(std::unique_ptr<PolicyPort> policy,
                                     std::unique_ptr<PolicyPort> twin) {
  return std::make_unique<MirroredPolicy>(std::move(policy), std::move(twin));
}

}  // namespace specroute::sim
