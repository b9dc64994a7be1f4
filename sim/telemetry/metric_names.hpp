/// @file
/// Names under which engines publish what they count about speculation.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/telemetry/telemetry.hpp"

namespace specroute::sim {

/// What a metric's name stands for.
struct MetricName {
  enum class Kind : std::uint8_t {
    read,     ///< `metric` says what it is
    derived,  ///< known, and told by others already: gauges that vLLM derives from its counters
    unknown,  ///< about speculation by its name
    other,    ///< about something else
  };
  Kind kind = Kind::other;
  Metric metric = Metric::drafts;
};

/// Names of vLLM (V0 and V1) and llama.cpp with and without "_total", of SGLang; ":" and "_" after
/// the engine's name alike, since exporters rewrite the colon.
/// @source vllm/v1/spec_decode/metrics.py; sglang metrics_collector.py; llama.cpp PR 26389
[[nodiscard]] MetricName metric_name(std::string_view name);

/// The nearest name that is read; empty where none is near, or the name is beyond all reason.
[[nodiscard]] std::string nearest_metric(std::string_view name);

}  // namespace specroute::sim
