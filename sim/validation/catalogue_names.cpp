#include "sim/validation/catalogue_names.hpp"

#include <algorithm>
#include <array>

#include "sim/json/nearest.hpp"

namespace specroute::sim::validation {
namespace {

struct System {
  std::string_view name;
  std::string_view device;
};

// @source systems/ of NVIDIA aiconfigurator, by the memory that each file states.
constexpr std::array kSystems = {
    System{"h100_sxm", "H100-SXM-80"},
    System{"h100_pcie", "H100-PCIe-80"},
    System{"h100_nvl", "H100-NVL-94"},
    System{"h200_sxm", "H200-SXM-141"},
    System{"b200_sxm", "B200-SXM-180"},
    System{"a100_sxm", "A100-SXM-80"},
    System{"a100_pcie", "A100-PCIe-80"},
    System{"a10g", "A10G-24"},
    System{"a10", "A10-24"},
    System{"l4", "L4-24"},
    System{"l40s", "L40S-48"},
    System{"t4", "T4-16"},
    System{"v100_sxm", "V100-SXM2-16"},
    System{"mi300x", "MI300X-192"},
    System{"rtx4090", "RTX4090-24"},
    System{"gaudi3", "Gaudi3-OAM-128"},
    System{"tpu_v5e", "TPU-v5e-16"},
};

constexpr std::array kShapelessEndings = {
    std::string_view("-instruct"), std::string_view("-chat"), std::string_view("-hf"),
    std::string_view("-base"),     std::string_view("-it"),   std::string_view("-fp8"),
    std::string_view("-dynamic"),  std::string_view("-bf16"), std::string_view("-fp16"),
    std::string_view("-awq"),      std::string_view("-int4"), std::string_view("-block"),
    std::string_view("-v0.1"),
};

std::string lower(std::string_view text) {
  std::string lowered(text);
  for (char& c : lowered)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lowered;
}

/// In lower case, '-' and ' ' as '_'.
std::string normal(std::string_view text) {
  std::string result = lower(text);
  std::ranges::replace(result, '-', '_');
  std::ranges::replace(result, ' ', '_');
  return result;
}

bool drop_ending(std::string& name) {
  const auto ending = std::ranges::find_if(
      kShapelessEndings, [&](std::string_view one) { return name.ends_with(one); });
  if (ending == kShapelessEndings.end()) return false;
  name.resize(name.size() - ending->size());
  return true;
}

std::string bare_model(std::string_view model) {
  std::string name = lower(model.substr(model.rfind('/') + 1));
  if (name.starts_with("meta-")) name.erase(0, 5);
  return name;
}

std::vector<std::string> known_names(const std::string& what) {
  std::vector<std::string> names;
  if (what == "system") {
    for (const System& one : kSystems) names.emplace_back(one.name);
  } else if (what == "model") {
    for (const models::ModelShape& shape : models::model_shapes()) names.emplace_back(shape.name);
  } else if (what == "engine") {
    names = {"vllm", "sglang", "trtllm"};
  } else if (what == "precision") {
    names = {"bf16", "fp16", "fp8"};
  }
  return names;
}

}  // namespace

const models::Device* find_system(std::string_view system) {
  const std::string wanted = normal(system);
  const auto* const known = std::ranges::find(kSystems, std::string_view(wanted), &System::name);
  if (known != kSystems.end()) return models::find_device(known->device);
  for (const models::Device& device : models::devices())
    if (normal(device.name) == wanted) return &device;
  return nullptr;
}

const models::ModelShape* find_model(std::string_view model) {
  std::string name = bare_model(model);
  do {
    if (const auto* const shape = models::find_model_shape(name)) return shape;
  } while (drop_ending(name));
  return nullptr;
}

std::optional<models::EngineFamily> find_engine(std::string_view engine) {
  const std::string name = normal(engine);
  if (name == "trt_llm" || name == "tensorrt_llm") return models::EngineFamily::trtllm;
  return models::find_engine_family(name);
}

std::optional<models::Precision> find_precision(std::string_view precision) {
  const std::string name = lower(precision);
  if (name.empty() || name == "bf16" || name == "fp16" || name == "bfloat16" || name == "float16")
    return models::Precision::bf16;
  if (name.starts_with("fp8")) return models::Precision::fp8;
  return std::nullopt;
}

void SkippedRows::unknown(const std::string& what, const std::string& name) {
  const std::string nearest =
      nearest_of(what == "model" ? bare_model(name) : lower(name), known_names(what));
  because("unknown " + what + " \"" + name + '"' +
          (nearest.empty() ? "" : "; did you mean \"" + nearest + "\"?"));
}

void SkippedRows::because(const std::string& reason) {
  const auto known = std::ranges::find(counts_, reason, &Count::reason);
  if (known != counts_.end())
    ++known->rows;
  else
    counts_.push_back({reason, 1});
}

std::vector<std::string> SkippedRows::notes() const {
  std::vector<std::string> notes;
  for (const Count& one : counts_)
    notes.push_back("skipped " + std::to_string(one.rows) + (one.rows == 1 ? " row: " : " rows: ") +
                    one.reason);
  return notes;
}

}  // namespace specroute::sim::validation
