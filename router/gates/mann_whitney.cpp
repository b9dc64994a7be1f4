/// @file
/// `mann_whitney`: the canary's test. Rates judged since the fail-over are ranked among those from
/// before it; significantly higher ones are rejected, lower ones held, else it rewards.
///
/// It assumes no distribution. It needs many windows on both sides, so it is late, and it cannot
/// see why ranks moved.
/// Statistic: U of rates in 32 bins, with the correction for ties (exact for binned rates); alarm
/// where |U - n m / 2| > L sqrt(n m / 12 (N + 1 - sum(t^3 - t) / (N (N - 1)))), N = n + m.
/// Parameters: min_drafted, cool_down_s, control_limit_sigma, min_windows, baseline_window_s,
/// retry_s.
/// @source Mann and Whitney 1947; Kayenta's NetflixACAJudge.
#include <algorithm>

#include "router/gate.hpp"

namespace specroute::router {
namespace {

constexpr std::size_t kBins = 32;
using Bins = std::array<std::uint16_t, kBins>;

struct RankTally {
  Bins before{};
  Bins after{};
};

std::uint64_t total(const Bins& bins) {
  std::uint64_t sum = 0;
  for (const std::uint16_t n : bins) sum += n;
  return sum;
}

/// Beyond 2^15 of a kind all halve: the shape stays, and old windows fade.
void count(Bins& bins, std::int64_t ppm) {
  const auto bin =
      std::min<std::size_t>(kBins - 1, static_cast<std::size_t>(ppm) * kBins / 1'000'000);
  if (++bins[bin] < (1U << 15U)) return;
  for (std::uint16_t& n : bins) n = static_cast<std::uint16_t>(n / 2);
}

struct Ranks {
  Wide twice_excess = 0;   ///< 2 U - n m: positive where those after rank higher
  Wide variance_over = 0;  ///< 12 N (N - 1) times the variance of U
  Wide scale = 0;          ///< 12 N (N - 1)
};

Ranks ranks_of(const RankTally& tally) {
  const Wide n = total(tally.before);
  const Wide m = total(tally.after);
  Wide twice_u = 0;
  Wide below = 0;
  Wide ties = 0;
  for (std::size_t i = 0; i < kBins; ++i) {
    const Wide both = Wide{tally.before[i]} + tally.after[i];
    twice_u += Wide{tally.after[i]} * (2 * below + tally.before[i]);
    below += tally.before[i];
    ties += both * both * both - both;
  }
  const Wide all = n + m;
  return {twice_u - n * m, n * m * ((all + 1) * all * (all - 1) - ties), 12 * all * (all - 1)};
}

}  // namespace

void observe_mann_whitney(const Evidence& evidence, const Config&, Tally& tally) {
  if (!evidence.measured) return;
  auto ranks = read_tally<RankTally>(tally);
  count(ranks.after, rate_ppm(evidence.post));
  tally = write_tally(ranks);
}

Tally carry_ranks(const Tally& from, bool at_failover) {
  const auto replaced = read_tally<RankTally>(from);
  RankTally fresh;
  fresh.before = at_failover ? replaced.after : replaced.before;
  return write_tally(fresh);
}

Verdict judge_mann_whitney(const Evidence& evidence, const Config& config) {
  if (!evidence.after_failover) return hold(Reason::no_failover);
  const auto tally = read_tally<RankTally>(*evidence.tally);
  if (total(tally.before) < config.min_windows || total(tally.after) < config.min_windows)
    return hold(Reason::too_few_windows);
  const Ranks ranks = ranks_of(tally);
  // (2 (U - n m / 2))^2 > 4 L^2 variance, L in thousandths.
  const Wide limit = config.limit_millisigma;
  const bool alarm = ranks.twice_excess * ranks.twice_excess * 1'000'000 / 4 >
                     limit * limit * (ranks.variance_over / ranks.scale);
  if (!alarm) return lock(Reason::no_change_detected);
  return ranks.twice_excess > 0 ? rebind_blindly(Reason::ranks_higher) : hold(Reason::ranks_lower);
}

}  // namespace specroute::router
