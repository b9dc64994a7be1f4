/// @file
/// Layers of retries: how often, after what wait, within what budget, for how long each try.
///
/// A failed try goes to the innermost layer that may still retry it. Where a layer retries, the
/// layers inside it begin anew, so tries multiply: (1 + r1)(1 + r2)... A budget counts, over a
/// sliding window of whole seconds, the first tries that its layer was asked for and the retries
/// that it made; it allows a retry while retries < share x asked + min_per_s x window.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include <specroute/vocab/units.hpp>

#include "sim/routing/recent_count.hpp"
#include "sim/scenario/resilience.hpp"

namespace specroute::sim {

inline constexpr std::size_t kMostRetryLayers = 4;

/// Of one request, in all layers.
struct RetryState {
  std::array<std::uint8_t, kMostRetryLayers> retries{};  ///< since the layer last began
  std::array<Seconds, kMostRetryLayers> deadline = {kNone, kNone, kNone, kNone};

  static constexpr Seconds kNone{std::numeric_limits<double>::infinity()};
};

class RetryPolicy {
 public:
  explicit RetryPolicy(const std::vector<RetryLayer>& layers);

  [[nodiscard]] bool has_layers() const { return !layers_.empty(); }
  /// 0 where there are none.
  [[nodiscard]] std::uint32_t innermost() const {
    return layers_.empty() ? 0U : static_cast<std::uint32_t>(layers_.size() - 1);
  }

  /// A request arrives: every layer begins its first try.
  void begin(RetryState& state, Seconds now);

  /// A try of `layer` failed. @param u uniform on [0, 1), for the jitter.
  /// @return what comes next, or none where every layer gives up.
  struct Next {
    Seconds wait;
    std::uint32_t layer;  ///< that retries; those inside it begin anew
  };
  std::optional<Next> after_failure(RetryState& state, std::uint32_t layer, Seconds now, double u);

  /// The outermost layer whose try ends at `now`, if any.
  [[nodiscard]] std::optional<std::uint32_t> timed_out(const RetryState& state, Seconds now) const;

  /// Retries that a budget refused.
  [[nodiscard]] std::uint64_t denied() const { return denied_; }

 private:
  struct Layer {
    RetryLayer settings;
    RecentCount asked;    ///< first tries
    RecentCount retries;  ///< made
  };
  [[nodiscard]] bool allows(const Layer& layer, Seconds now);
  static Seconds wait(const RetryLayer& layer, std::uint32_t retry, double u);

  std::vector<Layer> layers_;
  std::uint64_t denied_ = 0;
};

}  // namespace specroute::sim
