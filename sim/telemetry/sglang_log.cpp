#include <map>

#include "sim/telemetry/log_text.hpp"
#include "sim/telemetry/readers.hpp"

namespace specroute::sim {
namespace {

/// What stands between the brackets in front: a date, and ranks such as "DP1 TP0".
struct FrontMatter {
  std::optional<UnixTime> at;
  std::string data_rank;
  bool repeats = false;  ///< of a rank that says what rank 0 says
};

FrontMatter front_matter(std::string_view line, std::int64_t utc_offset_s) {
  constexpr std::size_t kDate = 19;  // "2026-11-06 08:15:00"
  FrontMatter front;
  const std::size_t begin = line.find('[');
  const std::size_t end = line.find(']');
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) return front;
  std::string_view inside = line.substr(begin + 1, end - begin - 1);
  // Read as if in UTC, then moved to where it was written.
  const auto date = parse_date(std::string(inside.substr(0, kDate)) + 'Z');
  const std::int64_t offset_ns = utc_offset_s * 1'000'000'000;
  if (date && static_cast<std::int64_t>(*date) > offset_ns)
    front.at = static_cast<UnixTime>(static_cast<std::int64_t>(*date) - offset_ns);
  inside = inside.substr(std::min(kDate, inside.size()));
  while (!inside.empty()) {
    const std::size_t blank = inside.find_first_not_of(' ');
    inside.remove_prefix(std::min(blank, inside.size()));
    const std::string_view word = inside.substr(0, inside.find(' '));
    inside.remove_prefix(word.size());
    if (word.starts_with("DP")) front.data_rank = word.substr(2);
    if ((word.starts_with("TP") || word.starts_with("PP")) && front.data_rank.empty() &&
        word.substr(2) != "0")
      front.repeats = true;
  }
  return front;
}

class SglangLog {
 public:
  explicit SglangLog(Intake& intake) : intake_(intake) {}

  void take(std::string_view raw, std::uint64_t number) {
    const std::string plain = without_colours(raw);
    std::string_view line = plain;
    const auto date = take_front_date(line);
    FrontMatter front = front_matter(line, intake_.settings().utc_offset_s);
    if (date) front.at = date;
    if (front.at) last_ = *front.at;
    if (line.find("server_args=ServerArgs(") != std::string_view::npos) restarted_ = last_;
    const bool decodes = line.find("Decode batch") != std::string_view::npos &&
                         line.find("accept len:") != std::string_view::npos;
    if (!decodes) return intake_.pass_over();
    if (front.repeats) return intake_.repeat();
    const Origin origin = intake_.origin(number);
    if (last_ == 0) return intake_.bad(origin, "a date in brackets", line);
    batch(line, front, origin);
  }

 private:
  void batch(std::string_view line, const FrontMatter& front, const Origin& origin) {
    const auto running = whole_after(line, "#running-req:");
    const auto length = real_after(line, "accept len:");
    if (!running || !length || *running > 1'000'000)
      return intake_.bad(origin, "#running-req and accept len", line);
    Labels labels;
    if (!front.data_rank.empty()) labels["dp_rank"] = front.data_rank;
    LoggedCounts counts;
    counts.at = last_;
    counts.source = intake_.source(std::move(labels));
    counts.steps = *running * intake_.settings().decode_log_interval;
    counts.accept_length = length;
    counts.accept_rate = real_after(line, "accept rate:");
    counts.origin = origin;
    if (restarted_of_[counts.source] != restarted_)
      counts.restarted_at = restarted_of_[counts.source] = restarted_;
    intake_.use();
    intake_.logged(std::move(counts));
  }

  Intake& intake_;
  UnixTime last_ = 0;
  UnixTime restarted_ = 0;
  std::map<std::uint32_t, UnixTime> restarted_of_;
};

}  // namespace

void read_sglang_log(std::string_view text, Intake& intake) {
  SglangLog log(intake);
  for_each_line(text, [&](std::string_view line, std::uint64_t number) { log.take(line, number); });
}

}  // namespace specroute::sim
