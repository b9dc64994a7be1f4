/// @file
/// What a host asks of the decisions of a policy that it does not trust.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include <specroute/policy_abi.h>

namespace specroute::sim {

class DecisionRules {
 public:
  /// Remembers which pairings and profiles were bound. Call it before the event is answered.
  void note(const srp_record& event);

  /// What is wrong with one decision about the latest event, in words; empty where nothing is.
  /// Its number must be greater than those before it.
  [[nodiscard]] std::string fault(const srp_decision& decision);

  /// The number that the next decision would have if they were counted.
  [[nodiscard]] std::uint64_t next_id() const { return last_id_ + 1; }

 private:
  [[nodiscard]] std::string head_fault(const srp_decision& decision) const;
  [[nodiscard]] std::string span_fault(const srp_decision& decision) const;

  std::set<std::pair<std::uint64_t, std::uint64_t>> bound_;  ///< pairing and profile
  std::uint64_t last_id_ = 0;
  srp_record event_{};
  std::uint64_t on_this_date_ = 0;  ///< decisions since time last went on
};

}  // namespace specroute::sim
