#include "sim/world/attribution.hpp"

#include <algorithm>

#include <specroute/vocab/check.hpp>

namespace specroute::sim {

std::uint32_t Attribution::owners_index(const std::string& owners) {
  const std::string text = owners.empty() ? "none" : owners;
  const auto known = std::ranges::find(owner_texts_, text);
  const auto index = static_cast<std::uint32_t>(known - owner_texts_.begin());
  if (known == owner_texts_.end()) owner_texts_.push_back(text);
  return index;
}

CircumstanceId Attribution::add(const Circumstance& circumstance) {
  circumstances_.push_back(circumstance);
  return CircumstanceId{static_cast<std::uint32_t>(circumstances_.size() - 1)};
}

CircumstanceId Attribution::open(PairingId pairing, const std::string& owners,
                                 std::uint32_t decision) {
  return add({pairing, owners_index(owners), decision});
}

CircumstanceId Attribution::with_owners(CircumstanceId now, const std::string& owners) {
  Circumstance next = (*this)[now];
  const std::uint32_t before = next.owners;
  next.owners = owners_index(owners);
  return next.owners == before ? now : add(next);
}

CircumstanceId Attribution::with_decision(CircumstanceId now, std::uint32_t decision) {
  Circumstance next = (*this)[now];
  next.decision = decision;
  return add(next);
}

void Attribution::completed(const Sequence& sequence) {
  if (!sequence.degraded()) return;
  check(sequence.blamed.exists(), "what degraded a completion is known");
  ++degraded_[sequence.blamed];
  ++by_cause_[sequence.first_cause];
}

void Attribution::report(Metrics& metrics, const std::vector<std::string>& pairing_names,
                         const std::vector<DecisionEntry>& decisions) const {
  std::map<std::string, std::uint64_t> by_pairing;
  std::map<std::string, std::uint64_t> by_override;
  std::map<std::string, std::uint64_t> by_decision;
  for (const auto& [id, count] : degraded_) {
    by_pairing[pairing_names[(*this)[id].pairing.index()]] += count;
    by_override[owners(id)] += count;
    by_decision[decision_kind(decisions[(*this)[id].decision])] += count;
  }
  const auto append = [&](const std::string& path, const auto& counts) {
    for (const auto& [name, count] : counts)
      metrics.emplace_back(path + name, static_cast<double>(count));
  };
  for (const auto& [cause, count] : by_cause_)
    metrics.emplace_back(std::string("degraded.by_cause.") + to_string(cause),
                         static_cast<double>(count));
  append("degraded.by_pairing.", by_pairing);
  append("degraded.by_override.", by_override);
  append("degraded.by_decision.", by_decision);
}

std::string decision_kind(const DecisionEntry& entry) {
  const std::string type = decision_type_name(entry.decision.h.type);
  return entry.is_bind() ? type + '.' + entry.reason : type;
}

}  // namespace specroute::sim
