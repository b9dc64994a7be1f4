#include "tests/property/router/invariants.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <specroute/router/policy.hpp>
#include <specroute/vocab/check.hpp>
#include <utility>

#include "tests/property/router/attribution_oracle.hpp"

namespace specroute::router::test {
namespace {

using Decisions = std::vector<srp_decision>;

/// An instance that has heard nothing: made once for each configuration, and put back by restoring
/// its first state, which takes a fraction of the time.
Policy& fresh_policy(const std::string& config) {
  struct Made {
    Policy policy;
    std::vector<std::byte> blank;
  };
  static std::map<std::string, Made> all;
  auto found = all.find(config);
  if (found == all.end()) {
    auto policy = Policy::create(linked_module(), config).value();
    auto blank = policy.snapshot();
    found = all.emplace(config, Made{std::move(policy), std::move(blank)}).first;
  }
  check(found->second.policy.restore(found->second.blank) == SRP_OK, "a first state is taken back");
  return found->second.policy;
}

/// What was said at each event.
std::vector<Decisions> answers_to(const Subject& subject, const Story& story) {
  Policy& policy = fresh_policy(subject.config);
  std::vector<Decisions> answers;
  answers.reserve(story.size());
  for (const AnyEvent& event : story) {
    const auto said = policy.on_record(event.head()).decisions;
    answers.emplace_back(said.begin(), said.end());
  }
  return answers;
}

bool same_bytes(const Decisions& one, const Decisions& other) {
  return one.size() == other.size() &&
         (one.empty() ||
          std::memcmp(one.data(), other.data(), one.size() * sizeof(srp_decision)) == 0);
}

/// Without the numbers of what was measured last, where they only report: those of the baseline
/// stay, and all of a LOCK, which rests on them.
Decisions without_measurement(Decisions decisions) {
  for (srp_decision& decision : decisions)
    if (decision.h.type != SRP_LOCK) decision.arg[0] = decision.arg[1] = decision.arg[3] = 0;
  return decisions;
}

/// Whether the same was done, whatever the numbers behind it.
bool same_action(const Decisions& one, const Decisions& other) {
  if (one.size() != other.size()) return false;
  for (std::size_t i = 0; i < one.size(); ++i)
    if (one[i].h.type != other[i].h.type || one[i].reason != other[i].reason ||
        one[i].valid_until != other[i].valid_until || one[i].h.pairing != other[i].h.pairing)
      return false;
  return true;
}

/// Which events are windows of a pair that is known to differ.
std::vector<bool> invalid_windows(const Subject& subject, const Story& story) {
  Policy& policy = fresh_policy(subject.config);
  AttributionOracle oracle(subject.cool_down, subject.hash_version);
  std::vector<bool> invalid;
  for (const AnyEvent& event : story) {
    oracle.hear(event, policy.on_record(event.head()).status);
    invalid.push_back(oracle.was_invalid_window());
  }
  return invalid;
}

/// How the accepted tokens of invalid windows are varied.
enum class Variation {
  by_far,  ///< what would be found good is found bad
  up,      ///< by up to a tenth of what was drafted, which many gates answer in the same way ...
  down     ///< ... and some remember
};

std::uint64_t varied_count(const srp_ev_window& window, Variation variation) {
  if (variation == Variation::by_far)
    return window.accepted * 2 > window.drafted ? 0 : window.drafted;
  const std::uint64_t step = window.drafted * (1 + window.h.seq * 37 % 100) / 1000;
  if (variation == Variation::up) return std::min(window.drafted, window.accepted + step);
  return window.accepted - std::min(window.accepted, step);
}

/// Holds the answers to a story and to its variation together.
/// @param invalid which events were varied
void compare(const Story& story, const std::vector<bool>& invalid,
             const std::vector<Decisions>& one, const std::vector<Decisions>& other,
             Finding& finding) {
  ++finding.comparisons;
  std::set<std::uint64_t> spoilt;  // pairings that had such windows
  for (std::size_t i = 0; i < story.size(); ++i) {
    if (invalid[i]) {
      spoilt.insert(story[i].head().pairing);
      if (!same_action(one[i], other[i])) {
        ++finding.abandoned;
        return;
      }
      ++finding.invalid_windows;
    } else if (!same_bytes(without_measurement(one[i]), without_measurement(other[i]))) {
      const srp_decision& said = one[i].empty() ? other[i].front() : one[i].front();
      const bool of_another = !spoilt.contains(said.h.pairing);
      const std::size_t rank = of_another ? 0 : 1;
      if (rank >= finding.rank) return;
      finding.rank = rank;
      finding.fault = of_another ? "lets invalid windows move what is said of other pairings"
                                 : "smooths invalid windows into the pairing's later judgement";
      return;
    }
  }
}

}  // namespace

Finding rewards_only_attributed(const Subject& subject, const Story& story) {
  Policy& policy = fresh_policy(subject.config);
  AttributionOracle oracle(subject.cool_down, subject.hash_version);
  Finding finding;
  for (const AnyEvent& event : story) {
    const auto answer = policy.on_record(event.head());
    oracle.hear(event, answer.status);
    finding.off_profile += oracle.was_window_off_profile() ? 1U : 0U;
    for (const srp_decision& decision : answer.decisions) {
      if (policy.reason_code(decision) == "off_profile") ++finding.tempted;
      if (decision.h.type == SRP_LOCK) {
        ++finding.locks;
        finding.rank = std::min(finding.rank, oracle.fault_of(decision));
      }
      oracle.hear(decision);
    }
  }
  if (finding.rank < kRewardFaults.size()) finding.fault = kRewardFaults[finding.rank];
  return finding;
}

Finding discards_invalid_windows(const Subject& subject, const Story& story) {
  Finding finding;
  const auto invalid = invalid_windows(subject, story);
  if (std::find(invalid.begin(), invalid.end(), true) == invalid.end()) return finding;
  const auto one = answers_to(subject, story);
  for (const Variation variation : {Variation::by_far, Variation::up, Variation::down}) {
    Story varied = story;
    for (std::size_t i = 0; i < story.size(); ++i)
      if (invalid[i])
        varied[i].as<srp_ev_window>().accepted =
            varied_count(story[i].as<srp_ev_window>(), variation);
    compare(story, invalid, one, answers_to(subject, varied), finding);
  }
  return finding;
}

Finding ignores_latency(const Subject& subject, const Story& story) {
  Story varied = story;
  Finding finding;
  std::uint64_t latency = 0;
  for (AnyEvent& event : varied) {
    if (event.head().type != SRP_EV_WINDOW || event.head().size < sizeof(srp_ev_window)) continue;
    latency = (latency + 379'000'000) % 1'000'000'007;
    event.as<srp_ev_window>().latency_p50_ns = latency;
    ++finding.latencies;
  }
  const auto one = answers_to(subject, story);
  const auto other = answers_to(subject, varied);
  for (std::size_t i = 0; i < story.size(); ++i) {
    if (same_bytes(one[i], other[i])) continue;
    finding.fault = "decides by latency";
    finding.rank = 0;
    return finding;
  }
  return finding;
}

}  // namespace specroute::router::test
