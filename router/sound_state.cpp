#include "router/sound_state.hpp"

#include <algorithm>
#include <tuple>

#include "router/recent.hpp"

namespace specroute::router {
namespace {

/// Counts::add() halves from 2^49 on, and one window brings less than 2^40.
bool is_sound(const Counts& counts) {
  return counts.accepted <= counts.drafted && counts.drafted < (std::uint64_t{1} << 49U);
}

}  // namespace

bool is_sound(const BindRow& row, const BindRow* before, std::uint32_t baselines) {
  const auto key = [](const BindRow& one) { return std::tuple(one.pairing, one.profile); };
  return (before == nullptr || key(*before) < key(row)) && row.grade <= Grade::invalid &&
         row.n_exclude <= SRP_MAX_EXCLUDE &&
         (row.baseline == kNoBaseline || row.baseline < baselines) && is_sound(row.pre) &&
         is_sound(row.unjudged) && is_sound(row.latest);
}

bool has_sound_tally(const BindRow& row, const Gate& gate) {
  if (!gate.reads_health && !gate.reads_quality) return true;
  const auto recent = read_tally<RecentTally>(row.tally);
  return std::all_of(recent.slots.begin(), recent.slots.end(), [](const Outcomes& slot) {
    return slot.bad <= slot.total && slot.total < kMostOfSlot;
  });
}

bool is_sound(const Baseline& baseline) {
  return std::all_of(baseline.slots.begin(), baseline.slots.end(), [](const BaselineSlot& slot) {
    return is_sound(slot.verified) && is_sound(slot.unattributed);
  });
}

}  // namespace specroute::router
