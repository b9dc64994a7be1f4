#include <charconv>

#include "sim/telemetry/log_text.hpp"
#include "sim/telemetry/readers.hpp"

namespace specroute::sim {
namespace {

/// "12.34.567.890 I ": minutes, seconds, milliseconds, microseconds since the start of the process.
std::optional<UnixTime> since_start(std::string_view line) {
  std::uint64_t parts[4] = {};
  for (std::size_t i = 0; i < 4; ++i) {
    const auto read = std::from_chars(line.data(), line.data() + line.size(), parts[i]);
    if (read.ec != std::errc{} || parts[i] > 100'000'000) return std::nullopt;
    line.remove_prefix(static_cast<std::size_t>(read.ptr - line.data()));
    if (!line.starts_with(i < 3 ? '.' : ' ')) return std::nullopt;
    line.remove_prefix(1);
  }
  if (parts[1] > 59 || parts[2] > 999 || parts[3] > 999) return std::nullopt;
  const std::uint64_t milliseconds = (parts[0] * 60 + parts[1]) * 1000 + parts[2];
  return (milliseconds * 1000 + parts[3]) * 1000;
}

/// "[53409] " in front, as a router of several servers prints it.
std::string take_process(std::string_view& line) {
  const std::size_t end = line.find("] ");
  if (!line.starts_with('[') || end == std::string_view::npos) return {};
  const std::string_view digits = line.substr(1, end - 1);
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos) return {};
  line.remove_prefix(end + 2);
  return std::string(digits);
}

/// The share, "(" and two counts; the words after "draft acceptance" changed over time.
std::string_view acceptance_of(std::string_view line) {
  for (const std::string_view words : {"draft acceptance = ", "draft acceptance rate = "}) {
    const std::size_t at = line.find(words);
    if (at != std::string_view::npos) return line.substr(at + words.size());
  }
  return {};
}

std::string_view after(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  return at == std::string_view::npos ? std::string_view{} : text.substr(at + key.size());
}

class LlamaCppLog {
 public:
  /// @param of_requests whether the log has a line for each request
  LlamaCppLog(Intake& intake, bool of_requests) : intake_(intake), of_requests_(of_requests) {}

  void take(std::string_view raw, std::uint64_t number) {
    const std::string plain = without_colours(raw);
    std::string_view line = plain;
    const auto front = take_front_date(line);
    const std::string process = take_process(line);
    if (front)
      last_ = *front;
    else
      follow(line);
    const bool sums = line.find("#gen tokens =") != std::string_view::npos;
    const std::string_view acceptance = acceptance_of(line);
    if (!sums && acceptance.empty()) return intake_.pass_over();
    if (sums && of_requests_) return intake_.repeat();
    const Origin origin = intake_.origin(number);
    if (last_ == 0)
      return intake_.bad(origin, "a date (the mapping states when the process began)", line);
    Labels labels;
    if (!process.empty()) labels["process"] = process;
    if (sums)
      statistics(line, std::move(labels), origin);
    else
      request(acceptance, std::move(labels), origin);
  }

 private:
  /// Moves the date along. Where the process begins again, its start is the last date known.
  void follow(std::string_view line) {
    const auto since = since_start(line);
    if (!since || !intake_.settings().starts_at) return;
    if (begins_ == 0) begins_ = *intake_.settings().starts_at;
    if (begins_ + *since < last_) begins_ = restarted_ = last_;
    last_ = begins_ + *since;
  }

  void request(std::string_view text, Labels labels, const Origin& origin) {
    std::string_view counts_text = after(text, "(");
    const auto accepted = whole_after(counts_text, "");
    const auto drafted = whole_after(after(counts_text, "accepted /"), "");
    if (!accepted || !drafted || *accepted > *drafted)
      return intake_.bad(origin, "(ACCEPTED accepted / GENERATED generated)", text);
    auto mean = real_after(text, "mean acceptance length =");
    if (!mean) mean = real_after(text, "mean len =");
    LoggedCounts counts;
    counts.at = last_;
    counts.source = intake_.source(std::move(labels));
    counts.accepted = *accepted;
    counts.drafted = *drafted;
    counts.completions = 1;
    counts.origin = origin;
    if (mean && *mean > 1.0)
      counts.steps =
          static_cast<std::uint64_t>(static_cast<double>(*accepted) / (*mean - 1.0) + 0.5);
    if (counts.steps <= counts.drafted)
      counts.accepted_at =
          counts_of_rates(take_reals(after(text, "rate per position = (")), counts.steps);
    if (told_restart_ != restarted_) counts.restarted_at = told_restart_ = restarted_;
    intake_.use();
    intake_.logged(std::move(counts));
  }

  /// Sums since the start, one line for each way of drafting.
  void statistics(std::string_view line, Labels labels, const Origin& origin) {
    const auto steps = whole_after(line, "#gen drafts =");
    const auto drafted = whole_after(line, "#gen tokens =");
    const auto accepted = whole_after(line, "#acc tokens =");
    if (!steps || !drafted || !accepted || *accepted > *drafted)
      return intake_.bad(origin, "#gen drafts, #gen tokens and #acc tokens", line);
    std::string_view name = after(line, "statistics");
    name = name.substr(0, name.find(':'));
    while (name.starts_with(' ')) name.remove_prefix(1);
    const std::uint32_t source = intake_.source(std::move(labels));
    const std::uint32_t series = intake_.series(std::string(name));
    const auto add = [&](Metric metric, std::uint64_t value) {
      intake_.scraped({last_, source, series, metric, 0, static_cast<double>(value), origin});
    };
    add(Metric::drafts, *steps);
    add(Metric::draft_tokens, *drafted);
    add(Metric::accepted_tokens, *accepted);
    intake_.use();
  }

  Intake& intake_;
  bool of_requests_;
  UnixTime begins_ = 0;
  UnixTime last_ = 0;
  UnixTime restarted_ = 0;
  UnixTime told_restart_ = 0;
};

}  // namespace

void read_llama_cpp_log(std::string_view text, Intake& intake) {
  bool of_requests = false;
  for_each_line(text, [&](std::string_view line, std::uint64_t) {
    of_requests = of_requests || !acceptance_of(line).empty();
  });
  LlamaCppLog log(intake, of_requests);
  for_each_line(text, [&](std::string_view line, std::uint64_t number) { log.take(line, number); });
}

}  // namespace specroute::sim
