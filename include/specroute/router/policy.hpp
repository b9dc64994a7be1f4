/// @file
/// A policy instance for C++ hosts: owns what the C table creates. Header-only over the table.
#pragma once

#include <specroute/policy_abi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <specroute/router/binding.hpp>
#include <specroute/vocab/result.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace specroute::router {

/// A host that lends memory from the C++ heap.
inline srp_host heap_host() {
  srp_host host{};
  host.struct_size = sizeof host;
  host.abi = SRP_ABI_V1;
  host.alloc = [](void*, std::size_t size, std::size_t align) -> void* {
    return ::operator new(size, std::align_val_t{align}, std::nothrow);
  };
  host.free = [](void*, void* block, std::size_t, std::size_t align) {
    ::operator delete(block, std::align_val_t{align});
  };
  return host;
}

/// The answer to one event. `decisions` is borrowed until the next call on the same policy.
struct Answer {
  std::int32_t status = SRP_OK;  ///< SRP_OK, SRP_IGNORED, SRP_E_*
  std::span<const srp_decision> decisions;
};

/// Movable owner of one instance. One caller at a time. The module must outlive it.
class Policy {
 public:
  /// Creates an instance of `module` from its JSON configuration. A refusal carries the module's
  /// text and the byte offset of the offence.
  static Result<Policy> create(const srp_module& module, std::string_view config_json,
                               const srp_host& host = heap_host()) {
    std::array<char, 2048> text{};
    srp_error error{};
    error.struct_size = sizeof error;
    error.cap = static_cast<std::uint32_t>(text.size());
    error.buf = text.data();
    srp_policy* instance = nullptr;
    const srp_str json{config_json.data(), config_json.size()};
    if (module.create(&host, json, &instance, &error) == SRP_OK) return Policy(module, instance);
    return Diagnostic{"policy", "byte " + std::to_string(error.config_offset), "",
                      std::string(text.data(), error.len), ""};
  }

  /// Feeds one event: any record that begins with `h`.
  template <class Event>
  [[nodiscard]] Answer on_event(const Event& event) {
    return on_record(event.h);
  }
  /// The same for a record met in a trace.
  [[nodiscard]] Answer on_record(const srp_record& event) {
    std::size_t used = 0;
    const auto status = module_->on_event(instance_.get(), &event, buffer_.data(),
                                          buffer_.size() * sizeof(srp_decision), &used);
    return {status, std::span(buffer_).first(used / sizeof(srp_decision))};
  }

  [[nodiscard]] std::uint64_t digest() const { return module_->state_digest(instance_.get()); }
  [[nodiscard]] std::string explain(const srp_decision& decision) const {
    std::size_t need = 0;
    module_->explain(&decision, nullptr, 0, &need);
    std::string text(need, '\0');
    if (need == 0 || module_->explain(&decision, text.data(), need, nullptr) != SRP_OK) return {};
    text.pop_back();  // the NUL
    return text;
  }
  [[nodiscard]] std::string_view reason_code(const srp_decision& decision) const {
    const srp_str code = module_->reason_code(decision.reason);
    return {code.ptr, code.len};
  }
  [[nodiscard]] std::vector<std::byte> snapshot() const {
    std::size_t need = 0;
    module_->snapshot(instance_.get(), nullptr, 0, &need);
    std::vector<std::byte> bytes(need);
    if (module_->snapshot(instance_.get(), bytes.data(), bytes.size(), nullptr) != SRP_OK)
      bytes.clear();
    return bytes;
  }
  /// SRP_OK, or SRP_E_STATE and nothing changed.
  [[nodiscard]] std::int32_t restore(std::span<const std::byte> bytes) {
    return module_->restore(instance_.get(), bytes.data(), bytes.size(), nullptr);
  }

 private:
  struct Destroy {
    const srp_module* module = nullptr;
    void operator()(srp_policy* instance) const { module->destroy(instance); }
  };

  Policy(const srp_module& module, srp_policy* instance)
      : module_(&module), instance_(instance, Destroy{&module}), buffer_(kDecisionsPerCall) {}

  /// Enough for any event but a tick that wakes more rows; that one asks to be sent again.
  static constexpr std::size_t kDecisionsPerCall = 64;

  const srp_module* module_;
  std::unique_ptr<srp_policy, Destroy> instance_;
  std::vector<srp_decision> buffer_;
};

}  // namespace specroute::router
