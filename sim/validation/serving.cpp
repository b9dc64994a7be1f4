#include "sim/validation/serving.hpp"

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "sim/validation/held_out.hpp"
#include "sim/validation/serving_rows.hpp"

namespace specroute::sim::validation {
namespace {

using models::OverheadFit;

constexpr const char* kTpot = "TPOT";
constexpr const char* kTtft = "TTFT";
constexpr const char* kWithoutModel = "TPOT, its model left out";
constexpr const char* kWithoutEngine = "TPOT, its engine left out";

bool was_fitted(const ServingRow& row) {
  return row.deployment.device.name == "H100-SXM-80" &&
         was_fitted(ServingPoint{.engine = row.group.engine,
                                 .model = row.group.model,
                                 .precision = row.group.precision,
                                 .input_tokens = row.input_tokens,
                                 .output_tokens = row.output_tokens,
                                 .concurrency = row.concurrency,
                                 .tensor_parallel = row.deployment.tensor_parallel});
}

std::string condition_of(const ServingRow& row) {
  return std::to_string(row.input_tokens) + " in, " + std::to_string(row.output_tokens) +
         " out, batch " + std::to_string(row.concurrency) + ", tensor parallel " +
         std::to_string(row.deployment.tensor_parallel);
}

class Comparer {
 public:
  explicit Comparer(Section& section) : section_(section) {}

  void add(const ServingRow& row) {
    const bool fitted = was_fitted(row);
    const ClosedLoopResult ours = simulate(row, simulator_);
    add(row, kTpot, ours.median_tpot, row.tpot_ms, fitted ? Standing::fitted : Standing::predicted);
    add(row, kTtft, ours.median_ttft, row.ttft_ms, Standing::predicted);
    if (!fitted) return;
    const OverheadFit& no_model = *fit_without_model(row.group.model);
    const OverheadFit& no_engine = *fit_without_engine(row.group.engine);
    add(row, kWithoutModel, simulate(row, steps_of(no_model)).median_tpot, row.tpot_ms,
        Standing::held_out);
    add(row, kWithoutEngine, simulate(row, steps_of(no_engine)).median_tpot, row.tpot_ms,
        Standing::held_out);
  }

 private:
  void add(const ServingRow& row, const char* quantity, Seconds ours,
           std::optional<double> theirs_ms, Standing standing) {
    if (!theirs_ms) return;
    section_.comparisons.push_back({.group = row.group,
                                    .quantity = quantity,
                                    .condition = condition_of(row),
                                    .unit = "ms",
                                    .ours = ours.count() * 1e3,
                                    .theirs = *theirs_ms,
                                    .place = row.place,
                                    .standing = standing});
  }

  static ClosedLoopResult simulate(const ServingRow& row, StepModels& steps) {
    // serving_rows leaves out what does not fit the memory.
    return run_closed_loop(steps.of(row.deployment), loop_of(row)).value();
  }

  StepModels& steps_of(const OverheadFit& fit) {
    for (Held& held : held_)
      if (held.fit == &fit) return *held.steps;
    held_.push_back({&fit, std::make_unique<StepModels>(fit)});
    return *held_.back().steps;
  }

  struct Held {
    const OverheadFit* fit;
    std::unique_ptr<StepModels> steps;
  };

  Section& section_;
  StepModels simulator_{models::overhead_fit()};
  std::vector<Held> held_;
};

struct Limit {
  std::string name;
  const char* quantity;
  double most;  ///< MAPE
  Pledge pledge = Pledge::stated;
};

/// Adds a bound on the MAPE of one quantity over the rows that `belongs` chooses, if there are any.
template <class Choice>
void bound(Section& section, const Limit& limit, const Choice& belongs) {
  double sum = 0.0;
  std::size_t count = 0;
  for (const Comparison& comparison : section.comparisons)
    if (comparison.quantity == limit.quantity && belongs(comparison)) {
      sum += std::abs(relative_error(comparison));
      ++count;
    }
  if (count == 0) return;
  section.bounds.push_back({.name = limit.name,
                            .statistic = "MAPE of " + std::to_string(count) + " rows",
                            .measured = sum / static_cast<double>(count),
                            .limit = limit.most,
                            .percent = true,
                            .pledge = limit.pledge});
}

void add_bounds(Section& section) {
  const auto all = [](const Comparison&) { return true; };
  const auto fitted = [](const Comparison& c) { return c.standing == Standing::fitted; };
  const auto unseen = [](const Comparison& c) { return c.standing == Standing::predicted; };
  const auto engine = [](const std::string& name) {
    return [name](const Comparison& c) { return c.group.engine == name; };
  };
  bound(section, {"TPOT, vLLM, fitted", kTpot, 0.05},
        [&](const Comparison& c) { return fitted(c) && c.group.engine == "vllm"; });
  bound(section, {"TPOT, all engines, fitted", kTpot, 0.08}, fitted);
  for (const char* model : {"Llama-3.1-8B-Instruct", "Llama-3.1-70B", "Qwen3-32B"})
    bound(section, {std::string("TPOT, without ") + model, kWithoutModel, 0.12},
          [model](const Comparison& c) { return c.group.model == model; });
  for (const char* name : {"vllm", "sglang", "trtllm"})
    bound(section, {std::string("TPOT, without ") + name, kWithoutEngine, 0.12}, engine(name));
  bound(section, {"TPOT, rows that were never fitted", kTpot, 0.25, Pledge::guard}, unseen);
  bound(section, {"TTFT, SGLang", kTtft, 0.20}, engine("sglang"));
  bound(section, {"TTFT, vLLM", kTtft, 0.20, Pledge::known_miss}, engine("vllm"));
  bound(section, {"TTFT, TensorRT-LLM", kTtft, 0.20, Pledge::known_miss}, engine("trtllm"));
  bound(section, {"TTFT, all engines", kTtft, 0.20, Pledge::known_miss}, all);
}

}  // namespace

Result<Section> serving_section(const DataDirectory& data) {
  SkippedRows skipped;
  const auto rows = serving_rows(data, skipped);
  if (!rows) return rows.diagnostics();
  Section section{
      .id = "serving",
      .title = "Serving engines: time per output token, time to first token",
      .question =
          "Do simulated engines take the time that measured ones took? Each row is a closed loop "
          "of equal requests on one engine: passes follow the family's scheduler (chunks beside "
          "decoding in vLLM, prompts first in SGLang, in-flight batching in TensorRT-LLM), memory "
          "is what the weights leave, and a pass takes what the step-time model says. Kernels come "
          "from their own tables; sixteen overheads were fitted on the TPOT of these rows "
          "(tests/fit). \"Left out\" is the same TPOT with overheads fitted without any row of "
          "that "
          "model, or that engine. TTFT was never fitted: it is what queueing and prefill make it."};
  Comparer comparer(section);
  for (const ServingRow& row : rows.value()) comparer.add(row);
  add_bounds(section);
  section.notes = skipped.notes();
  section.notes.emplace_back(
      "TensorRT-LLM's TTFT misses by far: its rows come from "
      "two series with different loops (one shows the interval between two ends of requests as its "
      "TTFT, the other does not), and neither is documented. vLLM's grow with the batch as a mean "
      "over a burst at the start would, though they are given as medians. Neither was bent to "
      "fit.");
  return section;
}

}  // namespace specroute::sim::validation
