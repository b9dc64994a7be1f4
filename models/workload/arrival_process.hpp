/// @file
/// Open arrivals: dates at which requests come whether or not anybody has been served.
///
/// Every process is a sequence of gaps of mean 1 that a rate over time stretches. Where the rate is
/// constant between known dates (Poisson, gamma, Markov-modulated, steps, bursts) a gap is spent
/// exactly, piece by piece; where it varies in between (a sinusoid, a ramp) candidates come at the
/// piece's highest rate and are kept with the chance rate / highest.
/// @source Lewis and Shedler, "Simulation of nonhomogeneous Poisson processes by thinning", Naval
/// Research Logistics 26(3), 1979.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <specroute/vocab/units.hpp>

#include "models/random/stream.hpp"

namespace specroute::models {

/// Which process; the spelling of a scenario's `kind`.
enum class ArrivalKind : std::uint8_t {
  none,              ///< nothing but the bursts
  poisson,           ///< exponential gaps at `rate_per_s`
  gamma,             ///< gamma gaps at `rate_per_s`, of coefficient of variation `cv`
  markov_modulated,  ///< Poisson at the rate of a state that changes at random
  diurnal,           ///< Poisson, rate_per_s (1 + amplitude cos(2 pi (t - peak) / period))
  piecewise,         ///< Poisson at a rate given point by point
};

/// A state of a Markov-modulated process. Its stay is exponential; the next is any other, all
/// alike.
struct ModulationState {
  double rate_per_s;   ///< >= 0
  Seconds mean_dwell;  ///< > 0
};

struct RatePoint {
  Seconds at;         ///< rising, the first at 0
  double rate_per_s;  ///< >= 0
};

/// While it lasts the rate is `factor` times what it would be. Overlapping bursts multiply.
struct RateBurst {
  Seconds at;
  Seconds duration;
  double factor;  ///< >= 0
};

/// `requests` requests, evenly over [at, at + over); all at once where `over` is 0.
struct RequestBurst {
  Seconds at;
  std::uint32_t requests;
  Seconds over;
};

/// A process as a scenario states it. Fields that a kind does not name are ignored.
struct ArrivalSpec {
  ArrivalKind kind = ArrivalKind::none;
  double rate_per_s = 0.0;  ///< > 0; of a diurnal process, the mean over a period
  double cv = 1.0;          ///< gamma: in [0.05, 50]; 1 is Poisson
  std::vector<ModulationState>
      states;                     ///< at least two, one of them with a rate; starts in the first
  double amplitude = 0.0;         ///< diurnal: in [0, 1]
  Seconds period{1.0};            ///< diurnal: > 0
  Seconds peak{0.0};              ///< diurnal: a date of the highest rate
  std::vector<RatePoint> points;  ///< piecewise; beyond the last the rate stays
  bool linear = false;            ///< piecewise: ramps between points; else steps
  std::vector<RateBurst> rate_bursts;
  std::vector<RequestBurst> request_bursts;
};

/// Rate over time at a date, for a process whose rate is no matter of chance. In 1/s, bursts
/// included.
[[nodiscard]] double rate_at(const ArrivalSpec& spec, Seconds date);

/// One process from time 0 to a horizon. Its draws are its own: two processes, or two policies
/// under one process, never disturb each other.
class ArrivalProcess {
 public:
  /// @param horizon dates at or beyond it are not given
  /// @param entity whose arrivals they are: selects the streams
  ArrivalProcess(const ArrivalSpec& spec, Seconds horizon, const Seed& seed, std::uint64_t entity);

  /// The date of the next arrival, not before the last; nothing where none comes before the
  /// horizon.
  [[nodiscard]] std::optional<Seconds> next();

 private:
  /// A stretch of time: up to `end`, candidates come at `rate_per_s`.
  struct Piece {
    double rate_per_s;
    Seconds end;
  };
  [[nodiscard]] Seconds next_of_process();
  [[nodiscard]] Seconds next_of_bursts(std::size_t& index) const;
  [[nodiscard]] double unit_gap();
  [[nodiscard]] Piece piece();
  [[nodiscard]] Piece base_piece();
  void change_state();

  ArrivalSpec spec_;
  Seconds horizon_;
  Stream gaps_;
  Stream states_;
  Seconds clock_{0.0};  ///< of the process: where the next gap begins
  Seconds pending_{0.0};
  bool has_pending_ = false;
  std::size_t state_ = 0;
  Seconds state_end_{0.0};
  std::vector<std::uint32_t> given_;  ///< requests that have come, by request burst
};

}  // namespace specroute::models
