#include "models/devices/step_time.hpp"

#include <specroute/vocab/check.hpp>

#include "models/devices/collective.hpp"

namespace specroute::models {
namespace {

double real(std::int64_t count) {
  return static_cast<double>(count);
}

/// Seconds of one device's share of the layers, as a function of the tokens of a pass.
class LayerSeconds {
 public:
  LayerSeconds(const Deployment& deployment, const Kernels& kernels,
               const EngineOverheads& overheads)
      : device_(deployment.device),
        shape_(deployment.shape),
        group_(deployment.tensor_parallel),
        weight_bytes_(deployment.precision == Precision::fp8 ? 1.0 : 2.0),
        gemm_(kernels.gemm),
        reduce_(all_reduce(deployment.device, deployment.tensor_parallel)) {
    // Without fp8 units one-byte weights are computed in bf16.
    const bool quantised = deployment.precision == Precision::fp8;
    const bool in_fp8 = quantised && device_.has_fp8();
    peak_ = in_fp8 ? device_.fp8_dense * overheads.fp8_compute : device_.bf16_dense;
    fixed_ = kernels.attention.launch + overheads.per_layer +
             (quantised ? overheads.per_quantised_layer : Seconds{0.0});
  }

  [[nodiscard]] double operator()(double tokens) const {
    return real(shape_.layers) *
               (attention_products(tokens) + feed_forward(tokens) + activations(tokens) +
                2.0 * reduce_.time(Bytes{tokens * real(shape_.hidden) * 2.0}) + fixed_)
                   .count() +
           fusion(tokens).count();
  }

 private:
  [[nodiscard]] Seconds product(double m, double n, double k) const {
    return gemm_time(gemm_, gemm_work(m, n, k, weight_bytes_), peak_, device_.memory_bandwidth);
  }

  [[nodiscard]] Seconds attention_products(double tokens) const {
    const double width = real(shape_.head_dimension) / group_;
    const double input = real(shape_.attention_inputs * shape_.hidden);
    return product(tokens, real(shape_.heads + 2 * shape_.kv_heads) * width, input) +
           product(tokens, real(shape_.hidden), real(shape_.heads) * width);
  }

  /// Gate and up in one product, down in another; each expert that a token visits is read.
  [[nodiscard]] Seconds feed_forward(double tokens) const {
    const double hidden = real(shape_.hidden);
    const double width = real(shape_.intermediate) / group_;
    const double rows = tokens * real(shape_.experts_per_token);
    const double read = shape_.experts > 1 ? experts_visited(shape_, tokens) : 1.0;
    const auto expert_product = [&](double n, double k) {
      GemmWork work = gemm_work(rows, n, k, weight_bytes_);
      work.bytes += (read - 1.0) * weight_bytes_ * n * k;
      return gemm_time(gemm_, work, peak_, device_.memory_bandwidth);
    };
    return expert_product(2.0 * width, hidden) + expert_product(hidden, width);
  }

  /// EAGLE's first product, once per pass.
  [[nodiscard]] Seconds fusion(double tokens) const {
    if (shape_.fused_features == 0) return Seconds{0.0};
    const double hidden = real(shape_.hidden);
    return product(tokens, hidden / group_, real(shape_.fused_features) * hidden);
  }

  [[nodiscard]] Seconds activations(double tokens) const {
    const double heads = real((shape_.heads + 2 * shape_.kv_heads) * shape_.head_dimension);
    const double gated = real(shape_.experts_per_token * shape_.intermediate);
    const double values = 8.0 * real(shape_.hidden) + (2.0 * heads + 3.0 * gated) / group_;
    return Bytes{2.0 * values * tokens} / (device_.memory_bandwidth * gemm_.memory);
  }

  const Device& device_;
  const ModelShape& shape_;
  double group_;
  double weight_bytes_;
  GemmKernel gemm_;
  AllReduce reduce_;
  FlopsPerSecond peak_;
  Seconds fixed_{0.0};
};

}  // namespace

StepModel step_model(const Deployment& deployment) {
  return step_model(deployment, kernels(deployment.device.generation),
                    engine_overheads(deployment.engine));
}

StepModel step_model(const Deployment& deployment, const Kernels& kernels,
                     const EngineOverheads& overheads) {
  check(deployment.tensor_parallel >= 1, "an engine runs on at least one device");
  const auto& [device, shape, precision, tensor_parallel, engine, kv_element_bytes] = deployment;
  const double group = tensor_parallel;
  const double layers = real(shape.layers);
  const double bandwidth = device.memory_bandwidth.value();
  // A device holds at least one KV head: beyond that many devices, heads are replicated.
  const double kv_shards = std::min(group, real(shape.kv_heads));
  const double kv_bytes = kv_bytes_per_token(shape, kv_element_bytes).value() / kv_shards;
  const double bytes_per_stream_token =
      2.0 * layers * real(shape.head_dimension) * kv_element_bytes;
  const double pair = attention_flops_per_pair(shape).value() / group / device.bf16_dense.value();

  StepModel model;
  model.layers = TokenTable(LayerSeconds(deployment, kernels, overheads));
  model.head = TokenTable([&](double sampled) {
    const GemmWork work =
        gemm_work(sampled, real(shape.vocabulary) / group, real(shape.hidden), 2.0);
    return gemm_time(kernels.gemm, work, device.bf16_dense, device.memory_bandwidth).count();
  });
  model.attention_per_context = kv_bytes / (bandwidth * kernels.attention.memory);
  model.attention_per_sequence =
      layers * real(shape.kv_heads) / kv_shards * kernels.attention.task.count();
  model.attention_ramp = kernels.attention.half_streams * bytes_per_stream_token / bandwidth;
  model.verified_per_pair = pair / kernels.gemm.compute;
  model.prefill_per_pair = pair / kernels.attention.prefill_compute;
  model.eager_floor = layers * overheads.eager_per_layer.count();
  model.graph_tokens = overheads.graph_tokens;
  model.host_fixed = overheads.per_pass.count();
  model.host_per_sequence = overheads.per_sequence.count();
  model.host_per_prefill_token = overheads.per_prefill_token.count();
  return model;
}

Flops work_flops(const ModelShape& shape, const WorkDone& work) {
  return Flops{2.0 * real(active_layer_parameters(shape)) *
                   (work.decode_tokens + work.prompt_tokens) +
               2.0 * real(head_parameters(shape)) * work.decode_tokens} +
         attention_flops_per_pair(shape) * work.pairs;
}

Flops pass_flops(const ModelShape& shape, const Pass& pass) {
  WorkDone work;
  work.add(pass);
  return work_flops(shape, work);
}

}  // namespace specroute::models
