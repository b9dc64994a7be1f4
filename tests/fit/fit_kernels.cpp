/// @file
/// Fits the constants of kernels.cpp and collective.hpp on the kernel tables, and prints them with
/// the errors that they leave.
///
///   fit_kernels DIR    DIR with perf/gemm_bf16_*.csv, decode_attention_*.csv, allreduce_*.csv
///
/// Levenberg-Marquardt on log(ours / measured) in units of 5 %, soft beyond one unit; no priors.
/// The launch latency of products is fitted on HBM devices and given to those with graphics memory,
/// whose cache hides what small products read.
#include <array>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include "models/devices/collective.hpp"
#include "models/devices/kernels.hpp"
#include "sim/validation/catalogue_names.hpp"
#include "sim/validation/data_directory.hpp"
#include "tests/fit/robust_fit.hpp"

namespace specroute::sim::validation {
namespace {

constexpr double kUnit = 0.05;
constexpr Seconds kLaunch{4.0e-6};

struct Row {
  std::array<double, 4> at{};
  double seconds = 0.0;
};

std::vector<Row> rows_of(const DataFile& file, const std::vector<const char*>& columns) {
  const auto table = CsvTable::parse(file.name, file.text);
  std::vector<Row> rows(table.value().rows());
  ColumnReader reader(table.value());
  const auto latency = reader.number("latency_ms", kPositive);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const auto values = reader.integer(columns[c]);
    for (std::size_t r = 0; r < rows.size(); ++r) rows[r].at[c] = static_cast<double>(values[r]);
  }
  for (const Diagnostic& fault : reader.faults()) std::cerr << to_string(fault) << '\n';
  for (std::size_t r = 0; r < rows.size(); ++r) rows[r].seconds = latency[r] * 1e-3;
  return rows;
}

/// Fits values from their starts. @param ours seconds of a row with these values
template <class Ours>
std::vector<double> fit(const std::vector<Row>& rows, const std::vector<double>& start, Ours ours) {
  const auto values_at = [&start](const Eigen::VectorXd& x) {
    std::vector<double> values = start;
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] *= std::exp(x[static_cast<Eigen::Index>(i)] - 1.0);
    return values;
  };
  const auto residuals = [&](const Eigen::VectorXd& x, Eigen::VectorXd& out) {
    const auto values = values_at(x);
    for (std::size_t r = 0; r < rows.size(); ++r)
      out[static_cast<Eigen::Index>(r)] =
          fit::softened(std::log(ours(values, rows[r]) / rows[r].seconds) / kUnit, 1.0);
  };
  const auto values = values_at(
      fit::minimise({static_cast<int>(start.size()), static_cast<int>(rows.size()), residuals}));
  double sum = 0.0;
  for (const Row& row : rows) sum += std::abs(ours(values, row) / row.seconds - 1.0);
  std::printf("  %zu rows, MAPE %.4f:", rows.size(), sum / static_cast<double>(rows.size()));
  for (const double value : values) std::printf(" %.4g", value);
  std::printf("\n");
  return values;
}

void fit_products(const models::Device& device, const DataFile& file) {
  std::printf("%s: compute, memory, sharpness, width loss[, launch]\n", file.name.c_str());
  const bool fits_launch = !device.links_through_host();
  std::vector<double> start = {0.8, 0.85, 5.0, 0.1};
  if (fits_launch) start.push_back(5e-6);
  fit(rows_of(file, {"m", "n", "k"}), start, [&](const std::vector<double>& v, const Row& row) {
    const models::GemmKernel kernel{.launch = fits_launch ? Seconds{v[4]} : kLaunch,
                                    .compute = v[0],
                                    .memory = v[1],
                                    .sharpness = v[2],
                                    .width_loss = v[3]};
    return models::gemm_time(kernel, models::gemm_work(row.at[0], row.at[1], row.at[2], 2.0),
                             device.bf16_dense, device.memory_bandwidth)
        .count();
  });
}

void fit_attention(const models::Device& device, const DataFile& file) {
  std::printf("%s: launch, task, memory, cache rate, half streams\n", file.name.c_str());
  const bool splits = models::kernels(device.generation).attention.splits_single;
  fit(rows_of(file, {"batch_size", "query_heads", "kv_heads", "kv_tokens"}),
      {12e-6, 8e-9, 0.9, 2.0, 30.0}, [&](const std::vector<double>& v, const Row& row) {
        const models::AttentionKernel kernel{.launch = Seconds{v[0]},
                                             .task = Seconds{v[1]},
                                             .memory = v[2],
                                             .cache_rate = v[3],
                                             .half_streams = v[4],
                                             .splits_single = splits};
        return models::attention_time(device, kernel,
                                      {.batch = row.at[0],
                                       .query_heads = row.at[1],
                                       .kv_heads = row.at[2],
                                       .kv_tokens = row.at[3]})
            .count();
      });
}

void fit_reduce(const models::Device& device, const DataFile& file) {
  const bool host = device.links_through_host();
  std::printf("%s: %s\n", file.name.c_str(),
              host ? "us, more, share, bridge" : "small us, more, share, bulk us, more, share");
  const std::vector<double> start = host ? std::vector<double>{5.0, 3.0, 0.6, 0.5}
                                         : std::vector<double>{4.0, 0.2, 0.5, 25.0, 2.0, 0.75};
  fit(rows_of(file, {"gpus", "message_elements"}), start,
      [&](const std::vector<double>& v, const Row& row) {
        models::ReduceFit constants;
        if (host) {
          constants.host = {v[0], v[1], v[2]};
          constants.bridge = v[3];
        } else {
          constants.small = {v[0], v[1], v[2]};
          constants.bulk = {v[3], v[4], v[5]};
        }
        return models::all_reduce(device, static_cast<std::uint32_t>(row.at[0]), constants)
            .time(Bytes{2.0 * row.at[1]})
            .count();
      });
}

int run(const std::string& directory) {
  const auto data = DataDirectory::read(directory);
  if (!data) {
    for (const Diagnostic& fault : data.diagnostics()) std::cerr << to_string(fault) << '\n';
    return 2;
  }
  const auto each = [&](std::string_view kind, auto fit_one) {
    for (const DataFile* file : data.value().files_of(kind))
      if (const models::Device* device = find_system(file->variant)) fit_one(*device, *file);
  };
  each(kGemmFiles, fit_products);
  each(kDecodeAttentionFiles, fit_attention);
  each(kAllReduceFiles, fit_reduce);
  return 0;
}

}  // namespace
}  // namespace specroute::sim::validation

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: fit_kernels DIR\n";
    return 2;
  }
  return specroute::sim::validation::run(argv[1]);
}
