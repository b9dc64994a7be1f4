#include "models/workload/arrival_process.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <specroute/vocab/check.hpp>

#include "models/random/distributions.hpp"
#include "models/random/gamma.hpp"
#include "models/random/portable_math.hpp"

namespace specroute::models {
namespace {

constexpr Seconds kNever{std::numeric_limits<double>::infinity()};
constexpr double kTwoPi = 6.283185307179586476925286766559;

double diurnal_rate(const ArrivalSpec& spec, Seconds date) {
  const double turns = (date - spec.peak) / spec.period;
  const double phase = turns - std::floor(turns);
  return spec.rate_per_s * (1.0 + spec.amplitude * portable::cos(kTwoPi * phase));
}

/// Index of the last point at or before `date`.
std::size_t point_before(const std::vector<RatePoint>& points, Seconds date) {
  const auto after = std::ranges::upper_bound(points, date, {}, &RatePoint::at);
  check(after != points.begin(), "the first point of a rate stands at 0");
  return static_cast<std::size_t>(after - points.begin()) - 1;
}

double piecewise_rate(const ArrivalSpec& spec, Seconds date) {
  const std::size_t index = point_before(spec.points, date);
  const RatePoint& from = spec.points[index];
  if (!spec.linear || index + 1 == spec.points.size()) return from.rate_per_s;
  const RatePoint& to = spec.points[index + 1];
  const double share = (date - from.at) / (to.at - from.at);
  return from.rate_per_s + share * (to.rate_per_s - from.rate_per_s);
}

bool lasts(const RateBurst& burst, Seconds date) {
  return burst.at <= date && date < burst.at + burst.duration;
}

double burst_factor(const std::vector<RateBurst>& bursts, Seconds date) {
  double factor = 1.0;
  for (const RateBurst& burst : bursts)
    if (lasts(burst, date)) factor *= burst.factor;
  return factor;
}

/// The next date after `date` at which a burst begins or ends.
Seconds burst_edge(const std::vector<RateBurst>& bursts, Seconds date) {
  Seconds edge = kNever;
  for (const RateBurst& burst : bursts)
    for (const Seconds one : {burst.at, burst.at + burst.duration})
      if (one > date) edge = std::min(edge, one);
  return edge;
}

/// Whether the rate varies within a piece, so that candidates must be thinned.
bool varies(const ArrivalSpec& spec) {
  return spec.kind == ArrivalKind::diurnal || (spec.kind == ArrivalKind::piecewise && spec.linear);
}

}  // namespace

double rate_at(const ArrivalSpec& spec, Seconds date) {
  check(spec.kind != ArrivalKind::markov_modulated, "a modulated rate is a matter of chance");
  double rate = spec.rate_per_s;
  if (spec.kind == ArrivalKind::none) rate = 0.0;
  if (spec.kind == ArrivalKind::diurnal) rate = diurnal_rate(spec, date);
  if (spec.kind == ArrivalKind::piecewise) rate = piecewise_rate(spec, date);
  return rate * burst_factor(spec.rate_bursts, date);
}

ArrivalProcess::ArrivalProcess(const ArrivalSpec& spec, Seconds horizon, const Seed& seed,
                               std::uint64_t entity)
    : spec_(spec),
      horizon_(horizon),
      gaps_(seed.stream("arrivals", entity)),
      states_(seed.stream("arrival states", entity)),
      given_(spec.request_bursts.size(), 0) {
  if (spec_.kind == ArrivalKind::markov_modulated)
    state_end_ = exponential(spec_.states.front().mean_dwell, states_.uniform());
}

double ArrivalProcess::unit_gap() {
  // A coefficient of variation of 1 is the exponential distribution, draw for draw.
  if (spec_.kind != ArrivalKind::gamma || spec_.cv == 1.0) return exponential_unit(gaps_.uniform());
  return gamma_from_mean_and_cv(1.0, spec_.cv, gaps_.uniform_open());
}

void ArrivalProcess::change_state() {
  const auto others = static_cast<double>(spec_.states.size() - 1);
  const auto draw = static_cast<std::size_t>(states_.uniform() * others);
  const std::size_t next = std::min(draw, spec_.states.size() - 2);
  state_ = next < state_ ? next : next + 1;
  state_end_ += exponential(spec_.states[state_].mean_dwell, states_.uniform());
}

ArrivalProcess::Piece ArrivalProcess::base_piece() {
  switch (spec_.kind) {
    case ArrivalKind::none:
      return {.rate_per_s = 0.0, .end = kNever};
    case ArrivalKind::poisson:
    case ArrivalKind::gamma:
      return {.rate_per_s = spec_.rate_per_s, .end = kNever};
    case ArrivalKind::markov_modulated:
      while (state_end_ <= clock_) change_state();
      return {.rate_per_s = spec_.states[state_].rate_per_s, .end = state_end_};
    case ArrivalKind::diurnal:
      return {.rate_per_s = spec_.rate_per_s * (1.0 + spec_.amplitude), .end = kNever};
    case ArrivalKind::piecewise: {
      const std::size_t index = point_before(spec_.points, clock_);
      const bool last = index + 1 == spec_.points.size();
      const double rate = spec_.points[index].rate_per_s;
      if (last) return {.rate_per_s = rate, .end = kNever};
      const RatePoint& next = spec_.points[index + 1];
      return {.rate_per_s = spec_.linear ? std::max(rate, next.rate_per_s) : rate, .end = next.at};
    }
  }
  return {.rate_per_s = 0.0, .end = kNever};
}

ArrivalProcess::Piece ArrivalProcess::piece() {
  Piece found = base_piece();
  if (spec_.rate_bursts.empty()) return found;
  found.rate_per_s *= burst_factor(spec_.rate_bursts, clock_);
  found.end = std::min(found.end, burst_edge(spec_.rate_bursts, clock_));
  return found;
}

Seconds ArrivalProcess::next_of_process() {
  while (clock_ < horizon_) {
    double gap = unit_gap();
    Piece now = piece();
    // A gap that outlasts the piece goes on in the next, less what it has spent.
    while (now.end < kNever && (now.end - clock_).count() * now.rate_per_s < gap) {
      gap -= (now.end - clock_).count() * now.rate_per_s;
      clock_ = now.end;
      if (clock_ >= horizon_) return kNever;
      now = piece();
    }
    if (now.rate_per_s == 0.0) return clock_ = kNever;
    clock_ += Seconds{gap / now.rate_per_s};
    if (!varies(spec_) || gaps_.uniform() * now.rate_per_s < rate_at(spec_, clock_)) return clock_;
  }
  return kNever;
}

/// Bursts may overlap; the earliest request that is left comes first, ties to the first burst.
Seconds ArrivalProcess::next_of_bursts(std::size_t& index) const {
  Seconds earliest = kNever;
  for (std::size_t b = 0; b < given_.size(); ++b) {
    const RequestBurst& burst = spec_.request_bursts[b];
    if (given_[b] == burst.requests) continue;
    const Seconds date = burst.at + burst.over * (static_cast<double>(given_[b]) / burst.requests);
    if (date >= earliest) continue;
    earliest = date;
    index = b;
  }
  return earliest;
}

std::optional<Seconds> ArrivalProcess::next() {
  if (!has_pending_) pending_ = next_of_process();
  has_pending_ = true;
  std::size_t burst = 0;
  const Seconds of_burst = next_of_bursts(burst);
  const Seconds date = std::min(pending_, of_burst);
  if (!(date < horizon_)) return std::nullopt;
  if (of_burst < pending_)
    ++given_[burst];
  else
    has_pending_ = false;
  return date;
}

}  // namespace specroute::models
