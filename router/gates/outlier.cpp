/// @file
/// `outlier`: a pairing whose acceptance is far below that of the profile's other pairings is
/// quarantined, any other rewarded.
///
/// It needs no history and no fingerprint, and finds the one pairing that collapsed. It
/// cannot see what raises acceptance: that makes a pairing better than its peers. Of few pairings
/// none can be an outlier, since among n the deviation is at most sqrt(n - 1) sigma (of five: 2);
/// and where half of them are spoilt at once, sigma grows with the damage.
/// Statistic: x < mean - L sigma over what each serving pairing was judged on last, this one
/// included.
/// Parameters: min_drafted, cool_down_s, ejection_sigma, min_pairings, max_ejected_share,
/// quarantine_s, max_quarantine_s, retry_s.
/// @source Envoy, outlier detection by success rate: 1.9 sigma, 5 hosts, 100 requests, 10 % ejected
/// at most (but one may be), 30 s times the number of ejections, 300 s at most.
#include "router/gate.hpp"

namespace specroute::router {
namespace {

/// mean - x > L sigma, multiplied by the number of peers: S - n x > L sqrt(n Q - S^2).
bool far_below(const FleetView& fleet, std::int64_t rate, std::uint32_t limit_milli) {
  const Wide n = fleet.peers;
  const Wide below = Wide{fleet.sum_ppm} - n * rate;
  const Wide spread = n * fleet.squares_ppm - Wide{fleet.sum_ppm} * fleet.sum_ppm;
  return below > 0 && below * below * 1'000'000 > Wide{limit_milli} * limit_milli * spread;
}

bool may_eject(const FleetView& fleet, const Config& config) {
  return fleet.quarantined == 0 ||
         (fleet.quarantined + 1) * 1'000'000 <= fleet.members * config.max_ejected_ppm;
}

}  // namespace

Verdict judge_outlier(const Evidence& evidence, const Config& config) {
  if (!evidence.measured) return hold(Reason::none);
  const FleetView& fleet = *evidence.fleet;
  if (fleet.peers < config.min_pairings) return hold(Reason::too_few_pairings);
  if (!far_below(fleet, rate_ppm(evidence.post), config.ejection_millisigma))
    return lock(Reason::not_below_other_pairings);
  return may_eject(fleet, config) ? quarantine(Reason::below_other_pairings)
                                  : hold(Reason::ejection_limit);
}

}  // namespace specroute::router
