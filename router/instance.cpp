#include "router/instance.hpp"

#include <new>

namespace specroute::router {
namespace {

constexpr std::size_t kAlign = 64;

constexpr std::size_t aligned(std::size_t bytes) {
  return (bytes + kAlign - 1) / kAlign * kAlign;
}

/// Hands out consecutive parts of the block.
class Layout {
 public:
  explicit Layout(std::byte* block) : block_(block) {}
  /// Room for `capacity` items; with no block it only counts.
  template <class Item>
  void place(Table<Item>& table, std::uint32_t capacity) {
    if (block_ != nullptr) {
      table.items = reinterpret_cast<Item*>(block_ + offset_);
      table.capacity = capacity;
    }
    offset_ += aligned(sizeof(Item) * capacity);
  }
  [[nodiscard]] std::size_t bytes() const { return offset_; }

 private:
  std::byte* block_;
  std::size_t offset_ = aligned(sizeof(srp_policy));
};

/// Tables that the gate never reads get no room.
std::size_t lay_out(srp_policy& policy, std::byte* block) {
  const Config& config = policy.config;
  Layout layout(block);
  layout.place(policy.binds.rows, config.max_pairings);
  layout.place(policy.binds.keys, config.max_pairings);
  layout.place(policy.fleets.sums, policy.gate->reads_fleet ? config.max_pairings : 0);
  layout.place(policy.failovers, config.max_pairings);
  layout.place(policy.baselines.book, policy.gate->reads_baseline ? config.max_baselines : 0);
  layout.place(policy.candidates.candidates, policy.gate->rebinds ? config.max_backends : 0);
  return layout.bytes();
}

}  // namespace

srp_policy* make_instance(const srp_host& host, const Config& config) {
  srp_policy plan;
  plan.config = config;
  plan.gate = find_gate(config.gate);
  plan.host = host;
  plan.total_bytes = lay_out(plan, nullptr);
  void* block = host.alloc(host.ctx, plan.total_bytes, kAlign);
  if (block == nullptr) return nullptr;
  auto* policy = new (block) srp_policy(plan);
  lay_out(*policy, static_cast<std::byte*>(block));
  policy->fleets.of_arms = config.gate == SRP_GATE_BANDIT;
  policy->fleets.of_counts = config.gate == SRP_GATE_GLOBAL_MEAN;
  policy->fleets.of_peers = config.gate == SRP_GATE_OUTLIER;
  return policy;
}

void destroy_instance(srp_policy* policy) {
  const srp_host host = policy->host;
  host.free(host.ctx, policy, policy->total_bytes, kAlign);
}

}  // namespace specroute::router
