/// @file
/// How many transfers there were, and how long they took.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include <specroute/vocab/units.hpp>

#include "sim/world/run_result.hpp"

namespace specroute::sim {

inline constexpr const char* kWeightLoads = "weight_loads";  ///< storage to a restarting backend
inline constexpr const char* kDraftFlows = "draft_flows";    ///< drafts large enough to be flows

/// Transfers of one kind, from their beginning to their whole end; failed ones are not in it.
class TransferBook {
 public:
  void ended(Seconds took) {
    ++count_;
    total_ += took;
    longest_ = std::max(longest_, took);
  }
  /// Appends NAME.count, NAME.mean_ms and NAME.longest_ms; the times are without a value where
  /// there was none.
  void report(Metrics& metrics, const std::string& name) const {
    const auto milliseconds = [this](Seconds time) {
      return count_ > 0 ? std::optional(time.count() * 1e3) : std::nullopt;
    };
    metrics.emplace_back(name + ".count", static_cast<double>(count_));
    metrics.emplace_back(name + ".mean_ms",
                         milliseconds(total_ / std::max(1.0, static_cast<double>(count_))));
    metrics.emplace_back(name + ".longest_ms", milliseconds(longest_));
  }

 private:
  std::uint64_t count_ = 0;
  Seconds total_{0.0};
  Seconds longest_{0.0};
};

}  // namespace specroute::sim
