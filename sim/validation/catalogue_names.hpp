/// @file
/// From the names that data files use to the entries of our catalogues.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "models/devices/device.hpp"
#include "models/devices/model_shape.hpp"
#include "models/devices/overheads.hpp"

namespace specroute::sim::validation {

/// The device of a system as NVIDIA aiconfigurator names it ("h100_sxm", "a100_pcie", "l40s"), or
/// of a catalogue name in any case ("H100-SXM-80"); null where there is none.
[[nodiscard]] const models::Device* find_system(std::string_view system);

/// The shape of a model as its publisher writes it: case, the publisher's name before a slash,
/// "Meta-", and endings that do not change the shape ("-Instruct", "-FP8", "-bf16", "-AWQ", ...)
/// are passed over. "meta-llama/Meta-Llama-3.1-8B-Instruct" is "llama-3.1-8b". Null where there is
/// none.
[[nodiscard]] const models::ModelShape* find_model(std::string_view model);

/// The family of an engine's name in any case, with "trtllm", "trt-llm" and "tensorrt-llm" being
/// one.
[[nodiscard]] std::optional<models::EngineFamily> find_engine(std::string_view engine);

/// "bf16", "fp16" and "" (where a source left it out: bf16), "fp8"; none for others.
[[nodiscard]] std::optional<models::Precision> find_precision(std::string_view precision);

/// Counts rows that are left out, by reason, so that none is in silence.
class SkippedRows {
 public:
  /// A name that no catalogue has. @param what "system", "model", "engine", "precision".
  void unknown(const std::string& what, const std::string& name);
  /// For any other reason: "whose weights do not fit".
  void because(const std::string& reason);

  /// "skipped 3 rows: unknown model "Qwen4-9B"; did you mean "qwen3-8b"?", by reason.
  [[nodiscard]] std::vector<std::string> notes() const;

 private:
  struct Count {
    std::string reason;
    std::size_t rows = 0;
  };
  std::vector<Count> counts_;
};

}  // namespace specroute::sim::validation
