#include "router/fleet.hpp"

#include <algorithm>

#include "router/fixed_point.hpp"

namespace specroute::router {
namespace {

/// The upper confidence bound of an arm in parts per million; without a play it is unbounded.
std::uint64_t upper_bound_ppm(const Tally& tally, std::uint64_t all_plays) {
  const auto arm = read_tally<ArmTally>(tally);
  if (arm.plays == 0) return SRP_FOREVER;
  // sqrt(2 ln N / n) in millionths: the root of 2 micro_ln N / n * 10^6.
  const auto ln = static_cast<std::uint64_t>(micro_ln(all_plays, 1));
  return arm.sum_ppm / arm.plays + whole_root(2 * ln / arm.plays * 1'000'000);
}

void add_peer(FleetView& fleet, const BindRow& peer) {
  const auto rate = static_cast<std::uint64_t>(rate_ppm(peer.latest));
  ++fleet.peers;
  fleet.sum_ppm += rate;
  fleet.squares_ppm += Wide{rate} * rate;
}

void add_member(FleetView& fleet, const BindRow& member, std::uint64_t now) {
  ++fleet.members;
  fleet.quarantined += quarantined(member, now) ? 1U : 0U;
  // What earned a quarantine is no measure, even where its end was not said yet.
  const bool serves = member.quarantine_until == 0;
  if (serves && member.judged != 0 && !member.latest.empty()) add_peer(fleet, member);
}

bool has_best_bound(const srp_policy& policy, const BindRow& row, std::uint64_t plays) {
  const std::uint64_t own = upper_bound_ppm(row.tally, plays);
  const auto rows = policy.binds.rows.all();
  return std::none_of(rows.begin(), rows.end(), [&](const BindRow& other) {
    return other.profile == row.profile && other.ended == 0 && &other != &row &&
           upper_bound_ppm(other.tally, plays) > own;
  });
}

}  // namespace

FleetView fleet_of(const srp_policy& policy, const BindRow& row, std::uint64_t now) {
  FleetView fleet;
  std::uint64_t plays = 0;
  for (const BindRow& other : policy.binds.rows.all()) {
    if (other.profile != row.profile) continue;
    if (&other != &row && other.judged != 0) fleet.others.add(other.latest);
    if (other.ended != 0) continue;
    plays += read_tally<ArmTally>(other.tally).plays;
    add_member(fleet, other, now);
  }
  if (policy.gate->id == SRP_GATE_BANDIT && plays != 0)
    fleet.best_bound = has_best_bound(policy, row, plays);
  return fleet;
}

std::int64_t FleetView::mean_ppm() const {
  return peers == 0 ? 0 : static_cast<std::int64_t>(sum_ppm / peers);
}

std::int64_t FleetView::deviation_ppm() const {
  if (peers == 0) return 0;
  return static_cast<std::int64_t>(whole_root(static_cast<std::uint64_t>(
      (Wide{peers} * squares_ppm - Wide{sum_ppm} * sum_ppm) / (Wide{peers} * peers))));
}

}  // namespace specroute::router
