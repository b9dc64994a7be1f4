#include "sim/validation/kernel_tables.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <vector>

#include "models/devices/collective.hpp"
#include "models/devices/kernels.hpp"
#include "sim/validation/catalogue_names.hpp"
#include "sim/validation/csv.hpp"
#include "sim/validation/verification_width.hpp"

namespace specroute::sim::validation {
namespace {

constexpr std::size_t kMostColumns = 4;
using Row = std::array<double, kMostColumns>;

/// What one kind of table holds: columns of whole numbers, then `latency_ms`.
struct Kind {
  std::string_view files;
  const char* quantity;
  std::vector<const char*> columns;
  Seconds (*ours)(const models::Device& device, const Row& row);
  bool (*in_fit)(const Row& row);  ///< whether the fitted tables have such a row
};

bool power_of_two(double value) {
  return std::has_single_bit(static_cast<std::uint64_t>(value));
}

template <std::size_t kCount>
bool among(const std::array<double, kCount>& values, double value) {
  return std::ranges::find(values, value) != values.end();
}

std::string condition_of(const Kind& kind, const Row& row) {
  std::string text;
  for (std::size_t c = 0; c < kind.columns.size(); ++c)
    text += (c == 0 ? "" : ", ") + std::string(kind.columns[c]) + " " +
            std::to_string(static_cast<std::int64_t>(row[c]));
  return text;
}

Result<std::vector<Comparison>> compare(const Kind& kind, const DataFile& file,
                                        const models::Device& device) {
  const auto table = CsvTable::parse(file.name, file.text);
  if (!table) return table.diagnostics();
  ColumnReader reader(table.value());
  std::vector<std::vector<std::int64_t>> columns;
  for (const char* name : kind.columns) columns.push_back(reader.integer(name));
  const auto latency = reader.number("latency_ms", kPositive);
  if (!reader.faults().empty()) return reader.faults();
  const bool own_table = device.name == "H100-SXM-80" || device.name == "L40S-48";
  std::vector<Comparison> comparisons;
  for (std::size_t r = 0; r < table.value().rows(); ++r) {
    Row row{};
    for (std::size_t c = 0; c < columns.size(); ++c) row[c] = static_cast<double>(columns[c][r]);
    comparisons.push_back(
        {.group = {.system = file.variant},
         .quantity = kind.quantity,
         .condition = condition_of(kind, row),
         .unit = "ms",
         .ours = kind.ours(device, row).count() * 1e3,
         .theirs = latency[r],
         .place = table.value().place(r),
         .standing = own_table && kind.in_fit(row) ? Standing::fitted : Standing::predicted});
  }
  return comparisons;
}

/// All files of a kind, and a bound on the fitted ones of each system.
Result<Section> section_of(Section section, const Kind& kind, const DataDirectory& data,
                           Pledge pledge) {
  Diagnostics faults;
  for (const DataFile* file : data.files_of(kind.files)) {
    const models::Device* device = find_system(file->variant);
    if (device == nullptr) {
      section.notes.push_back("skipped " + file->name + ": unknown system \"" + file->variant +
                              "\"");
      continue;
    }
    const auto comparisons = compare(kind, *file, *device);
    if (!comparisons) {
      faults.insert(faults.end(), comparisons.diagnostics().begin(),
                    comparisons.diagnostics().end());
      continue;
    }
    for (const Comparison& comparison : comparisons.value())
      section.comparisons.push_back(comparison);
  }
  if (!faults.empty()) return faults;
  for (const GroupError& error : group_errors(section.comparisons)) {
    if (error.standing != Standing::fitted) continue;
    section.bounds.push_back({.name = error.group.system + ", " + error.quantity,
                              .statistic = "MAPE of " + std::to_string(error.count) + " rows",
                              .measured = error.mean_absolute,
                              .limit = 0.10,
                              .percent = true,
                              .pledge = pledge});
  }
  return section;
}

Seconds gemm(const models::Device& device, const Row& row) {
  return models::gemm_time(models::kernels(device.generation).gemm,
                           models::gemm_work(row[0], row[1], row[2], 2.0), device.bf16_dense,
                           device.memory_bandwidth);
}

Seconds attention(const models::Device& device, const Row& row) {
  return models::attention_time(
      device, models::kernels(device.generation).attention,
      {.batch = row[0], .query_heads = row[1], .kv_heads = row[2], .kv_tokens = row[3]});
}

Seconds all_reduce(const models::Device& device, const Row& row) {
  return models::all_reduce(device, static_cast<std::uint32_t>(row[0])).time(Bytes{2.0 * row[1]});
}

bool gemm_in_fit(const Row& row) {
  constexpr std::array kWidths = {4096.0,  5120.0,  6144.0,  7168.0, 8192.0,
                                  10240.0, 12288.0, 16384.0, 65536.0};
  return power_of_two(row[0]) && row[0] <= 8192.0 && among(kWidths, row[1]) &&
         among(kWidths, row[2]);
}

bool attention_in_fit(const Row& row) {
  constexpr std::array kQueryHeads = {2.0, 4.0, 8.0, 12.0, 16.0, 24.0, 32.0, 40.0, 48.0, 64.0};
  constexpr std::array kKvHeads = {2.0, 4.0, 8.0};
  return power_of_two(row[0]) && row[0] <= 2048.0 && among(kQueryHeads, row[1]) &&
         among(kKvHeads, row[2]) && power_of_two(row[3] + 1.0) && row[3] < 131'072.0;
}

bool all_reduce_in_fit(const Row& row) {
  constexpr std::array kGroups = {2.0, 4.0, 8.0};
  return among(kGroups, row[0]) && power_of_two(row[1]) && row[1] >= 128.0 && row[1] < 1e9;
}

}  // namespace

Result<Section> gemm_section(const DataDirectory& data) {
  const auto compared = section_of(
      {.id = "gemm",
       .title = "Kernels: matrix products in bf16",
       .question =
           "Does a roofline with a blended knee, a loss for wide products and one launch latency "
           "give the measured time of a matrix product? Five constants a device generation, fitted "
           "on the tables of the H100 SXM and the L40S; any other device is predicted with the "
           "nearest generation's. End-to-end fits never see these rows."},
      {.files = kGemmFiles,
       .quantity = "matrix product",
       .columns = {"m", "n", "k"},
       .ours = gemm,
       .in_fit = gemm_in_fit},
      data, Pledge::stated);
  if (!compared) return compared;
  Section section = compared.value();
  if (Table width = verification_width(section); !width.rows.empty())
    section.tables.push_back(std::move(width));
  return section;
}

Result<Section> attention_section(const DataDirectory& data) {
  return section_of(
      {.id = "decode_attention",
       .title = "Kernels: attention of one new token",
       .question =
           "Does reading the context through a limited number of streams give the measured time? "
           "Five constants a generation. Benchmarks repeat a kernel on the same memory, so a "
           "working set below the last-level cache is read from there; in serving that never "
           "happens, and the step-time model does not assume it."},
      {.files = kDecodeAttentionFiles,
       .quantity = "decode attention",
       .columns = {"batch_size", "query_heads", "kv_heads", "kv_tokens"},
       .ours = attention,
       .in_fit = attention_in_fit},
      data, Pledge::stated);
}

Result<Section> all_reduce_section(const DataDirectory& data) {
  return section_of(
      {.id = "all_reduce",
       .title = "Kernels: all-reduce",
       .question =
           "Does latency plus bytes over bandwidth, in two regimes where the devices have a link "
           "of "
           "their own and with a shared host bridge where they have none, give the measured time?"},
      {.files = kAllReduceFiles,
       .quantity = "all-reduce",
       .columns = {"gpus", "message_elements"},
       .ours = all_reduce,
       .in_fit = all_reduce_in_fit},
      data, Pledge::guard);
}

}  // namespace specroute::sim::validation
