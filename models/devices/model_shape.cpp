/// @file
/// The rows of the model catalogue and the arithmetic over them.
#include "models/devices/model_shape.hpp"

#include <algorithm>
#include <array>

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
};

double bytes_per_layer_parameter(Precision precision) {
  return precision == Precision::fp8 ? 1.0 : 2.0;
}

double count(std::int64_t value) {
  return static_cast<double>(value);
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
  const std::int64_t attention =
      2 * shape.hidden * shape.head_dimension * (shape.heads + shape.kv_heads);
  const std::int64_t feed_forward = 3 * shape.hidden * shape.intermediate;
  return shape.layers * (attention + feed_forward);
}

std::int64_t head_parameters(const ModelShape& shape) {
  return shape.hidden * shape.vocabulary;
}

std::int64_t total_parameters(const ModelShape& shape) {
  const std::int64_t head_norms = shape.normalises_heads ? 2 * shape.head_dimension : 0;
  const std::int64_t norms = shape.layers * (2 * shape.hidden + head_norms) + shape.hidden;
  const std::int64_t tables = shape.tied_embeddings ? 1 : 2;
  return layer_parameters(shape) + tables * head_parameters(shape) + norms;
}

Bytes weight_bytes(const ModelShape& shape, Precision precision) {
  const std::int64_t in_layers = layer_parameters(shape);
  return Bytes{count(in_layers) * bytes_per_layer_parameter(precision) +
               count(total_parameters(shape) - in_layers) * 2.0};
}

Bytes weight_bytes_read(const ModelShape& shape, Precision precision) {
  const Bytes all = weight_bytes(shape, precision);
  return shape.tied_embeddings ? all : all - Bytes{count(head_parameters(shape)) * 2.0};
}

Bytes kv_bytes_per_token(const ModelShape& shape, double element_bytes) {
  return Bytes{count(2 * shape.layers * shape.kv_heads * shape.head_dimension) * element_bytes};
}

Flops flops_per_token(const ModelShape& shape, Tokens context) {
  return Flops{2.0 * count(layer_parameters(shape) + head_parameters(shape))} +
         attention_flops_per_pair(shape) * context.value();
}

Flops attention_flops_per_pair(const ModelShape& shape) {
  return Flops{4.0 * count(shape.layers * shape.heads * shape.head_dimension)};
}

}  // namespace specroute::models
