#include "sim/plugins/decision_rules.hpp"

#include <specroute/router/decision_name.hpp>

namespace specroute::sim {
namespace {

/// Far more than any gate says of one date; beyond it an answer to each outcome never ends.
constexpr std::uint64_t kMostOnOneDate = 10'000;
constexpr std::int64_t kMillion = 1'000'000;

bool ends_by_itself(std::uint16_t type) {
  return type == SRP_LOCK || type == SRP_NO_DRAFT || type == SRP_QUARANTINE;
}

std::string reward_fault(const srp_decision& decision) {
  const bool locks = decision.h.type == SRP_LOCK;
  if (decision.reward_ppm < 0 || decision.reward_ppm > kMillion)
    return "reward_ppm is " + std::to_string(decision.reward_ppm) + ", outside of 0 to 1000000";
  if (!locks && decision.reward_ppm != 0) return "reward_ppm is of a lock alone";
  return {};
}

std::string constraint_fault(const srp_decision& decision) {
  const srp_constraint& to = decision.to;
  const bool replaces = to.replace == SRP_REPLACE_DRAFT || to.replace == SRP_REPLACE_TARGET;
  if (decision.h.type == SRP_REBIND && !replaces)
    return "to.replace is " + std::to_string(to.replace) + ", which is no side";
  if (decision.h.type != SRP_REBIND && to.replace != SRP_KEEP_NONE)
    return "a side to replace is of a rebind alone";
  if (to.n_exclude > SRP_MAX_EXCLUDE)
    return "to.n_exclude is " + std::to_string(to.n_exclude) + ", more than " +
           std::to_string(SRP_MAX_EXCLUDE);
  constexpr std::uint32_t kKnown =
      SRP_FP_TOKENIZER | SRP_FP_PARAMS | SRP_FP_KV | SRP_FP_MASK | SRP_FP_MODEL;
  if ((to.match & ~kKnown) != 0) return "to.match has bits that mean nothing";
  const bool hashes = (to.match & SRP_FP_PARAMS) != 0;
  if (to.params_version > 2 || (hashes && to.params_version == 0))
    return "to.params_version is " + std::to_string(to.params_version);
  return {};
}

}  // namespace

void DecisionRules::note(const srp_record& event) {
  if (event.now != event_.now) on_this_date_ = 0;
  event_ = event;
  if (event.type != SRP_EV_BIND) return;
  const auto& bind = reinterpret_cast<const srp_ev_bind&>(event);
  bound_.insert({event.pairing, bind.profile.id});
}

std::string DecisionRules::fault(const srp_decision& decision) {
  if (++on_this_date_ > kMostOnOneDate)
    return "decides without end: more than " + std::to_string(kMostOnOneDate) +
           " decisions on one date";
  const std::string_view name = router::decision_name(decision.h.type);
  if (name.empty()) return "type " + std::to_string(decision.h.type) + " is no decision";
  for (const std::string& fault : {head_fault(decision), span_fault(decision),
                                   reward_fault(decision), constraint_fault(decision)})
    if (!fault.empty()) return std::string(name).append(": ").append(fault);
  last_id_ = decision.id;
  return {};
}

std::string DecisionRules::head_fault(const srp_decision& decision) const {
  if (decision.h.size != sizeof(srp_decision))
    return "size is " + std::to_string(decision.h.size) + ", not " +
           std::to_string(sizeof(srp_decision));
  if (decision.h.now != event_.now || decision.h.seq != event_.seq)
    return "now and seq are not those of the event";
  if (decision.id <= last_id_)
    return "id is " + std::to_string(decision.id) + " after " + std::to_string(last_id_);
  if (!bound_.contains({decision.h.pairing, decision.profile}))
    return "pairing " + std::to_string(decision.h.pairing) + " with profile " +
           std::to_string(decision.profile) + " was never bound";
  if (decision.dry_run > 1) return "dry_run is " + std::to_string(decision.dry_run);
  return {};
}

std::string DecisionRules::span_fault(const srp_decision& decision) const {
  const bool ends = ends_by_itself(decision.h.type);
  if (ends && decision.valid_until <= event_.now) return "valid_until is not after now";
  if (!ends && decision.valid_until != 0) return "valid_until is set, yet it never ends by itself";
  if (decision.wake_at != 0 && decision.wake_at <= event_.now) return "wake_at is not after now";
  return {};
}

}  // namespace specroute::sim
