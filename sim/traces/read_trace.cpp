#include "sim/traces/read_trace.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "sim/traces/line_source.hpp"
#include "sim/traces/row_reader.hpp"

namespace specroute::sim {
namespace {

/// Numbers names in order of first mention.
class Numbering {
 public:
  std::uint32_t of(std::string_view name) {
    const auto found = numbers_.find(name);
    if (found != numbers_.end()) return found->second;
    const auto number = static_cast<std::uint32_t>(numbers_.size());
    numbers_.emplace(name, number);
    return number;
  }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> names(numbers_.size());
    for (const auto& [name, number] : numbers_) names[number] = name;
    return names;
  }

 private:
  std::map<std::string, std::uint32_t, std::less<>> numbers_;
};

std::string seconds_text(double seconds) {
  std::string text = std::to_string(seconds);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text + " s";
}

/// Gathers what a file comes to.
class Gathering {
 public:
  Gathering(std::string file, TraceFormat format, const TraceSlice& slice)
      : file_(std::move(file)), slice_(slice), reader_(row_reader(format)) {}

  Result<Trace> all_of(std::istream& stream) {
    LineSource lines(stream);
    std::string_view line;
    if (reader_->has_header()) {
      if (!lines.next(line)) line = {};
      if (auto fault = reader_->read_header(line))
        return Diagnostics{diagnostic(std::max<std::uint64_t>(lines.number(), 1), *fault)};
    }
    if (reader_->has_prefixes()) trace_.first_hash.push_back(0);
    while (lines.next(line)) read(lines.number(), line);
    if (lines.too_long()) add(lines.number() + 1, {1, "a line of at most 4 MiB", "a longer one"});
    if (lines.failed())
      add(lines.number() + 1, {1, "a file that can be read to its end", "an error"});
    if (fault_count_ > kMostLineFaults)
      faults_.push_back({.file = file_,
                         .place = {},
                         .expected = "no malformed line",
                         .found = std::to_string(fault_count_ - kMostLineFaults) + " more",
                         .nearest = {}});
    if (!faults_.empty()) return faults_;
    if (trace_.size() == 0) return nothing_kept();
    trace_.tenants = tenants_.names();
    trace_.sha256 = lines.sha256();
    return std::move(trace_);
  }

 private:
  [[nodiscard]] Diagnostic diagnostic(std::uint64_t line, const LineFault& fault) const {
    return {.file = file_,
            .place = std::to_string(line) + ':' + std::to_string(fault.column),
            .expected = fault.expected,
            .found = fault.found,
            .nearest = {}};
  }

  void add(std::uint64_t line, const LineFault& fault) {
    if (++fault_count_ <= kMostLineFaults) faults_.push_back(diagnostic(line, fault));
  }

  [[nodiscard]] Diagnostic nothing_kept() const {
    const TraceCounts& counts = trace_.counts;
    return {.file = file_,
            .place = "1:1",
            .expected = "a row of the slice",
            .found = "none in " + std::to_string(counts.rows) + " rows (" +
                     std::to_string(counts.out_of_slice) + " out of the slice, " +
                     std::to_string(counts.of_others) + " of others, " +
                     std::to_string(counts.zero_tokens) + " without tokens)",
            .nearest = {}};
  }

  void read(std::uint64_t number, std::string_view line) {
    if (auto fault = reader_->read(line, row_)) return add(number, *fault);
    if (row_.at_s < last_s_)
      return add(number, {1, "a time not before the row above (" + seconds_text(last_s_) + ")",
                          seconds_text(row_.at_s)});
    last_s_ = row_.at_s;
    if (const auto hash = repeated_hash())
      return add(number, {1, "each block hash once in a row", std::to_string(*hash) + " again"});
    ++trace_.counts.rows;
    if (fault_count_ == 0) sort_in();
  }

  /// A hash stands for its block and all before it, so a prompt has each once; a cache counts on
  /// it.
  std::optional<models::BlockHash> repeated_hash() {
    sorted_ = row_.hashes;
    std::ranges::sort(sorted_);
    const auto found = std::ranges::adjacent_find(sorted_);
    return found == sorted_.end() ? std::nullopt : std::optional(*found);
  }

  /// Where the row belongs: exactly one of the counts.
  void sort_in() {
    TraceCounts& counts = trace_.counts;
    const bool inside = row_.at_s >= slice_.from.count() && row_.at_s < slice_.to.count();
    const bool no_tokens = row_.prompt_tokens == 0 || row_.output_tokens == 0;
    if (!slice_.rows_of.empty() && row_.of != slice_.rows_of) {
      ++counts.of_others;
    } else if (inside && no_tokens && slice_.zero_tokens == ZeroTokens::drop) {
      ++counts.zero_tokens;
    } else if (!inside || counts.kept == slice_.limit) {
      ++counts.out_of_slice;
    } else {
      keep();
    }
  }

  void keep() {
    ++trace_.counts.kept;
    trace_.arrival_s.push_back(row_.at_s);
    trace_.prompt_tokens.push_back(std::max(row_.prompt_tokens, 1U));
    trace_.output_tokens.push_back(std::max(row_.output_tokens, 1U));
    if (reader_->has_sessions())
      trace_.session.push_back(row_.session.empty() ? 0 : sessions_.of(row_.session) + 1);
    if (reader_->has_tenants())
      trace_.tenant.push_back(row_.tenant.empty() ? Trace::kNobody : tenants_.of(row_.tenant));
    if (!reader_->has_prefixes()) return;
    trace_.hashes.insert(trace_.hashes.end(), row_.hashes.begin(), row_.hashes.end());
    trace_.first_hash.push_back(static_cast<std::uint32_t>(trace_.hashes.size()));
  }

  std::string file_;
  TraceSlice slice_;
  std::unique_ptr<RowReader> reader_;
  Trace trace_;
  TraceRow row_;
  std::vector<models::BlockHash> sorted_;  ///< the row's hashes, kept for its memory
  Numbering sessions_;
  Numbering tenants_;
  double last_s_ = -HUGE_VAL;
  Diagnostics faults_;
  std::size_t fault_count_ = 0;
};

}  // namespace

Result<Trace> read_trace(std::istream& stream, const std::string& file, TraceFormat format,
                         const TraceSlice& slice) {
  return Gathering(file, format, slice).all_of(stream);
}

}  // namespace specroute::sim
