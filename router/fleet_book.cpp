#include "router/fleet_book.hpp"

namespace specroute::router {
namespace {

constexpr std::uint64_t kMinusOne = UINT64_MAX;  // sums are modulo 2^64 on their way

/// @param sign 1 or kMinusOne
void contribute(const FleetBook& book, FleetSums& sums, const BindRow& row, std::uint64_t sign) {
  const auto wide_sign = Wide{static_cast<std::int64_t>(sign)};
  if (book.of_counts && row.judged != 0) {
    sums.drafted += wide_sign * Wide{row.latest.drafted};
    sums.accepted += wide_sign * Wide{row.latest.accepted};
  }
  if (row.ended != 0) return;
  sums.members += sign;
  if (book.of_arms) sums.plays += sign * plays_of(row.tally);
  // What earned a quarantine is no measure, even where its end was not said yet.
  if (row.quarantine_until != 0) {
    sums.held += sign;
  } else if (book.of_peers && row.judged != 0 && !row.latest.empty()) {
    const auto rate = static_cast<std::uint64_t>(rate_ppm(row.latest));
    sums.peers += sign;
    sums.sum_ppm += sign * rate;
    sums.squares_ppm += wide_sign * Wide{rate} * rate;
  }
}

}  // namespace

FleetSums* FleetBook::find(std::uint64_t profile) {
  const auto at =
      sums.lower_bound([profile](const FleetSums& one) { return one.profile < profile; });
  const bool found = at < sums.size && sums.items[at].profile == profile;
  return found ? &sums.items[at] : nullptr;
}

void FleetBook::enter(const BindRow& row) {
  if (!in_use()) return;
  if (find(row.profile) == nullptr) {
    const auto at =
        sums.lower_bound([&row](const FleetSums& one) { return one.profile < row.profile; });
    FleetSums fresh;
    fresh.profile = row.profile;
    sums.insert(at, fresh);
  }
  ++find(row.profile)->rows;
  put_in(row);
}

void FleetBook::leave(const BindRow& row) {
  if (!in_use()) return;
  take_out(row);
  FleetSums* mine = find(row.profile);
  if (--mine->rows == 0) sums.erase(static_cast<std::uint32_t>(mine - sums.items));
}

void FleetBook::take_out(const BindRow& row) {
  contribute(*this, *find(row.profile), row, kMinusOne);
}

void FleetBook::put_in(const BindRow& row) {
  contribute(*this, *find(row.profile), row, 1);
}

void FleetBook::make_anew(std::span<const BindRow> rows) {
  sums.size = 0;
  for (const BindRow& row : rows) enter(row);
}

}  // namespace specroute::router
