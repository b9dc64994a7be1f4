#include "router/fleet.hpp"

#include <algorithm>

#include "router/fixed_point.hpp"

namespace specroute::router {
namespace {

/// Under the root of an arm's upper confidence bound, sum / n + sqrt(2 ln N / n) in millionths.
/// @param ln_plays ln of all plays N, in millionths
std::uint64_t under_root(std::uint64_t ln_plays, std::uint64_t plays) {
  return 2 * ln_plays / plays * 1'000'000;
}

/// The upper confidence bound of an arm in parts per million; without a play it is unbounded.
std::uint64_t upper_bound_ppm(const Tally& arm, std::uint64_t ln_plays) {
  const std::uint64_t plays = plays_of(arm);
  if (plays == 0) return SRP_FOREVER;
  return reward_of(arm) / plays + whole_root(under_root(ln_plays, plays));
}

/// upper_bound_ppm(arm) > bound, without a root: whole_root(x) > d exactly where (d + 1)^2 <= x.
bool exceeds(const Tally& arm, std::uint64_t ln_plays, std::uint64_t bound) {
  const std::uint64_t plays = plays_of(arm);
  if (plays == 0) return bound != SRP_FOREVER;
  const std::uint64_t mean = reward_of(arm) / plays;
  if (mean > bound) return true;
  const std::uint64_t over = bound - mean;
  return over < UINT32_MAX && (over + 1) * (over + 1) <= under_root(ln_plays, plays);
}

/// Whether no live arm of the profile has a higher bound. The arm that was higher the last time is
/// asked first: it mostly still is.
bool has_best_bound(const srp_policy& policy, const BindRow& row, FleetSums& sums) {
  const auto ln_plays = static_cast<std::uint64_t>(micro_ln(sums.plays, 1));
  const std::uint64_t own = upper_bound_ppm(row.tally, ln_plays);
  const auto rows = policy.binds.rows.all();
  std::size_t at = sums.witness < rows.size() ? sums.witness : 0;
  for (std::size_t asked = 0; asked < rows.size(); ++asked) {
    const BindRow& other = rows[at];
    if (other.profile == row.profile && other.ended == 0 && &other != &row &&
        exceeds(other.tally, ln_plays, own)) {
      sums.witness = at;
      return false;
    }
    at = at + 1 == rows.size() ? 0 : at + 1;
  }
  return true;
}

/// All but the row's own; scaled to the room that Counts has.
Counts others_of(const FleetSums& sums, const BindRow& row) {
  const bool own = row.judged != 0;
  Wide drafted = sums.drafted - (own ? Wide{row.latest.drafted} : 0);
  Wide accepted = sums.accepted - (own ? Wide{row.latest.accepted} : 0);
  while (drafted >= (Wide{1} << 49U)) {
    drafted /= 2;
    accepted /= 2;
  }
  return {static_cast<std::uint64_t>(drafted), static_cast<std::uint64_t>(accepted)};
}

std::uint64_t quarantined_of(const srp_policy& policy, std::uint64_t profile, std::uint64_t now) {
  const auto rows = policy.binds.rows.all();
  return static_cast<std::uint64_t>(std::count_if(rows.begin(), rows.end(), [&](const auto& one) {
    return one.profile == profile && one.ended == 0 && quarantined(one, now);
  }));
}

}  // namespace

FleetView fleet_of(srp_policy& policy, const BindRow& row, std::uint64_t now) {
  FleetSums& sums = *policy.fleets.find(row.profile);
  FleetView fleet;
  if (policy.fleets.of_counts) fleet.others = others_of(sums, row);
  fleet.members = sums.members;
  fleet.peers = sums.peers;
  fleet.sum_ppm = sums.sum_ppm;
  fleet.squares_ppm = sums.squares_ppm;
  // Quarantines end by the clock, so they are counted where there are any.
  if (sums.held != 0) fleet.quarantined = quarantined_of(policy, row.profile, now);
  if (policy.fleets.of_arms && sums.plays != 0)
    fleet.best_bound = has_best_bound(policy, row, sums);
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
