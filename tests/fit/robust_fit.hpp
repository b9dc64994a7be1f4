/// @file
/// Least squares with soft residuals, for the programs of this folder.
#pragma once

#include <cmath>
#include <functional>
#include <utility>

#include <unsupported/Eigen/NonLinearOptimization>
#include <unsupported/Eigen/NumericalDiff>

namespace specroute::fit {

/// Signed root of 2 s^2 (sqrt(1 + (r / s)^2) - 1): r near 0, growing as sqrt(|r|) beyond s.
inline double softened(double residual, double s) {
  const double ratio = residual / s;
  const double loss = 2.0 * s * s * (std::sqrt(1.0 + ratio * ratio) - 1.0);
  return std::copysign(std::sqrt(loss), residual);
}

/// Residuals as a function of parameters that are 1 + log(value / start): they start at 1, where a
/// difference step of 2 % is 0.02, and values stay positive.
struct Residuals {
  using Scalar = double;
  using InputType = Eigen::VectorXd;
  using ValueType = Eigen::VectorXd;
  using JacobianType = Eigen::MatrixXd;
  enum { InputsAtCompileTime = Eigen::Dynamic, ValuesAtCompileTime = Eigen::Dynamic };

  int parameters;
  int residuals;
  std::function<void(const Eigen::VectorXd& x, Eigen::VectorXd& out)> evaluate;

  [[nodiscard]] int inputs() const { return parameters; }
  [[nodiscard]] int values() const { return residuals; }
  int operator()(const Eigen::VectorXd& x, Eigen::VectorXd& out) const {
    evaluate(x, out);
    return 0;
  }
};

/// Levenberg-Marquardt from all parameters at 1.
inline Eigen::VectorXd minimise(Residuals residuals) {
  constexpr double kDifference = 0.02;
  Eigen::VectorXd x = Eigen::VectorXd::Ones(residuals.parameters);
  Eigen::NumericalDiff<Residuals> problem(std::move(residuals), kDifference * kDifference);
  Eigen::LevenbergMarquardt<Eigen::NumericalDiff<Residuals>> solver(problem);
  solver.parameters.maxfev = 400;
  solver.parameters.ftol = solver.parameters.xtol = 1e-5;
  solver.minimize(x);
  return x;
}

}  // namespace specroute::fit
