#include "models/devices/step_time.hpp"

#include <specroute/vocab/check.hpp>

#include "models/devices/collective.hpp"

namespace specroute::models {
namespace {

double twice(std::int64_t parameters) {
  return 2.0 * static_cast<double>(parameters);
}

/// Peak rate of the layers' matrices; without fp8 units, one-byte weights are computed in bf16.
double layer_peak(const Deployment& deployment) {
  const Device& device = deployment.device;
  const bool in_fp8 = deployment.precision == Precision::fp8 && device.has_fp8();
  return (in_fp8 ? device.fp8_dense : device.bf16_dense).value();
}

}  // namespace

StepModel step_model(const Deployment& deployment) {
  return step_model(deployment, kernel_efficiency(deployment.device.generation),
                    engine_overheads(deployment.engine));
}

StepModel step_model(const Deployment& deployment, const KernelEfficiency& kernels,
                     const EngineOverheads& overheads) {
  check(deployment.tensor_parallel >= 1, "an engine runs on at least one device");
  const auto& [device, shape, precision, tensor_parallel, engine, kv_element_bytes] = deployment;
  const double group = tensor_parallel;
  const double layers = static_cast<double>(shape.layers);
  const double compute = group * kernels.compute * overheads.compute_factor;
  const double half_peak = device.bf16_dense.value() * compute;
  const double bandwidth =
      device.memory_bandwidth.value() * kernels.memory * overheads.memory_factor;
  // A device holds at least one KV head: beyond that many devices, heads are replicated.
  const double kv_shards = std::min(group, static_cast<double>(shape.kv_heads));
  const double layer_seconds = twice(layer_parameters(shape)) / (layer_peak(deployment) * compute);

  // Two all-reduces a layer (after attention and after the MLP) of hidden bf16 values a token.
  const AllReduce reduce = all_reduce(device, tensor_parallel);
  const double reductions = 2.0 * layers * overheads.collective_factor;
  const double token_bytes = static_cast<double>(shape.hidden) * 2.0;
  const bool quantised = precision == Precision::fp8;
  const Seconds per_layer =
      overheads.per_layer + (quantised ? overheads.per_quantised_layer : Seconds{0.0});

  return {
      .compute_per_decode_token = layer_seconds + twice(head_parameters(shape)) / half_peak,
      .compute_per_prefill_token = layer_seconds,
      .compute_per_pair = attention_flops_per_pair(shape).value() / half_peak,
      .memory_weights = weight_bytes_read(shape, precision).value() / (group * bandwidth),
      .memory_per_context =
          kv_bytes_per_token(shape, kv_element_bytes).value() / (kv_shards * bandwidth),
      .overlap_loss = kernels.overlap_loss,
      .device_fixed = per_layer.count() * layers + reductions * reduce.latency.count(),
      .device_per_token = reductions * token_bytes * reduce.seconds_per_byte,
      .host_fixed = overheads.per_pass.count(),
      .host_per_sequence = overheads.per_sequence.count(),
      .host_per_prefill_token = overheads.per_prefill_token.count(),
  };
}

Flops pass_flops(const ModelShape& shape, const Pass& pass) {
  const double decode_pairs =
      pass.sequences > 0.0 ? pass.tokens_decode * pass.context_tokens / pass.sequences : 0.0;
  return Flops{twice(layer_parameters(shape)) * (pass.tokens_decode + pass.tokens_prefill) +
               twice(head_parameters(shape)) * pass.tokens_decode} +
         attention_flops_per_pair(shape) * (decode_pairs + pass.prefill_pairs);
}

}  // namespace specroute::models
