#include "models/devices/kv_capacity.hpp"

#include <algorithm>
#include <cmath>

#include <specroute/vocab/check.hpp>

namespace specroute::models {

std::int64_t kv_blocks(const Deployment& deployment, const MemoryPlan& plan) {
  check(deployment.tensor_parallel >= 1, "an engine runs on at least one device");
  check(plan.block_tokens >= 1, "a KV block holds a token");
  check(plan.utilisation > 0.0 && plan.utilisation <= 1.0, "memory utilisation is in (0, 1]");
  const double group = deployment.tensor_parallel;
  const double shards = std::min(group, static_cast<double>(deployment.shape.kv_heads));
  const Bytes room = deployment.device.memory * plan.utilisation -
                     weight_bytes(deployment.shape, deployment.precision) / group -
                     plan.other_weights / group - plan.activation_reserve;
  const Bytes block = kv_bytes_per_token(deployment.shape, deployment.kv_element_bytes) *
                          (static_cast<double>(plan.block_tokens) / shards) +
                      plan.other_kv_per_token * static_cast<double>(plan.block_tokens);
  if (!(room > Bytes{0.0})) return 0;
  return static_cast<std::int64_t>(std::floor(room / block));
}

}  // namespace specroute::models
