/// @file
/// One reader per format. Each puts every line into one count of the intake's report.
#pragma once

#include <string>
#include <string_view>

#include <specroute/vocab/result.hpp>

#include "sim/telemetry/intake.hpp"

namespace specroute::sim {

/// Scrapes one after the other. The date of a scrape is that of its lines; else that of the last
/// line before it that is nothing but a date or Unix seconds of nine digits or more, or says
/// "# time DATE"; else the settings'.
void read_prometheus(std::string_view text, Intake& intake);

/// The answer of Prometheus' /api/v1/query_range or /api/v1/query: a matrix or a vector. A text
/// that is none fails.
[[nodiscard]] Diagnostics read_query_range(const std::string& text, Intake& intake);

/// vLLM's periodic lines. V1 prints the counts of a period; V0 (where emitted tokens are told) sums
/// since its start.
void read_vllm_log(std::string_view text, Intake& intake);

/// SGLang's "Decode batch" lines: ratios, over running requests x steps between two lines.
void read_sglang_log(std::string_view text, Intake& intake);

/// llama.cpp's lines for each request; where a log has none, its running statistics.
void read_llama_cpp_log(std::string_view text, Intake& intake);

}  // namespace specroute::sim
