#include "models/speculation/broyden.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace specroute::models {
namespace {

constexpr int kMaxEvaluations = 24;
constexpr int kMaxHalvings = 4;
constexpr double kSingular = 1e-12;

void move_pivot_up(Slopes& a, Unknowns& b, std::size_t column, std::size_t size) {
  std::size_t pivot = column;
  for (std::size_t row = column + 1; row < size; ++row)
    if (std::fabs(a[row][column]) > std::fabs(a[pivot][column])) pivot = row;
  std::swap(a[column], a[pivot]);
  std::swap(b[column], b[pivot]);
  // A step of no use, which halving then shortens away.
  if (std::fabs(a[column][column]) < kSingular) a[column][column] = kSingular;
}

// Gaussian elimination with row pivots.
Unknowns solve_linear(Slopes a, Unknowns b, std::size_t size) {
  for (std::size_t column = 0; column < size; ++column) {
    move_pivot_up(a, b, column, size);
    for (std::size_t row = column + 1; row < size; ++row) {
      const double factor = a[row][column] / a[column][column];
      for (std::size_t k = column; k < size; ++k) a[row][k] -= factor * a[column][k];
      b[row] -= factor * b[column];
    }
  }
  Unknowns x{};
  for (std::size_t row = size; row-- > 0;) {
    double value = b[row];
    for (std::size_t k = row + 1; k < size; ++k) value -= a[row][k] * x[k];
    x[row] = value / a[row][row];
  }
  return x;
}

double squared_length(const Unknowns& vector, std::size_t size) {
  double sum = 0.0;
  for (std::size_t k = 0; k < size; ++k) sum += vector[k] * vector[k];
  return sum;
}

/// The least change of the slopes that explains what a move has changed.
void correct(Slopes& slopes, const Unknowns& move, const Unknowns& change, std::size_t size) {
  const double norm = squared_length(move, size);
  for (std::size_t i = 0; i < size; ++i) {
    double predicted = 0.0;
    for (std::size_t k = 0; k < size; ++k) predicted += slopes[i][k] * move[k];
    const double missed = (change[i] - predicted) / norm;
    for (std::size_t k = 0; k < size; ++k) slopes[i][k] += missed * move[k];
  }
}

Unknowns combined(const Unknowns& x, double factor, const Unknowns& move) {
  Unknowns sum{};
  for (std::size_t k = 0; k < sum.size(); ++k) sum[k] = x[k] + factor * move[k];
  return sum;
}

}  // namespace

double largest(const Unknowns& vector, std::size_t size) {
  double result = 0.0;
  for (std::size_t i = 0; i < size; ++i) result = std::max(result, std::fabs(vector[i]));
  return result;
}

Slopes slopes_at(const EquationSystem& system, const Unknowns& x, const Unknowns& residual) {
  constexpr double kStep = 1e-3;
  Slopes slopes{};
  for (std::size_t k = 0; k < system.size; ++k) {
    Unknowns moved = x;
    moved[k] += kStep;
    const Unknowns there = system.residual(moved);
    for (std::size_t i = 0; i < system.size; ++i) slopes[i][k] = (there[i] - residual[i]) / kStep;
  }
  return slopes;
}

Approach approach_root(const EquationSystem& system, const Unknowns& x, Slopes slopes,
                       double tolerance) {
  const std::size_t size = system.size;
  Unknowns residual = system.residual(x);
  Approach best{x, largest(residual, size)};
  for (int evaluations = 0; evaluations < kMaxEvaluations && best.error > tolerance;) {
    const Unknowns full = solve_linear(slopes, residual, size);
    double factor = -1.0 / std::max(1.0, largest(full, size));
    Unknowns move{};
    Unknowns there{};
    bool better = false;
    for (int tries = 0; tries < kMaxHalvings && !better; ++tries, ++evaluations) {
      move = combined({}, factor, full);
      there = system.residual(combined(best.x, 1.0, move));
      better = largest(there, size) < best.error;
      factor *= 0.5;
    }
    if (squared_length(move, size) < 1e-26) break;
    correct(slopes, move, combined(there, -1.0, residual), size);
    if (!better) continue;
    best = {combined(best.x, 1.0, move), largest(there, size)};
    residual = there;
  }
  return best;
}

}  // namespace specroute::models
