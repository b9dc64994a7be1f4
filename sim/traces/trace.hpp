/// @file
/// Requests of a trace file, as the simulator plays them.
///
/// Rows are held in columns, 16 bytes each, plus what a format has besides: memory follows the rows
/// that were kept, not the file. docs/traces.md describes the formats.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <specroute/vocab/units.hpp>

#include "models/workload/prefix_blocks.hpp"

namespace specroute::sim {

/// Whose layout a file has; the spelling of a scenario's `format`.
enum class TraceFormat : std::uint8_t { azure, mooncake, burstgpt, specroute };

/// What becomes of a row without a prompt token or without an output token.
enum class ZeroTokens : std::uint8_t { drop, one_token };

/// Which rows of a file are kept. Times are the trace's own, from its beginning.
struct TraceSlice {
  std::string rows_of;  ///< class or model; empty: all
  Seconds from{0.0};
  Seconds to{std::numeric_limits<double>::infinity()};
  std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();
  ZeroTokens zero_tokens = ZeroTokens::drop;
};

/// What became of a file's rows: each is counted once.
struct TraceCounts {
  std::uint64_t rows = 0;          ///< in the file
  std::uint64_t kept = 0;          ///< of them in the trace
  std::uint64_t zero_tokens = 0;   ///< dropped: no prompt token or no output token
  std::uint64_t of_others = 0;     ///< of another class or model
  std::uint64_t out_of_slice = 0;  ///< before `from`, from `to` on, or beyond the limit
};

struct Trace {
  static constexpr std::uint32_t kNobody = std::numeric_limits<std::uint32_t>::max();

  std::string sha256;  ///< of the file's bytes
  TraceCounts counts;
  std::vector<double> arrival_s;  ///< the trace's own time, not falling
  std::vector<std::uint32_t> prompt_tokens;
  std::vector<std::uint32_t> output_tokens;
  // Empty where the format has no such column.
  std::vector<std::uint32_t> session;     ///< from 1; 0: none
  std::vector<std::uint32_t> tenant;      ///< index in `tenants`, or kNobody
  std::vector<std::uint32_t> first_hash;  ///< of the row's prefix; one more entry than rows
  std::vector<models::BlockHash> hashes;  ///< of 512-token blocks, row after row
  std::vector<std::string> tenants;       ///< in order of first mention

  [[nodiscard]] std::size_t size() const { return arrival_s.size(); }
  [[nodiscard]] std::span<const models::BlockHash> prefix(std::size_t row) const {
    if (first_hash.empty()) return {};
    return std::span(hashes).subspan(first_hash[row], first_hash[row + 1] - first_hash[row]);
  }
};

}  // namespace specroute::sim
