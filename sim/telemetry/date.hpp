/// @file
/// Dates of production telemetry: nanoseconds since 1970 in UTC, exact, without a clock or locale.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace specroute::sim {

/// Nanoseconds since 1970-01-01T00:00:00Z, as srp_ns carries them. No leap seconds.
using UnixTime = std::uint64_t;

inline constexpr UnixTime kNanosecondsPerSecond = 1'000'000'000;

/// The whole of `text` as a date of RFC 3339, "2026-11-06T08:15:00.25+01:00": a "T" or a space in
/// the middle, up to nine digits of a fraction, and "Z" or an offset. Years 1970 to 2199.
/// @return nothing for any other text, and for a date that no calendar has
[[nodiscard]] std::optional<UnixTime> parse_date(std::string_view text);

/// The whole of `text` as seconds since 1970, with up to nine digits of a fraction (further ones
/// are cut off); as `date +%s` prints them. Up to the year 2199.
[[nodiscard]] std::optional<UnixTime> parse_unix_seconds(std::string_view text);

/// The parts of a date as a log prints them, in the zone of the log.
struct LocalTime {
  int year = 0;
  int month = 0;
  int day = 0;
  int hour = 0;
  int minute = 0;
  int second = 0;
  std::uint32_t nanosecond = 0;
};

/// @param utc_offset_s what the zone is ahead of UTC
/// @return nothing where no calendar has the date, or it is before 1970 or after 2199
[[nodiscard]] std::optional<UnixTime> to_unix_time(const LocalTime& local,
                                                   std::int64_t utc_offset_s);

/// "2026-11-06T08:15:00.25Z": as many digits of a fraction as there are.
[[nodiscard]] std::string format_date(UnixTime date);

}  // namespace specroute::sim
