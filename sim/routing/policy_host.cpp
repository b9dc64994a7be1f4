#include "sim/routing/policy_host.hpp"

#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <new>
#include <utility>

#include <specroute/vocab/check.hpp>

namespace specroute::sim {
namespace {

void* host_alloc(void*, std::size_t size, std::size_t align) {
  return ::operator new(size, std::align_val_t{align}, std::nothrow);
}
void host_free(void*, void* block, std::size_t, std::size_t align) {
  ::operator delete(block, std::align_val_t{align});
}

const srp_host kHost{.struct_size = sizeof(srp_host),
                     .abi = SRP_ABI_V1,
                     .ctx = nullptr,
                     .alloc = host_alloc,
                     .free = host_free,
                     .log = nullptr};

srp_str borrow(const std::string& text) {
  return {text.data(), text.size()};
}

/// A module's complaint, with room for a long one.
struct Complaint {
  std::array<char, 1024> text{};
  srp_error error{sizeof(srp_error), 1024, text.data(), 0, 0};
  [[nodiscard]] Diagnostic diagnostic(const std::string& place) const {
    return {.file = {}, .place = place, .expected = {}, .found = text.data(), .nearest = {}};
  }
};

/// An instance of the router library.
class LinkedPolicy : public PolicyPort {
 public:
  LinkedPolicy(const srp_module& module, srp_policy* policy) : module_(module), policy_(policy) {}
  LinkedPolicy(const LinkedPolicy&) = delete;
  LinkedPolicy& operator=(const LinkedPolicy&) = delete;
  ~LinkedPolicy() override { module_.destroy(policy_); }

  void deliver(const srp_record& event, std::vector<srp_decision>& decisions) override {
    for (bool more = true; more;) {
      std::size_t used = 0;
      const std::int32_t status =
          module_.on_event(policy_, &event, buffer_.data(), sizeof(buffer_), &used);
      // A tick may have more to say than fits: what was written holds, and it is sent again.
      more = status == SRP_E_SPACE && used > 0;
      check(more || status == SRP_OK || status == SRP_IGNORED || status == SRP_E_FULL,
            "the policy takes every event that this host sends");
      decisions.insert(decisions.end(), buffer_.begin(),
                       buffer_.begin() + static_cast<std::ptrdiff_t>(used / sizeof(srp_decision)));
    }
  }

  std::string explain(const srp_decision& decision) override {
    std::array<char, 512> text{};
    module_.explain(&decision, text.data(), text.size(), nullptr);
    return text.data();
  }

  std::string reason(const srp_decision& decision) override {
    const srp_str name = module_.reason_code(decision.reason);
    return {name.ptr, name.len};
  }

 private:
  static constexpr std::size_t kMaxDecisions = 64;
  const srp_module& module_;
  srp_policy* policy_;
  std::array<srp_decision, kMaxDecisions> buffer_{};
};

}  // namespace

srp_ns to_nanoseconds(Seconds date) {
  check(date.count() >= 0.0, "a date that crosses the policy ABI is not negative");
  return static_cast<srp_ns>(std::floor(date.count() * 1e9 + 0.5));
}

Seconds to_seconds(srp_ns date) {
  if (date == SRP_FOREVER) return Seconds{std::numeric_limits<double>::infinity()};
  return Seconds{static_cast<double>(date) * 1e-9};
}

Result<PolicyHost> PolicyHost::create(const srp_module& module, const std::string& label,
                                      const std::string& config_json) {
  auto policy = linked_policy(module, label, config_json);
  if (!policy) return policy.diagnostics();
  return PolicyHost(module, std::move(policy).value());
}

Result<std::unique_ptr<PolicyPort>> linked_policy(const srp_module& module,
                                                  const std::string& label,
                                                  const std::string& config_json) {
  Complaint complaint;
  srp_policy* policy = nullptr;
  if (module.create(&kHost, borrow(config_json), &policy, &complaint.error) != SRP_OK)
    return complaint.diagnostic("/gates/" + label);
  return std::unique_ptr<PolicyPort>(std::make_unique<LinkedPolicy>(module, policy));
}

const srp_host& lending_host() {
  return kHost;
}

Diagnostics validate_policy(const srp_module& module, const std::string& place,
                            const std::string& config_json) {
  Complaint complaint;
  if (module.validate(borrow(config_json), &complaint.error) == SRP_OK) return {};
  return {complaint.diagnostic(place)};
}

}  // namespace specroute::sim
