#include "sim/telemetry/exposition_line.hpp"
#include "sim/telemetry/readers.hpp"
#include "sim/telemetry/scraped_series.hpp"
#include "sim/traces/comma_fields.hpp"

namespace specroute::sim {
namespace {

std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

std::optional<UnixTime> date_of(std::string_view text) {
  const auto date = parse_date(text);
  return date ? date : parse_unix_seconds(text);
}

/// Whether the line is a date between two scrapes; `at` is then what it says, if that is a date.
bool separates(std::string_view line, std::optional<UnixTime>& at) {
  constexpr std::string_view kMark = "# time";
  if (line.starts_with(kMark)) {
    at = date_of(without_blanks(line.substr(kMark.size())));
    return true;
  }
  // A status that curl prints is a number too, but no date of this century.
  constexpr std::size_t kDigitsOfADate = 9;
  if (line.find_first_not_of("0123456789") < kDigitsOfADate && !parse_date(line)) return false;
  const auto date = line.size() < kDigitsOfADate ? std::nullopt : date_of(line);
  if (date) at = date;
  return date.has_value();
}

}  // namespace

void read_prometheus(std::string_view text, Intake& intake) {
  std::optional<UnixTime> at = intake.settings().at;
  for_each_line(text, [&](std::string_view raw, std::uint64_t number) {
    const std::string_view line = without_blanks(raw);
    const Origin origin = intake.origin(number);
    if (line.empty()) return intake.pass_over();
    if (separates(line, at))
      return at ? intake.pass_over() : intake.bad(origin, "a date after \"# time\"", line);
    if (line.starts_with('#')) return intake.pass_over();
    if (utf8_bytes(line) < line.size()) return intake.bad(origin, "UTF-8", "");
    ExpositionLine sample = parse_exposition_line(line);
    if (!sample.fault.empty()) return intake.bad(origin, std::move(sample.fault), line);
    take_value(
        {sample.name, std::move(sample.labels), sample.value, sample.at ? sample.at : at, origin},
        intake);
  });
}

}  // namespace specroute::sim
