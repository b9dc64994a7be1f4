#include "models/speculation/calibration_search.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <utility>

#include <specroute/vocab/check.hpp>

#include "models/random/portable_math.hpp"
#include "models/speculation/broyden.hpp"
#include "models/speculation/rules.hpp"

namespace specroute::models {
namespace {

constexpr double kTolerance = 1e-9;     // of an acceptance, where it is smooth
constexpr double kJumps = 1e-3;         // where tokens pass a cut one by one
constexpr double kCoarseError = 0.025;  // of an acceptance over a few positions
constexpr double kSame = 0.03;          // distance in logarithms below which two roots are one

struct Axis {
  double low;  // of the logarithm
  double step;
};

/// What the readings say of a point, over one table.
class Equations {
 public:
  Equations(const SearchProblem& problem, std::shared_ptr<const PositionTable> table)
      : problem_(problem), table_(std::move(table)) {}

  [[nodiscard]] std::size_t size() const { return problem_.readings.size(); }
  [[nodiscard]] EquationSystem system() const {
    return {size(), [this](const Unknowns& x) { return residual(x); }};
  }

  [[nodiscard]] PairParameters pair(const Unknowns& x) const {
    std::size_t next = 1;
    const double sharpness = portable::exp(x[0]);
    const double ratio = problem_.ratio ? *problem_.ratio : portable::exp(x[next++]);
    const double fidelity = problem_.fidelity ? *problem_.fidelity : portable::exp(x[next++]);
    return {.sharpness = sharpness,
            .noise = ratio * fidelity * sharpness,
            .fidelity = fidelity,
            .sharpness_spread = problem_.sharpness_spread};
  }

  /// Acceptances less those wanted. Readings at equal parameters share a pass.
  [[nodiscard]] Unknowns residual(const Unknowns& x) const {
    const PairModel model{pair(x), table_};
    Unknowns result{};
    for (std::size_t i = 0; i < size(); ++i) {
      const Reading& reading = problem_.readings[i];
      const bool known =
          i > 0 && same_distribution(reading.parameters, problem_.readings[i - 1].parameters);
      if (!known) accepted_ = healthy_acceptance(model, reading.parameters);
      result[i] = (reading.rejection ? accepted_.rejection : accepted_.exact_match) - reading.alpha;
    }
    return result;
  }

 private:
  const SearchProblem& problem_;
  std::shared_ptr<const PositionTable> table_;
  mutable HealthyAcceptance accepted_{};
};

/// The scan of the box.
class Grid {
 public:
  Grid(const SearchProblem& problem, const Equations& equations)
      : unknowns_(equations.size()),
        points_(unknowns_ == 1   ? 28
                : unknowns_ == 2 ? 12
                                 : 8) {
    double temperature = 0.0;
    for (const Reading& reading : problem.readings)
      temperature = std::max(temperature, reading.parameters.temperature);
    add_axis(0.5 * temperature, 100.0 * temperature);
    if (!problem.ratio) add_axis(2e-3, 4.0);
    if (!problem.fidelity) add_axis(0.25, 4.0);
    check(axes_.size() == unknowns_, "a search has as many unknowns as readings");
    std::size_t nodes = 1;
    for (std::size_t k = 0; k < unknowns_; ++k) nodes *= points_;
    for (std::size_t node = 0; node < nodes; ++node)
      residuals_.push_back(equations.residual(point(node, 0.0)));
  }

  [[nodiscard]] std::size_t nodes() const { return residuals_.size(); }
  [[nodiscard]] const Unknowns& residual(std::size_t node) const { return residuals_[node]; }

  /// The place of a node, moved by `shift` cells along every axis.
  [[nodiscard]] Unknowns point(std::size_t node, double shift) const {
    Unknowns x{};
    for (std::size_t k = 0; k < unknowns_; ++k) {
      x[k] = axes_[k].low + (static_cast<double>(node % points_) + shift) * axes_[k].step;
      node /= points_;
    }
    return x;
  }

  /// Least and greatest residual of a reading over the corners of the cell above a node; nothing at
  /// the upper ends of the axes.
  [[nodiscard]] std::optional<std::pair<double, double>> range(std::size_t node,
                                                               std::size_t reading) const {
    std::pair<double, double> result{residuals_[node][reading], residuals_[node][reading]};
    for (std::size_t corner = 0; corner < (std::size_t{1} << unknowns_); ++corner) {
      std::size_t other = node;
      std::size_t stride = 1;
      for (std::size_t k = 0; k < unknowns_; ++k, stride *= points_) {
        if ((corner >> k & 1U) == 0) continue;
        if (node / stride % points_ + 1 == points_) return std::nullopt;
        other += stride;
      }
      result.first = std::min(result.first, residuals_[other][reading]);
      result.second = std::max(result.second, residuals_[other][reading]);
    }
    return result;
  }

  /// Whether the first `readings` all pass their wanted values in the cell above a node, or come as
  /// close as `slack`.
  [[nodiscard]] bool may_meet(std::size_t node, std::size_t readings, double slack) const {
    for (std::size_t i = 0; i < readings; ++i) {
      const auto found = range(node, i);
      if (!found || found->first > slack || found->second < -slack) return false;
    }
    return true;
  }

  /// Whether two places are closer than a cell along every axis.
  [[nodiscard]] bool close(const Unknowns& a, const Unknowns& b) const {
    for (std::size_t k = 0; k < unknowns_; ++k)
      if (std::fabs(a[k] - b[k]) > 0.6 * axes_[k].step) return false;
    return true;
  }

  /// Whether a place lies in the box, or half a cell beside it.
  [[nodiscard]] bool holds(const Unknowns& x) const {
    for (std::size_t k = 0; k < unknowns_; ++k) {
      const double cell = (x[k] - axes_[k].low) / axes_[k].step;
      if (cell < -0.5 || cell > static_cast<double>(points_) - 0.5) return false;
    }
    return true;
  }

 private:
  void add_axis(double low, double high) {
    const double start = portable::log(low);
    axes_.push_back({start, (portable::log(high) - start) / static_cast<double>(points_ - 1)});
  }

  std::size_t unknowns_;
  std::size_t points_;
  std::vector<Axis> axes_;
  std::vector<Unknowns> residuals_;
};

bool known(const std::vector<Approach>& roots, const Unknowns& x, std::size_t size) {
  return std::ranges::any_of(roots, [&](const Approach& root) {
    Unknowns distance{};
    for (std::size_t k = 0; k < size; ++k) distance[k] = root.x[k] - x[k];
    return largest(distance, size) < kSame;
  });
}

/// Where Broyden's method leads on the coarse table from the cells that may hold a root.
std::vector<Approach> coarse_approaches(const Grid& grid, const Equations& coarse, double slack) {
  std::vector<Approach> found;
  const EquationSystem system = coarse.system();
  for (std::size_t node = 0; node < grid.nodes(); ++node) {
    if (!grid.may_meet(node, coarse.size(), slack)) continue;
    const Unknowns start = grid.point(node, 0.5);
    if (std::ranges::any_of(found, [&](const auto& root) { return grid.close(root.x, start); }))
      continue;
    const Slopes slopes = slopes_at(system, start, coarse.residual(start));
    const Approach one = approach_root(system, start, slopes, 0.01 * kJumps);
    if (grid.holds(one.x) && one.error < kCoarseError && !known(found, one.x, coarse.size()))
      found.push_back(one);
  }
  return found;
}

/// Roots on the coarse table; where there are none, the place that comes nearest.
std::vector<Approach> coarse_roots(const Grid& grid, const Equations& coarse) {
  std::vector<Approach> found = coarse_approaches(grid, coarse, 0.0);
  std::vector<Approach> roots;
  std::ranges::copy_if(found, std::back_inserter(roots),
                       [](const Approach& one) { return one.error < kJumps; });
  if (!roots.empty()) return roots;
  if (found.empty()) found = coarse_approaches(grid, coarse, kCoarseError);
  const auto nearest = std::ranges::min_element(found, {}, &Approach::error);
  if (nearest != found.end()) roots.push_back(*nearest);
  return roots;
}

void name_range(const Grid& grid, const SearchProblem& problem, SearchResult& result) {
  const std::size_t last = problem.readings.size() - 1;
  for (std::size_t reading = 0; reading <= last; ++reading) {
    double lowest = 1.0;
    double highest = 0.0;
    const double wanted = problem.readings[reading].alpha;
    for (std::size_t node = 0; node < grid.nodes(); ++node) {
      const auto found = grid.range(node, reading);
      if (!found || !grid.may_meet(node, reading, kCoarseError)) continue;
      lowest = std::min(lowest, found->first + wanted);
      highest = std::max(highest, found->second + wanted);
    }
    result.impossible = reading;
    result.lowest = std::max(0.0, lowest);
    result.highest = std::min(1.0, highest);
    if (wanted < lowest || wanted > highest) return;
  }
}

bool cuts(const SearchProblem& problem) {
  return std::ranges::any_of(problem.readings, [](const Reading& reading) {
    const SamplingParameters& p = reading.parameters;
    return p.top_k > 0 || p.top_p < 1.0 || p.min_p > 0.0;
  });
}

/// One search: a scan on a table of so many positions, and its roots on the full table.
SearchResult search_from(const SearchProblem& problem, std::size_t coarse_positions) {
  const Equations coarse{
      problem, std::make_shared<const PositionTable>(PositionTableSize{
                   .positions = coarse_positions, .vocabulary = problem.table->vocabulary()})};
  const Equations full{problem, problem.table};
  const Grid grid{problem, coarse};
  std::vector<Approach> roots;
  for (const Approach& start : coarse_roots(grid, coarse)) {
    const Slopes slopes = slopes_at(coarse.system(), start.x, coarse.residual(start.x));
    const Approach found = approach_root(full.system(), start.x, slopes, kTolerance);
    const double allowed = cuts(problem) ? kJumps : 10.0 * kTolerance;
    if (found.error <= allowed && grid.holds(found.x) && !known(roots, found.x, full.size()))
      roots.push_back(found);
  }
  SearchResult result;
  for (const Approach& root : roots) result.roots.push_back(full.pair(root.x));
  if (roots.empty()) name_range(grid, problem, result);
  return result;
}

}  // namespace

SearchResult search_pairs(const SearchProblem& problem) {
  const std::size_t unknowns = problem.readings.size();
  check(unknowns >= 1 && unknowns <= kMaxUnknowns, "a search has one to three readings");
  const bool fidelity_alone = unknowns == 2 && problem.ratio;  // the least certain of the systems
  auto found = search_from(problem, unknowns == 1 || fidelity_alone ? 32 : 16);
  if (!found.roots.empty()) return found;
  return search_from(problem, unknowns == 3 ? 64 : 128);  // nothing is refused on a rough table
}

}  // namespace specroute::models
