#include "tests/property/router/attribution_oracle.hpp"

#include <algorithm>

namespace specroute::router::test {
namespace {

constexpr std::array<std::uint32_t, 4> kBits{SRP_FP_TOKENIZER, SRP_FP_PARAMS, SRP_FP_KV,
                                             SRP_FP_MASK};
constexpr std::size_t kParams = 1;

bool refused(std::int32_t status) {
  return status < 0 && status != SRP_E_FULL;
}

/// Whether some number of the latest windows of a run has this acceptance.
bool is_of_latest(const std::vector<std::pair<std::uint64_t, std::uint64_t>>& run,
                  std::int64_t reward_ppm) {
  std::uint64_t accepted = 0;
  std::uint64_t drafted = 0;
  for (auto window = run.rbegin(); window != run.rend(); ++window) {
    accepted += window->first;
    drafted += window->second;
    if (drafted != 0 && static_cast<std::int64_t>(accepted * 1'000'000 / drafted) == reward_ppm)
      return true;
  }
  return false;
}

}  // namespace

AttributionOracle::Side AttributionOracle::first_seen(const srp_side& seen) const {
  Side side;
  side.backend = seen.backend;
  side.incarnation = seen.incarnation;
  learn(side, seen);
  return side;
}

bool AttributionOracle::learn(Side& side, const srp_side& seen) const {
  if (seen.incarnation < side.incarnation) return false;
  const bool restarted = seen.incarnation > side.incarnation;
  if (restarted) {
    side.words = {};
    side.incarnation = seen.incarnation;
  }
  const std::array<std::uint64_t, 4> values{seen.tokenizer,
                                            hash_version_ == 2 ? seen.params_v2 : seen.params_v1,
                                            seen.kv_block_tokens, seen.mask};
  const bool reported = seen.provenance != SRP_CLAIMED;
  for (std::size_t i = 0; i < kBits.size(); ++i) {
    // What is claimed never outranks what was reported.
    if ((seen.known & kBits[i]) == 0 || (side.words[i].reported && !reported)) continue;
    side.words[i] = {values[i], true, reported};
  }
  return restarted;
}

bool AttributionOracle::differs(const Row& row) {
  for (std::size_t i = 0; i < kBits.size(); ++i) {
    const Word& a = row.draft.words[i];
    const Word& b = row.target.words[i];
    if (a.known && b.known && a.value != b.value) return true;
  }
  return false;
}

bool AttributionOracle::off_profile(const Row& row) {
  const auto off = [&row](const Word& word) {
    return row.required != 0 && word.known && word.value != row.required;
  };
  return off(row.draft.words[kParams]) || off(row.target.words[kParams]);
}

bool AttributionOracle::reported_equal(const Row& row) {
  for (std::size_t i = 0; i < kBits.size(); ++i)
    if (!row.draft.words[i].reported || !row.target.words[i].reported) return false;
  return !differs(row);
}

bool AttributionOracle::verified(const Row& row) {
  return reported_equal(row) && !off_profile(row);
}

/// Whoever does not state a hash does not take back what was stated.
void AttributionOracle::ask(Row& row, const srp_profile& profile) const {
  const auto stated = hash_version_ == 2 ? profile.required_v2 : profile.required_v1;
  if (stated != 0) row.required = stated;
}

void AttributionOracle::break_run(Row& row, srp_ns at) {
  row.broken_at = std::max(row.broken_at, at);
  row.runs = false;
  row.run.clear();
}

void AttributionOracle::on_bind(const srp_ev_bind& event) {
  Row row;
  row.draft = first_seen(event.draft);
  row.target = first_seen(event.target);
  ask(row, event.profile);
  row.broken_at = event.h.now;
  const auto failover = failovers_.find(event.h.pairing);
  if (failover != failovers_.end()) row.epoch_at = failover->second;
  rows_[{event.h.pairing, event.profile.id}] = row;
}

void AttributionOracle::on_window(const srp_ev_window& event) {
  const auto found = rows_.find({event.h.pairing, event.profile.id});
  if (found == rows_.end() || found->second.ended) return;
  Row& row = found->second;
  const bool late = (event.window_flags & SRP_WIN_STALE) != 0;
  if (late || event.draft.incarnation < row.draft.incarnation ||
      event.target.incarnation < row.target.incarnation)
    return;
  const bool fell = (event.window_flags & SRP_WIN_COUNTER_RESET) != 0;
  // Who reported it was another life of the engine.
  if (fell)
    for (Side* side : {&row.draft, &row.target})
      for (Word& word : side->words) word.reported = false;
  const bool draft_restarted = learn(row.draft, event.draft);
  const bool target_restarted = learn(row.target, event.target);
  ask(row, event.profile);
  if (draft_restarted || target_restarted || fell) {
    row.epoch_at = event.h.now;
    return break_run(row, event.h.now);
  }
  off_profile_window_ = reported_equal(row) && off_profile(row);
  invalid_window_ = differs(row) || off_profile(row);
  if (!verified(row)) return break_run(row, event.to);
  invalid_window_ = !row.runs && event.from < row.broken_at;
  if (!row.runs) row.run_since = std::max(event.from, row.broken_at);
  row.runs = true;
  if (!invalid_window_) row.run.emplace_back(event.accepted, event.drafted);
}

void AttributionOracle::on_sampling(const srp_ev_sampling& event) {
  for (auto& [key, row] : rows_) {
    if (key.second != event.profile.id || row.ended) continue;
    for (Side* side : {&row.draft, &row.target}) {
      if (side->backend != event.side.backend || !learn(*side, event.side)) continue;
      row.epoch_at = event.h.now;
      break_run(row, event.h.now);
    }
    if (!verified(row)) break_run(row, event.h.now);
  }
}

void AttributionOracle::on_failover(const srp_ev_failover& event) {
  failovers_[event.h.pairing] = event.h.now;
  for (auto& [key, row] : rows_) {
    if (key.first != event.h.pairing) continue;
    row.epoch_at = event.h.now;
    break_run(row, event.h.now);
  }
}

void AttributionOracle::hear(const AnyEvent& event, std::int32_t status) {
  invalid_window_ = off_profile_window_ = false;
  if (refused(status)) return;
  switch (event.head().type) {
    case SRP_EV_BIND:
      return on_bind(event.as<srp_ev_bind>());
    case SRP_EV_WINDOW:
      return on_window(event.as<srp_ev_window>());
    case SRP_EV_SAMPLING:
      return on_sampling(event.as<srp_ev_sampling>());
    case SRP_EV_FAILOVER:
      return on_failover(event.as<srp_ev_failover>());
    case SRP_EV_UNBIND:
      failovers_.erase(event.head().pairing);
      for (auto& [key, row] : rows_)
        if (key.first == event.head().pairing) row.ended = true;
      return;
    default:
      return;
  }
}

void AttributionOracle::hear(const srp_decision& decision) {
  const bool stops = decision.h.type == SRP_NO_DRAFT || decision.h.type == SRP_QUARANTINE;
  const auto found = rows_.find({decision.h.pairing, decision.profile});
  if (stops && found != rows_.end()) break_run(found->second, decision.h.now);
}

std::size_t AttributionOracle::fault_of(const srp_decision& lock) const {
  const auto found = rows_.find({lock.h.pairing, lock.profile});
  if (found == rows_.end() || found->second.ended) return 0;
  const Row& row = found->second;
  const srp_ns now = lock.h.now;
  const std::array<bool, 6> faults{differs(row),
                                   off_profile(row),
                                   !verified(row),
                                   row.epoch_at != 0 && now < row.epoch_at + cool_down_,
                                   !row.runs || now < row.run_since + cool_down_,
                                   !is_of_latest(row.run, lock.reward_ppm)};
  return 1 +
         static_cast<std::size_t>(std::find(faults.begin(), faults.end(), true) - faults.begin());
}

}  // namespace specroute::router::test
