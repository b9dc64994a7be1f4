/// @file
/// Fits the sixteen overheads of the step-time model on measured TPOT, and fits them again without
/// each model and without each engine. Prints the constants as they stand in
/// models/devices/overheads.cpp and sim/validation/held_out.cpp.
///
///   fit_step_time DIR    DIR with perf/serving_measured.csv
///
/// Levenberg-Marquardt on log(ours / measured) in units of 5 %, each residual made soft beyond two
/// of them, and a prior per parameter: the logarithm of a common value has a standard deviation of
/// 0.3 to 1, that of a family's factor 0.25. Kernels are not fitted here: they come from their own
/// tables.
#include <cmath>
#include <cstdio>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

#include "sim/validation/serving_rows.hpp"
#include "tests/fit/robust_fit.hpp"

namespace specroute::sim::validation {
namespace {

using models::OverheadFit;

constexpr int kCommon = 7;
constexpr int kFactors = 9;
constexpr int kParameters = kCommon + kFactors;
constexpr double kResidualUnit = 0.05;
constexpr double kFactorDeviation = 0.25;

/// Where each common value starts, and how far its logarithm may wander from there.
struct Prior {
  double value;
  double deviation;
};
constexpr Prior kPriors[kCommon] = {
    {0.7, 0.3},     // fp8 compute, of the bf16 kernels' share
    {15e-6, 0.7},   // per quantised layer: two small kernels
    {0.4e-6, 0.7},  // per prompt token
    {400e-6, 0.7},  // per layer without a graph: about ten launches of 40 us, from Python
    {1e-3, 0.6},    // per pass
    {8e-6, 1.0},    // per layer, beside kernels
    {20e-6, 0.7},   // per sequence
};

/// Parameters are 1 + log(value / prior), as robust_fit.hpp has it.
OverheadFit unpack(const Eigen::VectorXd& x) {
  const auto common = [&x](int i) { return kPriors[i].value * std::exp(x[i] - 1.0); };
  const auto factor = [&x](int i) { return std::exp(x[kCommon + i] - 1.0); };
  OverheadFit fit{.common = {.fp8_compute = common(0),
                             .per_quantised_layer = Seconds{common(1)},
                             .per_prefill_token = Seconds{common(2)},
                             .eager_per_layer = Seconds{common(3)},
                             .per_pass = Seconds{common(4)},
                             .per_layer = Seconds{common(5)},
                             .per_sequence = Seconds{common(6)}},
                  .families = {}};
  for (int family = 0; family < 3; ++family)
    fit.families[static_cast<std::size_t>(family)] = {.per_pass = factor(3 * family),
                                                      .per_layer = factor(3 * family + 1),
                                                      .per_sequence = factor(3 * family + 2)};
  return fit;
}

OverheadFit fit_on(const std::vector<const ServingRow*>& rows) {
  constexpr double kSoftBeyond = 2.0;  // units
  const auto residuals = [&rows](const Eigen::VectorXd& x, Eigen::VectorXd& out) {
    const OverheadFit fit = unpack(x);
    StepModels steps(fit);
    Eigen::Index i = 0;
    for (const ServingRow* row : rows) {
      const auto result = run_closed_loop(steps.of(row->deployment), loop_of(*row));
      const double ratio = result->median_tpot.count() * 1e3 / *row->tpot_ms;
      out[i++] = fit::softened(std::log(ratio) / kResidualUnit, kSoftBeyond);
    }
    for (int p = 0; p < kParameters; ++p)
      out[i++] = (x[p] - 1.0) / (p < kCommon ? kPriors[p].deviation : kFactorDeviation);
  };
  return unpack(
      fit::minimise({kParameters, static_cast<int>(rows.size()) + kParameters, residuals}));
}

void print(const char* name, const OverheadFit& fit) {
  const auto& common = fit.common;
  std::printf("%s\n    .common = {.fp8_compute = %.4f,\n", name, common.fp8_compute);
  const auto line = [](const char* field, Seconds value, const char* end) {
    std::printf("               .%s = microseconds(%.4g)%s\n", field, value.count() * 1e6, end);
  };
  line("per_quantised_layer", common.per_quantised_layer, ",");
  line("per_prefill_token", common.per_prefill_token, ",");
  line("eager_per_layer", common.eager_per_layer, ",");
  line("per_pass", common.per_pass, ",");
  line("per_layer", common.per_layer, ",");
  line("per_sequence", common.per_sequence, "},");
  std::printf("    .families = {{\n");
  for (const auto& f : fit.families)
    std::printf("        {.per_pass = %.4f, .per_layer = %.4f, .per_sequence = %.4f},\n",
                f.per_pass, f.per_layer, f.per_sequence);
  std::printf("    }}\n");
}

void report(const std::vector<const ServingRow*>& rows, const OverheadFit& fit) {
  StepModels steps(fit);
  double tpot = 0.0;
  double ttft = 0.0;
  for (const ServingRow* row : rows) {
    const auto result = run_closed_loop(steps.of(row->deployment), loop_of(*row));
    tpot += std::abs(result->median_tpot.count() * 1e3 / *row->tpot_ms - 1.0);
    if (row->ttft_ms) ttft += std::abs(result->median_ttft.count() * 1e3 / *row->ttft_ms - 1.0);
  }
  const auto count = static_cast<double>(rows.size());
  std::printf("  %zu rows: TPOT MAPE %.4f, TTFT MAPE %.4f\n", rows.size(), tpot / count,
              ttft / count);
}

using Choice = std::function<bool(const ServingRow&)>;

std::vector<const ServingRow*> chosen(const std::vector<ServingRow>& rows, const Choice& choice) {
  std::vector<const ServingRow*> result;
  for (const ServingRow& row : rows)
    if (row.tpot_ms && choice(row)) result.push_back(&row);
  return result;
}

int run(const std::string& directory) {
  const auto data = DataDirectory::read(directory);
  SkippedRows skipped;
  const auto rows = data ? serving_rows(data.value(), skipped)
                         : Result<std::vector<ServingRow>>(data.diagnostics());
  if (!rows) {
    for (const Diagnostic& fault : rows.diagnostics()) std::cerr << to_string(fault) << '\n';
    return 2;
  }
  const auto all = chosen(rows.value(), [](const ServingRow&) { return true; });
  const OverheadFit fit = fit_on(all);
  print("all", fit);
  report(all, fit);
  const auto without = [&](const std::string& name, const Choice& left_out) {
    const auto rest = chosen(rows.value(), [&](const ServingRow& row) { return !left_out(row); });
    const OverheadFit other = fit_on(rest);
    print(("without " + name).c_str(), other);
    report(chosen(rows.value(), left_out), other);
  };
  for (const std::string model : {"Llama-3.1-8B-Instruct", "Llama-3.1-70B", "Qwen3-32B"})
    without(model, [&](const ServingRow& row) { return row.group.model == model; });
  for (const std::string engine : {"vllm", "sglang", "trtllm"})
    without(engine, [&](const ServingRow& row) { return row.group.engine == engine; });
  return 0;
}

}  // namespace
}  // namespace specroute::sim::validation

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: fit_step_time DIR\n";
    return 2;
  }
  return specroute::sim::validation::run(argv[1]);
}
