#include "router/candidate_table.hpp"

#include <algorithm>
#include <span>
#include <tuple>

namespace specroute::router {
namespace {

using Key = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>;

Key key_of(const Candidate& candidate) {
  return {candidate.role, candidate.known.side.backend, candidate.profile};
}

bool excluded(const srp_constraint& to, std::uint64_t backend) {
  const std::span<const std::uint64_t> all{to.exclude, to.n_exclude};
  return backend == to.keep_backend || std::find(all.begin(), all.end(), backend) != all.end();
}

bool known_to_differ(const srp_constraint& to, const srp_side& kept, const srp_side& side) {
  for (const std::uint32_t bit : {SRP_FP_TOKENIZER, SRP_FP_KV, SRP_FP_MASK})
    if ((to.match & bit) != 0 && compare(side, kept, bit, 1) == Match::different) return true;
  return (to.match & side.known & SRP_FP_PARAMS) != 0 &&
         params_of(side, to.params_version) != to.required;
}

}  // namespace

bool comes_before(const Candidate& one, const Candidate& other) {
  return key_of(one) < key_of(other);
}

bool CandidateTable::hear(const srp_ev_candidate& event) {
  Candidate fresh;
  fresh.role = event.role;
  fresh.profile = event.profile;
  fresh.known = first_seen(event.side);
  fresh.available = event.available != 0 ? 1 : 0;
  fresh.load_ppm = event.load_ppm;
  fresh.last_heard = event.h.now;
  const Key key = key_of(fresh);
  const auto before = [&key](const Candidate& other) { return key_of(other) < key; };
  auto at = candidates.lower_bound(before);
  if (at < candidates.size && key_of(candidates.items[at]) == key) {
    auto& known = candidates.items[at].known;
    // The record holds, but its claims do not outrank what the engine itself reported.
    learn(known, event.side);
    fresh.known = known;
    candidates.items[at] = fresh;
    return false;
  }
  const bool evicts = candidates.full();
  if (evicts) {
    std::uint32_t oldest = 0;
    for (std::uint32_t i = 1; i < candidates.size; ++i)
      if (candidates.items[i].last_heard < candidates.items[oldest].last_heard) oldest = i;
    candidates.erase(oldest);
    at = candidates.lower_bound(before);
  }
  candidates.insert(at, fresh);
  return evicts;
}

void CandidateTable::hear(const srp_ev_sampling& event) {
  for (Candidate& candidate : candidates.all())
    if (candidate.known.side.backend == event.side.backend && candidate.profile == event.profile.id)
      learn(candidate.known, event.side);
}

bool CandidateTable::may_have(const srp_constraint& to, const srp_side& kept,
                              std::uint64_t profile) const {
  bool told = false;
  for (const Candidate& candidate : candidates.all()) {
    if (candidate.role != to.replace || candidate.profile != profile) continue;
    told = true;
    const srp_side& side = candidate.known.side;
    if (candidate.available != 0 && !excluded(to, side.backend) && !known_to_differ(to, kept, side))
      return true;
  }
  return !told;
}

}  // namespace specroute::router
