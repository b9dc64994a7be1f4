/// @file
/// What files of production telemetry say, in one form whatever engine wrote them.
///
/// Counters stay as they were read, and each value knows the line it came from. What they mean for
/// a pairing is for sim/replay to say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/telemetry/date.hpp"

namespace specroute::sim {

/// The spelling of `--format`, with underscores.
enum class TelemetryFormat : std::uint8_t {
  prometheus,
  query_range,
  vllm_log,
  sglang_log,
  llama_cpp_log,
  events,  ///< our own: read by sim/replay
};

/// Labels of one engine. Order does not count.
using Labels = std::map<std::string, std::string>;

/// What a scraped number is. Counters rise until the engine restarts; gauges are of a moment.
enum class Metric : std::uint8_t {
  drafts,             ///< counter: verification steps
  draft_tokens,       ///< counter
  accepted_tokens,    ///< counter: without bonus tokens
  accepted_at,        ///< counter of one position
  completions,        ///< counter: requests that ended
  verify_calls,       ///< counter: SGLang's verification steps
  generation_tokens,  ///< counter: emitted tokens
  created,            ///< when a counter began, in seconds
  accept_length,      ///< gauge: tokens per step, the bonus token included
  accept_rate,        ///< gauge: what it is over depends on the engine's version
  tree_tokens,        ///< gauge: SGLang's num_draft_tokens, which count the root
  speculative_steps,  ///< gauge
};

[[nodiscard]] constexpr bool is_gauge(Metric metric) {
  return metric >= Metric::created;
}

/// Where a number stands: `item` is a line, or a value of entry `part` of a query's result.
struct Origin {
  std::uint32_t file = 0;
  std::uint32_t part = 0;
  std::uint64_t item = 0;
};

/// One number of one scrape.
struct ScrapedValue {
  UnixTime at = 0;
  std::uint32_t source = 0;  ///< index in Telemetry::sources
  std::uint32_t series = 0;  ///< index in Telemetry::series: labels that tell parts of a source
  Metric metric = Metric::drafts;
  std::uint32_t position = 0;  ///< of accepted_at
  double value = 0.0;          ///< counters: a whole number below 2^53
  Origin origin;
};

/// Counts of one period, as log lines print them.
struct LoggedCounts {
  UnixTime at = 0;
  UnixTime from = 0;          ///< 0: since the line before
  UnixTime restarted_at = 0;  ///< 0: same process as the line before
  std::uint32_t source = 0;
  std::uint64_t steps = 0;     ///< 0: not known
  std::uint64_t drafted = 0;   ///< of a ratio: to be derived
  std::uint64_t accepted = 0;  ///< likewise
  std::vector<std::uint64_t> accepted_at;
  std::uint64_t completions = 0;
  std::optional<double> accept_length;  ///< only this and `steps` are known: a ratio
  std::optional<double> accept_rate;
  Origin origin;
};

/// A line that says less, or other things, than its format asks for.
struct BadLine {
  Origin origin;
  std::string expected;
  std::string found;
};

/// Bad lines of a file that are kept with their words; the rest is counted.
inline constexpr std::size_t kShownBadLines = 5;

/// A metric about speculation that no reader knows.
struct UnknownName {
  std::uint64_t count = 0;
  std::string nearest;  ///< known spelling; empty where none is near
};

/// What became of the lines (or values) of a file: each is in one count.
struct FileReport {
  std::string name;
  TelemetryFormat format = TelemetryFormat::prometheus;
  bool told = false;  ///< the format was given, not found out
  std::uint64_t lines = 0;
  std::uint64_t used = 0;
  std::uint64_t other = 0;     ///< blank, a comment, or about something else
  std::uint64_t repeated = 0;  ///< of another rank, or told by another line already
  std::uint64_t bad = 0;
  std::vector<BadLine> first_bad;
  std::map<std::string, UnknownName> unknown_names;
};

struct Telemetry {
  std::vector<FileReport> files;
  std::vector<Labels> sources;
  std::vector<std::string> series;
  std::vector<ScrapedValue> scraped;
  std::vector<LoggedCounts> logged;
};

/// "a{b="c", d="e"}" without the name: labels as people read them.
[[nodiscard]] std::string labels_text(const Labels& labels);

/// "12" or "/data/result/0/values/3".
[[nodiscard]] std::string place_text(const FileReport& file, const Origin& origin);

[[nodiscard]] const char* format_name(TelemetryFormat format);

}  // namespace specroute::sim
