/// @file
/// What may be rewarded, worked out a second time from the events alone: the definition that gates
/// are held to, written without a look at how the router keeps its books.
#pragma once

#include <specroute/policy_abi.h>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "tests/unit/router/random_host.hpp"

namespace specroute::router::test {

/// What can be wrong with a reward, the gravest first; the last is nothing.
constexpr std::array<const char*, 8> kRewardFaults{
    "rewards a pairing that is not bound",
    "rewards a pair that is known to differ",
    "rewards a pair off its profile",
    "rewards a pair that nobody verified",
    "rewards within a cool-down of a fail-over or restart",
    "rewards before a full cool-down of verified windows",
    "rewards the acceptance of other windows",
    ""};

/// Acceptance may be rewarded where the pair is attributed: fingerprints that the engines reported
/// since they started were equal, and those that the profile asks for, in every window, and nothing
/// else was heard, for one cool-down on end, in which there was no bind, no fail-over, no restart
/// and no time without drafts. A window that began before all that is no part of it.
class AttributionOracle {
 public:
  AttributionOracle(srp_ns cool_down, int hash_version)
      : cool_down_(cool_down), hash_version_(hash_version) {}

  /// Takes over an event that the policy did not refuse (`status` SRP_OK, SRP_IGNORED, SRP_E_FULL).
  void hear(const AnyEvent& event, std::int32_t status);
  /// What is wrong with a LOCK that was said at the event heard last: an index into kRewardFaults.
  [[nodiscard]] std::size_t fault_of(const srp_decision& lock) const;
  /// A NO_DRAFT or QUARANTINE: what was attributed ends here.
  void hear(const srp_decision& decision);
  /// Whether the event heard last was a window that counts, of a pair that is known to differ, from
  /// each other or from its profile, or which began before the pair was verified: one that must
  /// move nothing.
  [[nodiscard]] bool was_invalid_window() const { return invalid_window_; }
  /// Whether it was a window of two sides that agree, by their engines, on other parameters than
  /// those of their profile.
  [[nodiscard]] bool was_window_off_profile() const { return off_profile_window_; }

 private:
  struct Word {
    std::uint64_t value = 0;
    bool known = false;
    bool reported = false;  ///< by the engine itself
  };
  struct Side {
    std::uint64_t backend = 0;
    std::uint64_t incarnation = 0;
    std::array<Word, 4> words{};  ///< tokenizer, params, KV block, mask
  };
  struct Row {
    Side draft, target;
    std::uint64_t required = 0;
    bool ended = false;
    srp_ns broken_at = 0;  ///< bind, fail-over, restart, or anything that was not verified
    srp_ns epoch_at = 0;   ///< fail-over or restart
    bool runs = false;
    srp_ns run_since = 0;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> run;  ///< accepted, drafted
  };

  [[nodiscard]] Side first_seen(const srp_side& seen) const;
  /// @return whether the backend restarted
  bool learn(Side& side, const srp_side& seen) const;
  [[nodiscard]] static bool differs(const Row& row);
  [[nodiscard]] static bool off_profile(const Row& row);
  [[nodiscard]] static bool reported_equal(const Row& row);
  [[nodiscard]] static bool verified(const Row& row);
  static void break_run(Row& row, srp_ns at);

  void ask(Row& row, const srp_profile& profile) const;
  void on_bind(const srp_ev_bind& event);
  void on_window(const srp_ev_window& event);
  void on_sampling(const srp_ev_sampling& event);
  void on_failover(const srp_ev_failover& event);

  srp_ns cool_down_;
  int hash_version_;
  bool invalid_window_ = false;
  bool off_profile_window_ = false;
  std::map<std::pair<std::uint64_t, std::uint64_t>, Row> rows_;  ///< by pairing and profile
  std::map<std::uint64_t, srp_ns> failovers_;                    ///< by new pairing
};

}  // namespace specroute::router::test
