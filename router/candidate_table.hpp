/// @file
/// Spare backends that the host has told of.
#pragma once

#include <specroute/policy_abi.h>
#include <cstdint>

#include "router/fingerprint.hpp"
#include "router/table.hpp"

namespace specroute::router {

struct Candidate {
  std::uint64_t role = 0;
  std::uint64_t profile = 0;
  Fingerprint known;
  std::uint64_t available = 0;
  std::int64_t load_ppm = 0;
  std::uint64_t last_heard = 0;
};

/// Whether `one` comes before `other` in the table: by (role, backend, profile).
bool comes_before(const Candidate& one, const Candidate& other);

/// Sorted by (role, backend, profile).
class CandidateTable {
 public:
  Table<Candidate> candidates;

  /// Takes over a record. @return whether another candidate was evicted (longest unheard of)
  bool hear(const srp_ev_candidate& event);
  /// Takes over changed parameters of a backend for one profile, in every role.
  void hear(const srp_ev_sampling& event);
  /// False only where the host has told of candidates for this role and profile, and each is
  /// away, excluded, or known to differ in a bit that must match.
  [[nodiscard]] bool may_have(const srp_constraint& to, const srp_side& kept,
                              std::uint64_t profile) const;
};

}  // namespace specroute::router
