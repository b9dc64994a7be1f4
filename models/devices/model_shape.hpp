/// @file
/// Shapes of published language models, and what follows from a shape: parameters, weight bytes,
/// arithmetic per token, KV bytes per token.
///
/// Decoder-only transformers with gated MLPs and grouped-query attention (Llama, Qwen3, SmolLM),
/// mixtures of experts (Mixtral), and the one-layer heads of EAGLE, which draft on the features of
/// their target.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include <specroute/vocab/units.hpp>

namespace specroute::models {

/// Storage of the weights in the transformer layers.
/// `fp8` keeps embeddings and output head at two bytes, as published FP8 checkpoints do.
enum class Precision : std::uint8_t { bf16, fp8 };

/// Dimensions of one model. Counts are exact integers; parameter counts exceed 32 bits.
struct ModelShape {
  std::string_view name;
  std::int64_t layers;
  std::int64_t hidden;
  std::int64_t intermediate;  ///< width of the gated MLP
  std::int64_t heads;
  std::int64_t kv_heads;
  std::int64_t head_dimension;
  std::int64_t vocabulary;
  bool tied_embeddings;          ///< one table serves as embedding and output head
  bool normalises_heads;         ///< RMS norm on queries and keys (Qwen3)
  std::int64_t published_total;  ///< as the publisher states them, exactly; 0: only rounded
  std::string_view source;
  std::int64_t experts = 1;            ///< gated MLPs of a layer; 1: dense
  std::int64_t experts_per_token = 1;  ///< of them, that a token visits
  std::int64_t fused_features = 0;    ///< EAGLE: hidden vectors that a first product reduces to one
  std::int64_t attention_inputs = 1;  ///< hidden vectors that queries, keys and values read
  bool borrows_embedding = false;     ///< EAGLE: the target's own table; not counted, not stored
};

/// All shapes in the order of the catalogue.
[[nodiscard]] std::span<const ModelShape> model_shapes();

/// The shape of that exact name ("llama-3.1-8b"), or null.
[[nodiscard]] const ModelShape* find_model_shape(std::string_view name);

/// Parameters of the matrices inside the layers:
/// layers ((1 + inputs) hidden heads d + 2 inputs hidden kv_heads d + 3 experts hidden
/// intermediate)
/// + fused hidden^2, d the head dimension; a router's experts hidden per layer besides.
[[nodiscard]] std::int64_t layer_parameters(const ModelShape& shape);

/// Of those, the ones that are multiplied with one token: `experts_per_token` MLPs a layer.
[[nodiscard]] std::int64_t active_layer_parameters(const ModelShape& shape);

/// Different experts that `tokens` visit if each takes its own at random:
/// experts (1 - (1 - experts_per_token / experts)^tokens). Real routers prefer some experts, so
/// this is an upper estimate. @param tokens of one pass, >= 0. @return in [0, experts].
[[nodiscard]] double experts_visited(const ModelShape& shape, double tokens);

/// Parameters of the output head: hidden * vocabulary. Multiplied with positions that are sampled.
[[nodiscard]] std::int64_t head_parameters(const ModelShape& shape);

/// All parameters: layers, head, embedding unless tied, and norms.
[[nodiscard]] std::int64_t total_parameters(const ModelShape& shape);

/// Bytes that the weights occupy in memory: layers at `precision`, the rest at two bytes each.
[[nodiscard]] Bytes weight_bytes(const ModelShape& shape, Precision precision);

/// Bytes of keys and values that one token keeps: 2 layers kv_heads d element_bytes.
/// @param element_bytes 2 for bf16 (the engines' default), 1 for fp8.
[[nodiscard]] Bytes kv_bytes_per_token(const ModelShape& shape, double element_bytes = 2.0);

/// Arithmetic of attention for a token and one token that it attends: 4 layers heads d (queries by
/// keys, weights by values).
/// @source Kaplan et al., "Scaling laws for neural language models", arXiv 2001.08361, table 1.
[[nodiscard]] Flops attention_flops_per_pair(const ModelShape& shape);

}  // namespace specroute::models
