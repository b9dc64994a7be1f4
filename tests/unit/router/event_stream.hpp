/// @file
/// The incident's event stream in miniature, for the router's tests: dates in seconds, one profile,
/// target 3 fails over to target 7, and draft 2 may carry a stale temperature.
#pragma once

#include <specroute/policy_abi.h>
#include <cstdint>
#include <specroute/router/policy.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace specroute::router::test {

constexpr std::uint64_t kWanted = 0x60b4daf1243ef008;  // params_hash(0.7, 0.95, 42, "json-v1")
constexpr std::uint64_t kStale = 0x0a582a5ffabcb4ff;   // params_hash(0.0, 0.95, 42, "json-v1")
constexpr std::uint64_t kProfile = 1;
constexpr std::uint64_t kOldTarget = 3;
constexpr std::uint64_t kNewTarget = 7;
constexpr std::uint64_t kDraft = 2;
constexpr std::uint32_t kEverything =
    SRP_FP_TOKENIZER | SRP_FP_PARAMS | SRP_FP_KV | SRP_FP_MASK | SRP_FP_MODEL;

inline srp_ns seconds(double s) {
  return static_cast<srp_ns>(s * 1e9 + 0.5);
}

inline srp_side side(std::uint64_t backend, std::uint64_t params, std::uint32_t provenance) {
  srp_side made{};
  made.backend = backend;
  made.incarnation = 1;
  made.model = backend == kDraft || backend >= 20 ? 100 : 200;  // drafts: 2 and 20, 21, ...
  made.tokenizer = 11;
  made.params_v1 = made.params_v2 = params;
  made.kv_block_tokens = 16;
  made.mask = 1;
  made.known = kEverything;
  made.provenance = provenance;
  return made;
}

template <class Event>
Event event(std::uint16_t type, double at_s, std::uint64_t pairing) {
  Event made{};
  made.h.size = sizeof made;
  made.h.type = type;
  made.h.now = seconds(at_s);
  made.h.pairing = pairing;
  return made;
}

inline srp_profile profile() {
  return {kProfile, kWanted, kWanted, 0};
}

/// A bind whose fingerprints are claimed, and claimed equal.
inline srp_ev_bind bind(double at_s, std::uint64_t pairing, std::uint64_t draft,
                        std::uint64_t target) {
  auto made = event<srp_ev_bind>(SRP_EV_BIND, at_s, pairing);
  made.profile = profile();
  made.draft = side(draft, kWanted, SRP_CLAIMED);
  made.target = side(target, kWanted, SRP_CLAIMED);
  made.forward = SRP_FORWARD_LOGITS;
  made.draft_tokens = 2;
  return made;
}

/// 50 ms of traffic: 1000 drafted tokens, `accepted` of them accepted, both sides as wanted.
inline srp_ev_window window(double at_s, std::uint64_t pairing, std::uint64_t accepted) {
  auto made = event<srp_ev_window>(SRP_EV_WINDOW, at_s, pairing);
  made.profile = profile();
  made.draft = side(kDraft, kWanted, SRP_LIVE);
  made.target = side(kNewTarget, kWanted, SRP_LIVE);
  made.from = made.h.now < seconds(0.05) ? 0 : made.h.now - seconds(0.05);
  made.to = made.h.now;
  made.steps = 500;
  made.drafted = 1000;
  made.accepted = accepted;
  made.latency_p50_ns = 434'000'000;
  return made;
}

inline srp_ev_failover failover(double at_s, std::uint64_t from_pairing, std::uint64_t pairing) {
  auto made = event<srp_ev_failover>(SRP_EV_FAILOVER, at_s, pairing);
  made.from_backend = kOldTarget;
  made.to_backend = kNewTarget;
  made.from_pairing = from_pairing;
  return made;
}

inline srp_ev_outcome outcome(double at_s, std::uint64_t decision, std::uint32_t result) {
  auto made = event<srp_ev_outcome>(SRP_EV_OUTCOME, at_s, 0);
  made.decision = decision;
  made.result = result;
  return made;
}

inline srp_ev_health health(double at_s, std::uint64_t backend, std::uint64_t requests,
                            std::uint64_t errors, std::uint64_t timeouts = 0) {
  auto made = event<srp_ev_health>(SRP_EV_HEALTH, at_s, 0);
  made.backend = backend;
  made.requests = requests;
  made.errors = errors;
  made.timeouts = timeouts;
  return made;
}

inline srp_ev_quality quality(double at_s, std::uint64_t pairing, std::uint64_t sampled,
                              std::uint64_t looping, std::uint64_t invalid = 0) {
  auto made = event<srp_ev_quality>(SRP_EV_QUALITY, at_s, pairing);
  made.profile = kProfile;
  made.sampled = sampled;
  made.looping = looping;
  made.schema_invalid = invalid;
  return made;
}

inline srp_ev_tick tick(double at_s) {
  return event<srp_ev_tick>(SRP_EV_TICK, at_s, 0);
}

/// A policy and everything it said.
class Stream {
 public:
  explicit Stream(std::string_view config)
      : policy(Policy::create(linked_module(), config).value()) {}
  static Stream of_gate(const std::string& gate) { return Stream("{\"gate\": \"" + gate + "\"}"); }
  /// Of a gate, after its target failed over: see fail_over().
  static Stream after_failover(const std::string& gate,
                               std::uint32_t forward = SRP_FORWARD_LOGITS) {
    Stream stream = of_gate(gate);
    stream.fail_over(forward);
    return stream;
  }

  template <class Event>
  std::int32_t send(const Event& sent) {
    const auto answer = policy.on_event(sent);
    last.assign(answer.decisions.begin(), answer.decisions.end());
    said.insert(said.end(), last.begin(), last.end());
    return answer.status;
  }

  /// Pairing 1 (draft 2, target 3) serves 60 s at acceptance 0.413, live and consistent; then
  /// target 7 takes over at 100 s as pairing 2. What was said until then is forgotten.
  void fail_over(std::uint32_t forward = SRP_FORWARD_LOGITS) {
    send(bind(0, 1, kDraft, kOldTarget));
    for (int i = 0; i < 60; ++i) {
      auto healthy = window(39 + i, 1, 413);
      healthy.target = side(kOldTarget, kWanted, SRP_LIVE);
      send(healthy);
    }
    said.clear();
    send(failover(100, 1, 2));
    auto bound = bind(100, 2, kDraft, kNewTarget);
    bound.forward = forward;
    send(bound);
    send(event<srp_ev_unbind>(SRP_EV_UNBIND, 100, 1));
  }

  /// Windows of pairing 2 each 10 s from `from_s` to `to_s`.
  void serve(double from_s, double to_s, std::uint64_t accepted,
             std::uint64_t draft_params = kWanted) {
    for (double at = from_s; at <= to_s; at += 10) {
      auto seen = window(at, 2, accepted);
      seen.draft = side(kDraft, draft_params, SRP_LIVE);
      send(seen);
    }
  }

  [[nodiscard]] std::size_t count(std::uint32_t type) const {
    std::size_t n = 0;
    for (const auto& decision : said) n += decision.h.type == type ? 1U : 0U;
    return n;
  }
  [[nodiscard]] std::string reason() const {
    return said.empty() ? "" : std::string(policy.reason_code(said.back()));
  }
  [[nodiscard]] std::uint32_t type() const { return said.empty() ? 0 : said.back().h.type; }

  Policy policy;
  std::vector<srp_decision> last;
  std::vector<srp_decision> said;
};

}  // namespace specroute::router::test
