#include <charconv>
#include <cmath>
#include <map>

#include "sim/telemetry/log_text.hpp"
#include "sim/telemetry/readers.hpp"

namespace specroute::sim {
namespace {

/// Two digits at `at`; nothing where there are none.
std::optional<int> two_digits(std::string_view text, std::size_t at) {
  if (at + 2 > text.size()) return std::nullopt;
  int value = 0;
  const auto read = std::from_chars(text.data() + at, text.data() + at + 2, value);
  if (read.ptr != text.data() + at + 2 || value < 0) return std::nullopt;
  return value;
}

/// "INFO 08-05 12:00:00": month to second, without a year.
std::optional<LocalTime> level_date(std::string_view line) {
  for (const std::string_view level : {"INFO ", "WARNING ", "DEBUG ", "ERROR "}) {
    const std::size_t at = line.find(level);
    if (at == std::string_view::npos) continue;
    const std::string_view text = line.substr(at + level.size());
    const auto month = two_digits(text, 0);
    const auto day = two_digits(text, 3);
    const auto hour = two_digits(text, 6);
    const auto minute = two_digits(text, 9);
    const auto second = two_digits(text, 12);
    if (!month || !day || !hour || !minute || !second || text[2] != '-' || text[8] != ':') continue;
    return LocalTime{0, *month, *day, *hour, *minute, *second, 0};
  }
  return std::nullopt;
}

/// "Engine 003: SpecDecoding metrics" is of engine "3", as its metrics label it.
std::string engine_of(std::string_view line) {
  constexpr std::string_view kEngine = "Engine ";
  const std::size_t at = line.find(kEngine);
  if (at == std::string_view::npos) return {};
  std::string_view digits = line.substr(at + kEngine.size());
  digits = digits.substr(0, digits.find_first_not_of("0123456789"));
  while (digits.size() > 1 && digits.front() == '0') digits.remove_prefix(1);
  return std::string(digits);
}

/// The older and the newer words for one count.
std::optional<std::uint64_t> count_of(std::string_view text, std::string_view newer,
                                      std::string_view older) {
  const auto count = whole_after(text, newer);
  return count ? count : whole_after(text, older);
}

class VllmLog {
 public:
  explicit VllmLog(Intake& intake) : intake_(intake) {}

  void take(std::string_view raw, std::uint64_t number) {
    const std::string plain = without_colours(raw);
    std::string_view line = plain;
    const auto front = take_front_date(line);
    if (const auto date = front ? front : date_of(line)) last_ = *date;
    if (line.find("vLLM API server version") != std::string_view::npos) restarted_ = last_;
    std::size_t at = line.find("SpecDecoding metrics:");
    if (at == std::string_view::npos) at = line.find("Speculative metrics:");
    if (at == std::string_view::npos) return intake_.pass_over();
    const Origin origin = intake_.origin(number);
    if (last_ == 0)
      return intake_.bad(origin, "a date (the mapping states the year of vLLM's)", line);
    metrics(line.substr(at), engine_of(line.substr(0, at)), origin);
  }

 private:
  /// The first such date is of the year that is stated, each later one of the year that puts it
  /// nearest to the one before. The last line of a year may come late, after the first of the next.
  std::optional<UnixTime> date_of(std::string_view line) {
    auto local = level_date(line);
    if (!local || !intake_.settings().year) return std::nullopt;
    const int around = year_.value_or(*intake_.settings().year);
    const int widest = year_ ? 1 : 0;
    std::optional<UnixTime> nearest;
    for (local->year = around - widest; local->year <= around + widest; ++local->year) {
      const auto date = to_unix_time(*local, intake_.settings().utc_offset_s);
      if (!date || (nearest && apart(*date, without_year_) >= apart(*nearest, without_year_)))
        continue;
      nearest = date;
      year_ = local->year;
    }
    if (nearest) without_year_ = *nearest;
    return nearest;
  }

  static UnixTime apart(UnixTime a, UnixTime b) { return a < b ? b - a : a - b; }

  void metrics(std::string_view text, const std::string& engine, const Origin& origin) {
    const auto accepted = count_of(text, "Accepted:", "Number of accepted tokens:");
    const auto drafted = count_of(text, "Drafted:", "Number of draft tokens:");
    if (!accepted || !drafted || *accepted > *drafted)
      return intake_.bad(origin, "accepted tokens, and at least as many drafted", text);
    Labels labels;
    if (!engine.empty()) labels["engine"] = engine;
    const std::uint32_t source = intake_.source(std::move(labels));
    intake_.use();
    if (text.find("Number of emitted tokens:") != std::string_view::npos)
      return sums(text, source, {origin, *accepted, *drafted});
    LoggedCounts counts;
    counts.at = last_;
    counts.source = source;
    counts.drafted = *drafted;
    counts.accepted = *accepted;
    counts.origin = origin;
    counts.from = from(text, counts);
    steps(text, counts);
    if (restarted_of_[source] != restarted_)
      counts.restarted_at = restarted_of_[source] = restarted_;
    intake_.logged(std::move(counts));
  }

  struct Sums {
    Origin origin;
    std::uint64_t accepted;
    std::uint64_t drafted;
  };

  /// V0 counts since its start: as if its counters had been scraped.
  void sums(std::string_view text, std::uint32_t source, const Sums& sums) {
    const auto add = [&](Metric metric, std::uint64_t value) {
      intake_.scraped(
          {last_, source, intake_.series({}), metric, 0, static_cast<double>(value), sums.origin});
    };
    add(Metric::draft_tokens, sums.drafted);
    add(Metric::accepted_tokens, sums.accepted);
    const auto per_draft = whole_after(text, "Number of speculative tokens:");
    if (per_draft && *per_draft > 0) add(Metric::drafts, sums.drafted / *per_draft);
  }

  /// The period is its drafted tokens over their throughput, where that was printed.
  static UnixTime from(std::string_view text, const LoggedCounts& counts) {
    const auto rate = real_after(text, "Drafted throughput:");
    if (!rate || *rate <= 0.0) return 0;
    const double seconds = static_cast<double>(counts.drafted) / *rate;
    const auto whole = static_cast<UnixTime>(std::floor(seconds + 0.5)) * kNanosecondsPerSecond;
    return whole < counts.at ? counts.at - whole : 0;
  }

  /// Steps are drafted tokens over positions where that fits the mean acceptance length (drafts of
  /// one length), else what that length makes them.
  static void steps(std::string_view text, LoggedCounts& counts) {
    constexpr std::string_view kRates = "Per-position acceptance rate:";
    constexpr double kRounding = 0.0051;  // two decimals
    const auto mean = real_after(text, "Mean acceptance length:");
    const std::size_t at = text.find(kRates);
    const auto rates = at == std::string_view::npos ? std::vector<double>{}
                                                    : take_reals(text.substr(at + kRates.size()));
    if (!mean) return;
    const auto accepted = static_cast<double>(counts.accepted);
    const std::uint64_t even = rates.empty() ? 0 : counts.drafted / rates.size();
    const bool fits =
        even > 0 && std::fabs(1.0 + accepted / static_cast<double>(even) - *mean) <= kRounding;
    if (fits)
      counts.steps = even;
    else if (*mean > 1.0)
      counts.steps = static_cast<std::uint64_t>(std::floor(accepted / (*mean - 1.0) + 0.5));
    if (counts.steps <= counts.drafted) counts.accepted_at = counts_of_rates(rates, counts.steps);
  }

  Intake& intake_;
  UnixTime last_ = 0;
  UnixTime restarted_ = 0;
  UnixTime without_year_ = 0;  ///< the last date that had none
  std::optional<int> year_;    ///< of that one
  std::map<std::uint32_t, UnixTime> restarted_of_;
};

}  // namespace

void read_vllm_log(std::string_view text, Intake& intake) {
  VllmLog log(intake);
  for_each_line(text, [&](std::string_view line, std::uint64_t number) { log.take(line, number); });
}

}  // namespace specroute::sim
