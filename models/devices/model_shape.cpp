/// @file
/// The rows of the model catalogue and the arithmetic over them.
#include "models/devices/model_shape.hpp"

#include <algorithm>
#include <array>

#include "models/random/portable_math.hpp"

namespace specroute::models {
namespace {

constexpr std::array kShapes{
    ModelShape{.name = "llama-3.1-8b",
               .layers = 32,
               .hidden = 4096,
               .intermediate = 14336,
               .heads = 32,
               .kv_heads = 8,
               .head_dimension = 128,
               .vocabulary = 128256,
               .tied_embeddings = false,
               .normalises_heads = false,
               .published_total = 8'030'261'248,
               .source = "meta-llama/Llama-3.1-8B, config.json and safetensors count"},
    ModelShape{.name = "llama-3.1-70b",
               .layers = 80,
               .hidden = 8192,
               .intermediate = 28672,
               .heads = 64,
               .kv_heads = 8,
               .head_dimension = 128,
               .vocabulary = 128256,
               .tied_embeddings = false,
               .normalises_heads = false,
               .published_total = 70'553'706'496,
               .source = "meta-llama/Llama-3.1-70B, config.json and safetensors count"},
    ModelShape{.name = "llama-3.1-405b",
               .layers = 126,
               .hidden = 16384,
               .intermediate = 53248,
               .heads = 128,
               .kv_heads = 8,
               .head_dimension = 128,
               .vocabulary = 128256,
               .tied_embeddings = false,
               .normalises_heads = false,
               .published_total = 405'853'388'800,
               .source = "meta-llama/Llama-3.1-405B, config.json and safetensors count"},
    ModelShape{.name = "llama-3.2-1b",
               .layers = 16,
               .hidden = 2048,
               .intermediate = 8192,
               .heads = 32,
               .kv_heads = 8,
               .head_dimension = 64,
               .vocabulary = 128256,
               .tied_embeddings = true,
               .normalises_heads = false,
               .published_total = 1'235'814'400,
               .source = "meta-llama/Llama-3.2-1B, config.json and safetensors count"},
    ModelShape{.name = "llama-3.2-3b",
               .layers = 28,
               .hidden = 3072,
               .intermediate = 8192,
               .heads = 24,
               .kv_heads = 8,
               .head_dimension = 128,
               .vocabulary = 128256,
               .tied_embeddings = true,
               .normalises_heads = false,
               .published_total = 3'212'749'824,
               .source = "meta-llama/Llama-3.2-3B, config.json and safetensors count"},
    ModelShape{.name = "qwen3-0.6b",
               .layers = 28,
               .hidden = 1024,
               .intermediate = 3072,
               .heads = 16,
               .kv_heads = 8,
               .head_dimension = 128,
               .vocabulary = 151936,
               .tied_embeddings = true,
               .normalises_heads = true,
               .published_total = 596'049'920,
               .source = "Qwen/Qwen3-0.6B, config.json and safetensors count"},
    ModelShape{.name = "qwen3-1.7b",
               .layers = 28,
               .hidden = 2048,
               .intermediate = 6144,
               .heads = 16,
               .kv_heads = 8,
               .head_dimension = 128,
               .vocabulary = 151936,
               .tied_embeddings = true,
               .normalises_heads = true,
               .published_total = 1'720'574'976,
               .source = "Qwen/Qwen3-1.7B, config.json and safetensors count"},
    ModelShape{.name = "qwen3-4b",
               .layers = 36,
               .hidden = 2560,
               .intermediate = 9728,
               .heads = 32,
               .kv_heads = 8,
               .head_dimension = 128,
               .vocabulary = 151936,
               .tied_embeddings = true,
               .normalises_heads = true,
               .published_total = 4'022'468'096,
               .source = "Qwen/Qwen3-4B, config.json and safetensors count"},
    ModelShape{.name = "qwen3-8b",
               .layers = 36,
               .hidden = 4096,
               .intermediate = 12288,
               .heads = 32,
               .kv_heads = 8,
               .head_dimension = 128,
               .vocabulary = 151936,
               .tied_embeddings = false,
               .normalises_heads = true,
               .published_total = 8'190'735'360,
               .source = "Qwen/Qwen3-8B, config.json and safetensors count"},
    ModelShape{.name = "qwen3-14b",
               .layers = 40,
               .hidden = 5120,
               .intermediate = 17408,
               .heads = 40,
               .kv_heads = 8,
               .head_dimension = 128,
               .vocabulary = 151936,
               .tied_embeddings = false,
               .normalises_heads = true,
               .published_total = 14'768'307'200,
               .source = "Qwen/Qwen3-14B, config.json and safetensors count"},
    ModelShape{.name = "qwen3-32b",
               .layers = 64,
               .hidden = 5120,
               .intermediate = 25600,
               .heads = 64,
               .kv_heads = 8,
               .head_dimension = 128,
               .vocabulary = 151936,
               .tied_embeddings = false,
               .normalises_heads = true,
               .published_total = 32'762'123'264,
               .source = "Qwen/Qwen3-32B, config.json and safetensors count"},
    ModelShape{.name = "smollm-135m",
               .layers = 30,
               .hidden = 576,
               .intermediate = 1536,
               .heads = 9,
               .kv_heads = 3,
               .head_dimension = 64,
               .vocabulary = 49152,
               .tied_embeddings = true,
               .normalises_heads = false,
               .published_total = 134'515'008,
               .source = "HuggingFaceTB/SmolLM-135M, config.json and safetensors count"},
    ModelShape{.name = "smollm2-135m",
               .layers = 30,
               .hidden = 576,
               .intermediate = 1536,
               .heads = 9,
               .kv_heads = 3,
               .head_dimension = 64,
               .vocabulary = 49152,
               .tied_embeddings = true,
               .normalises_heads = false,
               .published_total = 134'515'008,
               .source = "HuggingFaceTB/SmolLM2-135M, config.json and safetensors count"},
    ModelShape{.name = "smollm2-360m",
               .layers = 32,
               .hidden = 960,
               .intermediate = 2560,
               .heads = 15,
               .kv_heads = 5,
               .head_dimension = 64,
               .vocabulary = 49152,
               .tied_embeddings = true,
               .normalises_heads = false,
               .published_total = 361'821'120,
               .source = "HuggingFaceTB/SmolLM2-360M, config.json and safetensors count"},
    ModelShape{.name = "mixtral-8x7b",
               .layers = 32,
               .hidden = 4096,
               .intermediate = 14336,
               .heads = 32,
               .kv_heads = 8,
               .head_dimension = 128,
               .vocabulary = 32000,
               .tied_embeddings = false,
               .normalises_heads = false,
               .published_total = 46'702'792'704,
               .source = "mistralai/Mixtral-8x7B-v0.1, config.json and safetensors count",
               .experts = 8,
               .experts_per_token = 2},
    ModelShape{.name = "mixtral-8x22b",
               .layers = 56,
               .hidden = 6144,
               .intermediate = 16384,
               .heads = 48,
               .kv_heads = 8,
               .head_dimension = 128,
               .vocabulary = 32000,
               .tied_embeddings = false,
               .normalises_heads = false,
               .published_total = 140'620'634'112,
               .source = "mistralai/Mixtral-8x22B-v0.1, config.json and safetensors count",
               .experts = 8,
               .experts_per_token = 2},
    ModelShape{.name = "eagle-llama-3-8b",
               .layers = 1,
               .hidden = 4096,
               .intermediate = 14336,
               .heads = 32,
               .kv_heads = 8,
               .head_dimension = 128,
               .vocabulary = 128256,
               .tied_embeddings = true,
               .normalises_heads = false,
               .published_total = 0,
               .source = "Li et al., EAGLE, arXiv 2401.15077: one decoder layer on the fusion of "
                         "feature and embedding; the repository states 0.25B without the tables",
               .fused_features = 2,
               .borrows_embedding = true},
    ModelShape{.name = "eagle3-llama-3.1-8b",
               .layers = 1,
               .hidden = 4096,
               .intermediate = 14336,
               .heads = 32,
               .kv_heads = 8,
               .head_dimension = 128,
               .vocabulary = 32000,
               .tied_embeddings = false,
               .normalises_heads = false,
               .published_total = 0,
               .source = "Li et al., EAGLE-3, arXiv 2503.01840: features of three depths fused, "
                         "attention on feature and embedding, draft vocabulary of 32,000 "
                         "(yuhuili/EAGLE3-LLaMA3.1-Instruct-8B, config.json)",
               .fused_features = 3,
               .attention_inputs = 2,
               .borrows_embedding = true},
};

double bytes_per_layer_parameter(Precision precision) {
  return precision == Precision::fp8 ? 1.0 : 2.0;
}

double count(std::int64_t value) {
  return static_cast<double>(value);
}

/// `experts` gated MLPs a layer, the rest of the layers, and what fuses features before them.
std::int64_t with_experts(const ModelShape& shape, std::int64_t experts) {
  const std::int64_t queries_and_output =
      (shape.attention_inputs + 1) * shape.hidden * shape.heads * shape.head_dimension;
  const std::int64_t keys_and_values =
      2 * shape.attention_inputs * shape.hidden * shape.kv_heads * shape.head_dimension;
  const std::int64_t router = shape.experts > 1 ? shape.experts * shape.hidden : 0;
  const std::int64_t feed_forward = 3 * experts * shape.hidden * shape.intermediate;
  return shape.layers * (queries_and_output + keys_and_values + router + feed_forward) +
         shape.fused_features * shape.hidden * shape.hidden;
}

}  // namespace

std::span<const ModelShape> model_shapes() {
  return kShapes;
}

const ModelShape* find_model_shape(std::string_view name) {
  const auto* const found = std::ranges::find(kShapes, name, &ModelShape::name);
  return found == kShapes.end() ? nullptr : found;
}

std::int64_t layer_parameters(const ModelShape& shape) {
  return with_experts(shape, shape.experts);
}

std::int64_t active_layer_parameters(const ModelShape& shape) {
  return with_experts(shape, shape.experts_per_token);
}

double experts_visited(const ModelShape& shape, double tokens) {
  const double missed = 1.0 - count(shape.experts_per_token) / count(shape.experts);
  return count(shape.experts) * (1.0 - portable::pow(missed, tokens));
}

std::int64_t head_parameters(const ModelShape& shape) {
  return shape.hidden * shape.vocabulary;
}

std::int64_t total_parameters(const ModelShape& shape) {
  const std::int64_t head_norms = shape.normalises_heads ? 2 * shape.head_dimension : 0;
  const std::int64_t norms = shape.layers * (2 * shape.hidden + head_norms) + shape.hidden;
  const std::int64_t tables = shape.tied_embeddings || shape.borrows_embedding ? 1 : 2;
  return layer_parameters(shape) + tables * head_parameters(shape) + norms;
}

Bytes weight_bytes(const ModelShape& shape, Precision precision) {
  const std::int64_t in_layers = layer_parameters(shape);
  return Bytes{count(in_layers) * bytes_per_layer_parameter(precision) +
               count(total_parameters(shape) - in_layers) * 2.0};
}

Bytes kv_bytes_per_token(const ModelShape& shape, double element_bytes) {
  return Bytes{count(2 * shape.layers * shape.kv_heads * shape.head_dimension) * element_bytes};
}

Flops attention_flops_per_pair(const ModelShape& shape) {
  return Flops{4.0 * count(shape.layers * shape.heads * shape.head_dimension)};
}

}  // namespace specroute::models
