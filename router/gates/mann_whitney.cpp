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
#include <cstddef>
#include <cstring>

#include "router/gate.hpp"

namespace specroute::router {
namespace {

constexpr std::size_t kBins = 32;
// The tally: bins of 16 bits, of the rates before the fail-over, then of those after it.
static_assert(sizeof(Tally) == 2 * kBins * sizeof(std::uint16_t));

/// One bin where it stands: copies of all of them at each window would cost more than the test.
std::uint16_t bin_of(const Tally& tally, std::size_t place) {
  std::uint16_t n = 0;
  std::memcpy(&n, reinterpret_cast<const std::byte*>(tally.data()) + place * sizeof n, sizeof n);
  return n;
}
void set_bin(Tally& tally, std::size_t place, std::uint16_t n) {
  std::memcpy(reinterpret_cast<std::byte*>(tally.data()) + place * sizeof n, &n, sizeof n);
}

/// A rate after the fail-over. Beyond 2^15 of a kind all halve: the shape stays, and old windows
/// fade.
void count(Tally& tally, std::int64_t ppm) {
  const auto bin =
      std::min<std::size_t>(kBins - 1, static_cast<std::size_t>(ppm) * kBins / 1'000'000);
  const auto more = static_cast<std::uint16_t>(bin_of(tally, kBins + bin) + 1);
  set_bin(tally, kBins + bin, more);
  if (more < (1U << 15U)) return;
  for (std::size_t i = kBins; i < 2 * kBins; ++i)
    set_bin(tally, i, static_cast<std::uint16_t>(bin_of(tally, i) / 2));
}

struct Ranks {
  std::uint64_t before = 0;  ///< rates
  std::uint64_t after = 0;
  Wide twice_excess = 0;   ///< 2 U - n m: positive where those after rank higher
  Wide variance_over = 0;  ///< 12 N (N - 1) times the variance of U
  Wide scale = 0;          ///< 12 N (N - 1)
};

Ranks ranks_of(const Tally& tally) {
  // Bins are below 2^16: the sums stay below 2^58.
  std::uint64_t n = 0;
  std::uint64_t m = 0;
  std::uint64_t twice_u = 0;
  std::uint64_t ties = 0;
  for (std::size_t i = 0; i < kBins; ++i) {
    // Four bins stand in a word, and most are empty.
    if (i % 4 == 0 && (tally[i / 4] | tally[(kBins + i) / 4]) == 0) {
      i += 3;
      continue;
    }
    const std::uint64_t before = bin_of(tally, i);
    const std::uint64_t after = bin_of(tally, kBins + i);
    const std::uint64_t both = before + after;
    twice_u += after * (2 * n + before);
    ties += both * both * both - both;
    n += before;
    m += after;
  }
  const Wide all = Wide{n} + m;
  const Wide pairs = Wide{n} * m;
  return {n, m, twice_u - pairs, pairs * ((all + 1) * all * (all - 1) - ties),
          12 * all * (all - 1)};
}

}  // namespace

void observe_mann_whitney(const Evidence& evidence, const Config&, Tally& tally) {
  if (!evidence.measured) return;
  count(tally, rate_ppm(evidence.post));
}

Tally carry_ranks(const Tally& from, bool at_failover) {
  constexpr std::ptrdiff_t kHalf = std::tuple_size_v<Tally> / 2;
  Tally fresh{};
  std::copy_n(from.begin() + (at_failover ? kHalf : 0), kHalf, fresh.begin());
  return fresh;
}

Verdict judge_mann_whitney(const Evidence& evidence, const Config& config) {
  if (!evidence.after_failover) return hold(Reason::no_failover);
  const Ranks ranks = ranks_of(*evidence.tally);
  if (ranks.before < config.min_windows || ranks.after < config.min_windows)
    return hold(Reason::too_few_windows);
  // (2 (U - n m / 2))^2 > 4 L^2 variance, L in thousandths.
  const Wide limit = config.limit_millisigma;
  const bool alarm = ranks.twice_excess * ranks.twice_excess * 1'000'000 / 4 >
                     limit * limit * (ranks.variance_over / ranks.scale);
  if (!alarm) return lock(Reason::no_change_detected);
  return ranks.twice_excess > 0 ? rebind_blindly(Reason::ranks_higher) : hold(Reason::ranks_lower);
}

}  // namespace specroute::router
