#include "sim/plugins/loaded_policy.hpp"

#include <array>
#include <vector>

#include "sim/plugins/call_watch.hpp"
#include "sim/plugins/decision_rules.hpp"
#include "sim/plugins/event_text.hpp"
#include "sim/plugins/loaded_module.hpp"
#include "sim/plugins/policy_fault.hpp"
#include "sim/records/status_name.hpp"

namespace specroute::sim {
namespace {

constexpr std::size_t kLongestText = 1024;
/// A tick that has more to say than fits is sent again; beyond this it never ends.
constexpr int kMostRounds = 256;

class LoadedPolicy : public PolicyPort {
 public:
  LoadedPolicy(const srp_module& module, srp_policy* policy) : module_(module), policy_(policy) {}
  LoadedPolicy(const LoadedPolicy&) = delete;
  LoadedPolicy& operator=(const LoadedPolicy&) = delete;
  ~LoadedPolicy() override {
    const WatchedCall watched("destroy");
    module_.destroy(policy_);
  }

  void deliver(const srp_record& event, std::vector<srp_decision>& decisions) override {
    rules_.note(event);
    int rounds = 0;
    while (round(event, decisions))
      if (++rounds == kMostRounds)
        throw PolicyFault("says SRP_E_SPACE without end to " + event_text(event));
  }

  std::string explain(const srp_decision& decision) override {
    std::array<char, kLongestText> text{};
    {
      const WatchedCall watched("explain");
      module_.explain(&decision, text.data(), text.size(), nullptr);
    }
    text.back() = '\0';
    return text.data();
  }

  std::string reason(const srp_decision& decision) override {
    const WatchedCall watched("reason_code");
    return module_text(module_.reason_code(decision.reason), kLongestText);
  }

 private:
  /// @return whether the event is to be sent again
  bool round(const srp_record& event, std::vector<srp_decision>& decisions) {
    std::size_t used = 0;
    std::int32_t status = 0;
    {
      const WatchedCall watched("on_event", &event);
      status = module_.on_event(policy_, &event, buffer_.data(), sizeof(buffer_), &used);
    }
    if (used > sizeof(buffer_) || used % sizeof(srp_decision) != 0)
      throw PolicyFault("wrote " + std::to_string(used) + " bytes for " + event_text(event) +
                        ", which are no whole decisions in " + std::to_string(sizeof(buffer_)));
    const bool again = status == SRP_E_SPACE && used > 0;
    if (!again && status < 0 && status != SRP_E_FULL)
      throw PolicyFault("refused " + event_text(event) + " with " + status_name(status));
    for (std::size_t i = 0; i < used / sizeof(srp_decision); ++i) {
      if (const std::string fault = rules_.fault(buffer_[i]); !fault.empty())
        throw PolicyFault("answered " + event_text(event) + " with a bad decision: " + fault);
      decisions.push_back(buffer_[i]);
    }
    return again;
  }

  static constexpr std::size_t kMaxDecisions = 64;
  const srp_module& module_;
  srp_policy* policy_;
  DecisionRules rules_;
  std::array<srp_decision, kMaxDecisions> buffer_{};
};

}  // namespace

std::unique_ptr<PolicyPort> load_policy(const Plugin& plugin) {
  const srp_module* module = nullptr;
  {
    const WatchedCall watched("its loading");
    module = &load_module(plugin.path);
  }
  std::array<char, kLongestText> text{};
  srp_error error{sizeof(srp_error), kLongestText, text.data(), 0, 0};
  srp_policy* policy = nullptr;
  std::int32_t status = 0;
  {
    const WatchedCall watched("create");
    status = module->create(&lending_host(), {plugin.config_json.data(), plugin.config_json.size()},
                            &policy, &error);
  }
  text.back() = '\0';
  if (status != SRP_OK)
    throw PolicyFault("create gave " + status_name(status) +
                      " for a configuration that validate took: " + text.data());
  if (policy == nullptr) throw PolicyFault("create gave SRP_OK and no instance");
  return std::make_unique<LoadedPolicy>(*module, policy);
}

}  // namespace specroute::sim
