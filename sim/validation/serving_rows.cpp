#include "sim/validation/serving_rows.hpp"

#include <algorithm>

#include "models/devices/kv_capacity.hpp"

namespace specroute::sim::validation {
namespace {

/// KV tokens that the engine's memory holds.
double kv_tokens(const models::Deployment& deployment) {
  constexpr models::MemoryPlan kPlan{};
  return static_cast<double>(models::kv_blocks(deployment, kPlan)) * kPlan.block_tokens;
}

bool same(const models::Deployment& a, const models::Deployment& b) {
  return &a.device == &b.device && &a.shape == &b.shape && a.precision == b.precision &&
         a.tensor_parallel == b.tensor_parallel && a.engine == b.engine;
}

/// The columns of one file, row by row.
class Reader {
 public:
  explicit Reader(const CsvTable& table) : table_(table), columns_(table) {}

  [[nodiscard]] Result<std::vector<ServingRow>> rows(SkippedRows& skipped) {
    std::vector<ServingRow> rows;
    if (!columns_.faults().empty()) return columns_.faults();
    for (std::size_t r = 0; r < table_.rows(); ++r)
      if (const auto found = row(r, skipped)) rows.push_back(*found);
    return rows;
  }

 private:
  [[nodiscard]] std::optional<models::Deployment> deployment(std::size_t r,
                                                             SkippedRows& skipped) const {
    const models::Device* device = find_system(system_[r]);
    const models::ModelShape* shape = find_model(model_[r]);
    const auto engine = find_engine(engine_[r]);
    const auto precision = find_precision(precision_[r]);
    if (device == nullptr) return skipped.unknown("system", system_[r]), std::nullopt;
    if (shape == nullptr) return skipped.unknown("model", model_[r]), std::nullopt;
    if (!engine) return skipped.unknown("engine", engine_[r]), std::nullopt;
    if (!precision) return skipped.unknown("precision", precision_[r]), std::nullopt;
    return models::Deployment{.device = *device,
                              .shape = *shape,
                              .precision = *precision,
                              .tensor_parallel = static_cast<std::uint32_t>(tensor_[r]),
                              .engine = *engine};
  }

  [[nodiscard]] std::optional<ServingRow> row(std::size_t r, SkippedRows& skipped) const {
    const auto found = deployment(r, skipped);
    if (!found) return std::nullopt;
    if (pipeline_[r] != 1)
      return skipped.because("with pipeline parallelism, which is not modelled"), std::nullopt;
    if (concurrency_[r] >= default_scheduling(found->engine).token_budget)
      return skipped.because("with more sequences than its engine's pass has room for"),
             std::nullopt;
    if (output_[r] < 2) return skipped.because("with one output token"), std::nullopt;
    if (kv_tokens(*found) < static_cast<double>(input_[r] + output_[r]))
      return skipped.because("whose weights and one request do not fit the memory"), std::nullopt;
    return ServingRow{.group = {.system = system_[r],
                                .engine = engine_[r],
                                .model = model_[r],
                                .precision = precision_[r].empty() ? "bf16" : precision_[r]},
                      .deployment = *found,
                      .input_tokens = static_cast<std::uint32_t>(input_[r]),
                      .output_tokens = static_cast<std::uint32_t>(output_[r]),
                      .concurrency = static_cast<std::uint32_t>(concurrency_[r]),
                      .ttft_ms = ttft_[r],
                      .tpot_ms = tpot_[r],
                      .place = table_.place(r)};
  }

  const CsvTable& table_;
  ColumnReader columns_;
  std::vector<std::string> model_ = columns_.text("model");
  std::vector<std::string> system_ = columns_.text("system");
  std::vector<std::string> engine_ = columns_.text("engine");
  std::vector<std::string> precision_ = columns_.text_or_empty("precision");
  std::vector<std::int64_t> input_ = columns_.integer("input_tokens");
  std::vector<std::int64_t> output_ = columns_.integer("output_tokens");
  std::vector<std::int64_t> concurrency_ = columns_.integer("concurrency");
  std::vector<std::int64_t> tensor_ = columns_.integer("tensor_parallel", 1, 4096);
  std::vector<std::int64_t> pipeline_ = columns_.integer("pipeline_parallel", 1, 4096);
  std::vector<std::optional<double>> ttft_ = columns_.number_or_empty("ttft_ms", kPositive);
  std::vector<std::optional<double>> tpot_ = columns_.number_or_empty("tpot_ms", kPositive);
};

}  // namespace

Result<std::vector<ServingRow>> serving_rows(const DataDirectory& data, SkippedRows& skipped) {
  std::vector<ServingRow> all;
  for (const DataFile* file : data.files_of(kServingFiles)) {
    const auto table = CsvTable::parse(file->name, file->text);
    if (!table) return table.diagnostics();
    const auto rows = Reader(table.value()).rows(skipped);
    if (!rows) return rows.diagnostics();
    for (const ServingRow& row : rows.value()) all.push_back(row);
  }
  return all;
}

const models::StepModel& StepModels::of(const models::Deployment& deployment) {
  for (const auto& known : known_)
    if (same(known->deployment, deployment)) return known->step;
  const auto overheads = models::engine_overheads(deployment.engine, fit_);
  known_.push_back(std::make_unique<Known>(Known{
      deployment,
      models::step_model(deployment, models::kernels(deployment.device.generation), overheads)}));
  return known_.back()->step;
}

// TensorRT-LLM's points are measured with one client more than the batch and evenly spread ends:
// its TTFT is the interval between two ends, output * TPOT / concurrency, plus a prefill.
ClosedLoop loop_of(const ServingRow& row) {
  const bool trtllm = row.deployment.engine == models::EngineFamily::trtllm;
  return {.scheduling = default_scheduling(row.deployment.engine),
          .input_tokens = row.input_tokens,
          .output_tokens = row.output_tokens,
          .concurrency = row.concurrency,
          .kv_tokens = kv_tokens(row.deployment),
          .waiting_clients = trtllm ? 1U : 0U,
          .staggered = trtllm};
}

}  // namespace specroute::sim::validation
