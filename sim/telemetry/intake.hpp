/// @file
/// Where the readers of one file put what they find.
#pragma once

#include <string>
#include <string_view>

#include "sim/telemetry/telemetry.hpp"

namespace specroute::sim {

/// What a file does not say of itself.
struct FileSettings {
  Labels labels;                           ///< added where the text has no such label
  std::optional<UnixTime> at;              ///< of a scrape without a date
  std::optional<UnixTime> starts_at;       ///< start of a process whose log counts from there
  std::optional<int> year;                 ///< of dates without one
  std::int64_t utc_offset_s = 0;           ///< of dates without a zone
  std::uint64_t decode_log_interval = 40;  ///< steps between two of SGLang's lines
};

/// Counts lines, and gives equal label sets equal numbers.
class Intake {
 public:
  /// @param telemetry grows; `file` must be its last file
  Intake(Telemetry& telemetry, const FileSettings& settings);

  [[nodiscard]] const FileSettings& settings() const { return settings_; }
  [[nodiscard]] Origin origin(std::uint64_t item, std::uint32_t part = 0) const;

  /// The number of an engine: its labels with those of the file. Where neither names an instance or
  /// a pod, the file does.
  std::uint32_t source(Labels labels);
  std::uint32_t series(const std::string& text);

  void scraped(ScrapedValue value) { telemetry_.scraped.push_back(value); }
  void logged(LoggedCounts counts) { telemetry_.logged.push_back(std::move(counts)); }
  [[nodiscard]] std::size_t logged_count() const { return telemetry_.logged.size(); }
  [[nodiscard]] Telemetry& telemetry() { return telemetry_; }

  // One of these for every line or value.
  void use() { count(report().used); }
  void pass_over() { count(report().other); }
  void repeat() { count(report().repeated); }
  void bad(const Origin& where, std::string expected, std::string_view found);

  void unknown_name(std::string_view name);

 private:
  [[nodiscard]] FileReport& report() { return telemetry_.files.back(); }
  void count(std::uint64_t& into);

  Telemetry& telemetry_;
  FileSettings settings_;
  std::map<Labels, std::uint32_t> source_numbers_;
  std::map<std::string, std::uint32_t> series_numbers_;
};

/// Calls `each(line, number)` for every line of `text`, numbered from 1, without LF or CRLF.
template <class Each>
void for_each_line(std::string_view text, Each each) {
  std::uint64_t number = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    each(line, ++number);
  }
}

/// At most 60 bytes of `text` between quotes, for a diagnostic.
[[nodiscard]] std::string shown_text(std::string_view text);

}  // namespace specroute::sim
