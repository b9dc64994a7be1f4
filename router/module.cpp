/// @file
/// The table behind the one export. No exception leaves this file.
#include <specroute/policy_abi.h>
#include <cstdint>
#include <cstring>
#include <new>
#include <string_view>

#include "router/config.hpp"
#include "router/events.hpp"
#include "router/explain.hpp"
#include "router/instance.hpp"
#include "router/params_hash.hpp"
#include "router/seed_rule.hpp"
#include "router/snapshot.hpp"
#include "router/text_buffer.hpp"

namespace specroute::router {
namespace {

constexpr std::string_view kName = "specroute";
constexpr std::string_view kVersion = "0.1.0";

srp_str borrowed(std::string_view text) {
  return {text.data(), text.size()};
}

std::int32_t refuse(srp_error* err, std::int32_t code, std::string_view why, std::size_t offset) {
  if (err == nullptr || err->struct_size < sizeof(srp_error)) return code;
  TextBuffer text(err->buf, err->cap);
  text.text(why);
  err->len = static_cast<std::uint32_t>(text.written());
  err->config_offset = static_cast<std::uint32_t>(offset);
  return code;
}

/// Parses, and turns whatever goes wrong into a code.
std::int32_t parse(srp_str json, Config& config, srp_error* err) {
  if (json.ptr == nullptr) return refuse(err, SRP_E_ARG, "no configuration text", 0);
  if (json.len > UINT32_MAX) return refuse(err, SRP_E_ARG, "the configuration is too long", 0);
  try {
    const auto fault = parse_config({json.ptr, json.len}, config);
    return fault ? refuse(err, SRP_E_CONFIG, fault->text, fault->offset) : SRP_OK;
  } catch (const std::bad_alloc&) {
    return refuse(err, SRP_E_SPACE, "out of memory", 0);
  } catch (const std::exception& error) {
    return refuse(err, SRP_E_CONFIG, error.what(), 0);
  }
}

std::int32_t validate(srp_str json, srp_error* err) {
  Config config;
  return parse(json, config, err);
}

std::int32_t create(const srp_host* host, srp_str json, srp_policy** out, srp_error* err) {
  if (out == nullptr || host == nullptr) return refuse(err, SRP_E_ARG, "no host or no place", 0);
  *out = nullptr;
  if (host->struct_size < sizeof(srp_host) || host->abi >> 16U != SRP_ABI_V1 >> 16U)
    return refuse(err, SRP_E_ABI, "the host speaks another version", 0);
  if (host->alloc == nullptr || host->free == nullptr)
    return refuse(err, SRP_E_ARG, "the host lends no memory", 0);
  Config config;
  if (const auto code = parse(json, config, err); code != SRP_OK) return code;
  *out = make_instance(*host, config);
  return *out != nullptr ? SRP_OK : refuse(err, SRP_E_SPACE, "the host has no memory", 0);
}

void destroy(srp_policy* policy) {
  if (policy != nullptr) destroy_instance(policy);
}

std::int32_t feed(srp_policy* policy, const srp_record* event, void* out, std::size_t cap,
                  std::size_t* used) {
  if (policy == nullptr || event == nullptr || used == nullptr) return SRP_E_ARG;
  *used = 0;
  if (out == nullptr && cap != 0) return SRP_E_ARG;
  return on_event(*policy, *event, out, cap, *used);
}

std::int32_t snapshot(const srp_policy* policy, void* buf, std::size_t cap, std::size_t* need) {
  if (policy == nullptr || (buf == nullptr && cap != 0)) return SRP_E_ARG;
  const std::size_t bytes = snapshot_bytes(*policy);
  if (need != nullptr) *need = bytes;
  if (cap < bytes) return SRP_E_SPACE;
  write_snapshot(*policy, static_cast<std::byte*>(buf));
  return SRP_OK;
}

std::int32_t restore(srp_policy* policy, const void* buf, std::size_t len, srp_error* err) {
  if (policy == nullptr || buf == nullptr) return refuse(err, SRP_E_ARG, "no snapshot", 0);
  const auto why = read_snapshot(*policy, static_cast<const std::byte*>(buf), len);
  return why.empty() ? SRP_OK : refuse(err, SRP_E_STATE, why, 0);
}

std::uint64_t digest(const srp_policy* policy) {
  return policy == nullptr ? 0 : state_digest(*policy);
}

srp_str reason_code(std::uint32_t reason) {
  return borrowed(reason_text(reason).code);
}

std::int32_t explain_decision(const srp_decision* decision, char* buf, std::size_t cap,
                              std::size_t* need) {
  if (decision == nullptr || decision->h.size < sizeof(srp_decision)) return SRP_E_ARG;
  TextBuffer text(buf, cap);
  explain(*decision, text);
  if (need != nullptr) *need = text.wanted();
  return text.status();
}

std::int32_t hash(std::uint32_t version, const srp_sampling* sampling, char out[17]) {
  return params_hash(version, sampling, out);
}

std::int32_t judge(const srp_case* question, char* why, std::size_t cap, std::size_t* need) {
  if (question == nullptr) return SRP_E_ARG;
  TextBuffer text(why, cap);
  const auto verdict = judge_seed_rule(*question, text);
  if (need != nullptr) *need = text.wanted();
  return verdict;
}

/// Made at the first call, so that a caller's own static objects may ask for it.
const srp_module& module() {
  static const srp_module table{
      .struct_size = sizeof(srp_module),
      .abi = SRP_ABI_V1,
      .name = borrowed(kName),
      .version = borrowed(kVersion),
      .config_schema = borrowed(config_schema()),
      .validate = validate,
      .create = create,
      .destroy = destroy,
      .on_event = feed,
      .snapshot = snapshot,
      .restore = restore,
      .state_digest = digest,
      .reason_code = reason_code,
      .explain = explain_decision,
      .params_hash = hash,
      .judge = judge,
  };
  return table;
}

}  // namespace
}  // namespace specroute::router

extern "C" const srp_module* srp_module_get(uint32_t host_abi) {
  return host_abi >> 16U == SRP_ABI_V1 >> 16U ? &specroute::router::module() : nullptr;
}
