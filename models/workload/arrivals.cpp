#include "models/workload/arrivals.hpp"

#include <algorithm>

#include <specroute/vocab/check.hpp>

#include "models/random/distributions.hpp"

namespace specroute::models {

PoissonArrivals::PoissonArrivals(std::span<const ArrivalPhase> phases)
    : phases_(phases.begin(), phases.end()) {
  check(!phases_.empty(), "arrivals have a phase");
  for (std::size_t i = 0; i < phases_.size(); ++i) {
    check(phases_[i].rate >= EventRate{0.0}, "an arrival rate is not negative");
    check(i == 0 || phases_[i - 1].start < phases_[i].start, "phases start one after the other");
  }
}

std::optional<Seconds> PoissonArrivals::next(Seconds now, double u) {
  double hazard = exponential_unit(u);  // expected events that still have to pass
  Seconds date = std::max(now, phases_.front().start);
  while (current_ + 1 < phases_.size() && phases_[current_ + 1].start <= date) ++current_;
  for (std::size_t phase = current_; phase < phases_.size(); ++phase) {
    const double rate = phases_[phase].rate.value();
    const bool last = phase + 1 == phases_.size();
    if (last && rate <= 0.0) return std::nullopt;
    if (last) return date + Seconds{hazard / rate};
    const Seconds end = phases_[phase + 1].start;
    const double in_phase = rate * (end - date).count();
    if (hazard < in_phase) return date + Seconds{hazard / rate};
    hazard -= in_phase;
    date = end;
  }
  return std::nullopt;
}

}  // namespace specroute::models
