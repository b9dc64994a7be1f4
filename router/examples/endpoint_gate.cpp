/// @file
/// What an endpoint picker beside Envoy (an ext_proc server) adds to its endpoints: counters in,
/// the endpoints that may serve out. Each endpoint is an engine with its draft inside, so a pairing
/// is one endpoint between two take-overs. The gRPC around it is the picker's own.
///
/// It plays the incident with three endpoints, and exits with 0 where the stale one is left out.
#include <specroute/policy_abi.h>

#include <cstdint>
#include <cstdio>
#include <map>
#include <specroute/router/policy.hpp>
#include <string>
#include <utility>
#include <vector>

namespace {

using specroute::router::Policy;

constexpr srp_ns kSecond = 1'000'000'000;

// The engine's counters of speculation since it began.
struct Counters {
  std::uint64_t drafts = 0, draft_tokens = 0, accepted_tokens = 0;
};

struct Endpoint {
  std::uint64_t backend = 0;  // of its target; its draft has the next number
  std::uint64_t pairing = 0;
  Counters seen;
  srp_ns scraped_at = 0;
  srp_ns barred_until = 0;
};

class EndpointGate {
 public:
  // A configuration that the library refuses ends the start: it is no reason to run without a gate.
  EndpointGate(Policy policy, std::uint64_t required)
      : policy_(std::move(policy)), profile_{1, required, required, 0} {}

  // An endpoint was added, or takes over: it serves as a new pairing.
  void bind(srp_ns now, const std::string& address) {
    const auto number = 2 * endpoints_.size();
    auto& endpoint = endpoints_.try_emplace(address, Endpoint{number, 0, {}, now, 0}).first->second;
    endpoint.pairing = ++pairings_;
    auto event = of<srp_ev_bind>(SRP_EV_BIND, now, endpoint.pairing);
    event.profile = profile_;
    event.draft = side(endpoint.backend + 1, profile_.required_v1, SRP_CLAIMED);
    event.target = side(endpoint.backend, profile_.required_v1, SRP_CLAIMED);
    event.forward = SRP_FORWARD_LOGITS;
    tell(event);
  }

  // Envoy ejected `lost`, or its health check failed: `heir` gets its requests.
  void take_over(srp_ns now, const std::string& lost, const std::string& heir) {
    const auto replaced = endpoints_.at(lost);
    const auto ended = endpoints_.at(heir);
    auto event = of<srp_ev_failover>(SRP_EV_FAILOVER, now, pairings_ + 1);
    event.from_pairing = replaced.pairing;
    event.from_backend = replaced.backend;
    event.to_backend = ended.backend;
    event.to_incarnation = 1;
    tell(event);
    bind(now, heir);
    tell(of<srp_ev_unbind>(SRP_EV_UNBIND, now, replaced.pairing));
    tell(of<srp_ev_unbind>(SRP_EV_UNBIND, now, ended.pairing));
  }

  // What /metrics of an endpoint says now, and the params hash that its draft reports.
  void scraped(srp_ns now, const std::string& address, const Counters& counters,
               std::uint64_t draft_params) {
    auto& endpoint = endpoints_.at(address);
    auto event = of<srp_ev_window>(SRP_EV_WINDOW, now, endpoint.pairing);
    event.profile = profile_;
    event.draft = side(endpoint.backend + 1, draft_params, SRP_LIVE);
    event.target = side(endpoint.backend, profile_.required_v1, SRP_LIVE);
    event.from = endpoint.scraped_at;
    event.to = now;
    if (counters.draft_tokens < endpoint.seen.draft_tokens) {
      event.window_flags = SRP_WIN_COUNTER_RESET;  // a restarted engine: compared with nothing
    } else {
      event.steps = counters.drafts - endpoint.seen.drafts;
      event.drafted = counters.draft_tokens - endpoint.seen.draft_tokens;
      event.accepted = counters.accepted_tokens - endpoint.seen.accepted_tokens;
    }
    endpoint.seen = counters;
    endpoint.scraped_at = now;
    tell(event);
  }

  // The value of x-gateway-destination-endpoint: those that may serve, else all of them. Envoy
  // itself leaves out those that it has ejected.
  [[nodiscard]] std::string destinations(srp_ns now) const {
    std::string allowed, all;
    for (const auto& [address, endpoint] : endpoints_) {
      all += (all.empty() ? "" : ",") + address;
      if (endpoint.barred_until <= now) allowed += (allowed.empty() ? "" : ",") + address;
    }
    return allowed.empty() ? all : allowed;
  }

 private:
  template <class Event>
  static Event of(std::uint16_t type, srp_ns now, std::uint64_t pairing) {
    Event event{};
    event.h.size = sizeof event;
    event.h.type = type;
    event.h.now = now;
    event.h.pairing = pairing;
    return event;
  }

  static srp_side side(std::uint64_t backend, std::uint64_t params, std::uint32_t provenance) {
    srp_side made{};
    made.backend = backend;
    made.incarnation = 1;
    made.tokenizer = 11;
    made.params_v1 = made.params_v2 = params;
    made.kv_block_tokens = 16;
    made.mask = 1;
    made.known = SRP_FP_TOKENIZER | SRP_FP_PARAMS | SRP_FP_KV | SRP_FP_MASK;
    made.provenance = provenance;
    return made;
  }

  template <class Event>
  void tell(const Event& event) {
    const auto answer = policy_.on_event(event);
    // Refused, and nothing has changed: traffic goes on, and nothing is rewarded. Count it.
    if (answer.status < 0 && answer.status != SRP_E_FULL) ++refused_;
    const std::vector<srp_decision> said(answer.decisions.begin(), answer.decisions.end());
    for (const auto& decision : said) carry_out(decision);
  }

  void carry_out(const srp_decision& decision) {
    std::printf("%s\n", policy_.explain(decision).c_str());
    if (decision.dry_run != 0) return;
    for (auto& [address, endpoint] : endpoints_) {
      if (endpoint.pairing != decision.h.pairing) continue;
      if (decision.h.type == SRP_NO_DRAFT || decision.h.type == SRP_QUARANTINE) {
        endpoint.barred_until = decision.valid_until;  // no request can ask it for no draft
      } else if (decision.h.type != SRP_REBIND) {
        endpoint.barred_until = 0;  // HOLD, LOCK
      } else {                      // nor for another one: the policy falls back to NO_DRAFT
        auto event = of<srp_ev_outcome>(SRP_EV_OUTCOME, decision.h.now, decision.h.pairing);
        event.decision = decision.id;
        event.result = SRP_DECLINED_NO_CANDIDATE;
        tell(event);
      }
    }
  }

  Policy policy_;
  srp_profile profile_;
  std::map<std::string, Endpoint> endpoints_;
  std::uint64_t pairings_ = 0;
  std::uint64_t refused_ = 0;
};

}  // namespace

int main() {
  constexpr std::uint64_t kWanted = 0x60b4daf1243ef008;  // params_hash(0.7, 0.95, 42, "json-v1")
  constexpr std::uint64_t kStale = 0x0a582a5ffabcb4ff;   // params_hash(0.0, 0.95, 42, "json-v1")
  auto made = Policy::create(specroute::router::linked_module(), R"({"gate": "validity"})");
  if (!made.ok()) return 2;
  EndpointGate gate(std::move(made).value(), kWanted);
  for (const auto* address : {"10.0.0.1:80", "10.0.0.2:80", "10.0.0.3:80"}) gate.bind(0, address);
  for (std::uint64_t s = 1; s <= 60; ++s)
    gate.scraped(s * kSecond, "10.0.0.1:80", {s * 500, s * 1000, s * 410}, kWanted);
  gate.take_over(60 * kSecond, "10.0.0.1:80", "10.0.0.2:80");
  gate.scraped(61 * kSecond, "10.0.0.2:80", {500, 1000, 940}, kStale);
  const auto left = gate.destinations(61 * kSecond);
  std::printf("x-gateway-destination-endpoint: %s\n", left.c_str());
  return left == "10.0.0.1:80,10.0.0.3:80" ? 0 : 1;
}
