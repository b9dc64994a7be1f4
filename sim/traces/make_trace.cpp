#include "sim/traces/make_trace.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <vector>

#include <specroute/vocab/check.hpp>

#include "models/workload/arrival_process.hpp"
#include "models/workload/lengths.hpp"

namespace specroute::sim {
namespace {

constexpr std::uint32_t kLongestPrompt = 16'384;
constexpr std::uint32_t kLongestOutput = 1'024;
constexpr double kZeroRows = 0.04;

/// Ten million rows at one in a thousand seconds take 1e10 s; the calendar of Azure's clocks has
/// four digits for a year until 2.5e11 s from its first row.
constexpr Seconds kLongest{2e11};

models::LengthDistribution lognormal(double mean, double cv, std::uint32_t limit) {
  models::LengthSpec spec;
  spec.kind = models::LengthKind::lognormal;
  spec.mean = mean;
  spec.cv = cv;
  spec.limit = limit;
  return models::LengthDistribution(spec);
}

models::ArrivalSpec clumps(const TraceRecipe& recipe) {
  models::ArrivalSpec spec;
  spec.kind = models::ArrivalKind::gamma;
  spec.rate_per_s = recipe.rate_per_s;
  spec.cv = recipe.gap_cv;
  return spec;
}

std::string padded(std::uint64_t value, std::size_t digits) {
  std::string text = std::to_string(value);
  return std::string(digits - std::min(digits, text.size()), '0') + text;
}

/// Whole units of a time; times of at most 2^53 of them are exact.
std::uint64_t units(Seconds time, double per_second) {
  return static_cast<std::uint64_t>(time.count() * per_second);
}

/// The clock of the first row: a Monday morning.
std::string wall_clock(std::uint64_t ticks) {
  using namespace std::chrono;
  constexpr std::uint64_t kTicks = 10'000'000;
  const auto since = seconds(9 * 3600 + static_cast<std::int64_t>(ticks / kTicks));
  const sys_seconds date = sys_days{year{2026} / January / 5} + since;
  const year_month_day day{floor<days>(date)};
  const hh_mm_ss clock{date - floor<days>(date)};
  const auto number = [](auto count) { return static_cast<std::uint64_t>(count); };
  return padded(number(static_cast<int>(day.year())), 4) + '-' +
         padded(static_cast<unsigned>(day.month()), 2) + '-' +
         padded(static_cast<unsigned>(day.day()), 2) + ' ' +
         padded(number(clock.hours().count()), 2) + ':' +
         padded(number(clock.minutes().count()), 2) + ':' +
         padded(number(clock.seconds().count()), 2) + '.' + padded(ticks % kTicks, 7);
}

/// A conversation: its blocks of text so far.
struct Conversation {
  std::uint64_t number = 0;
  std::uint32_t tokens = 0;
  std::vector<models::BlockHash> hashes;
};

class Maker {
 public:
  explicit Maker(const TraceRecipe& recipe)
      : recipe_(recipe),
        arrivals_(clumps(recipe), kLongest, models::Seed{recipe.seed}, 0),
        prompts_(lognormal(recipe.mean_prompt_tokens, 1.0, kLongestPrompt)),
        outputs_(lognormal(recipe.mean_output_tokens, 1.2, kLongestOutput)),
        dice_(models::Seed{recipe.seed}.stream("trace")) {
    for (std::size_t i = 0; i < kOpen; ++i) begin(conversations_.emplace_back());
  }

  std::string text() {
    std::string text = header();
    for (std::uint32_t row = 0; row < recipe_.requests; ++row) {
      const auto date = arrivals_.next();
      check(date.has_value(), "a trace is shorter than six thousand years");
      text += line(*date);
    }
    // Azure's files end without a line break.
    if (recipe_.format == TraceFormat::azure) text.erase(text.size() - 2);
    return text;
  }

 private:
  static constexpr std::size_t kOpen = 8;
  static constexpr double kEnds = 0.25;

  std::string header() const {
    switch (recipe_.format) {
      case TraceFormat::azure:
        return "TIMESTAMP,ContextTokens,GeneratedTokens\r\n";
      case TraceFormat::burstgpt:
        return "Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n";
      case TraceFormat::specroute:
        return "arrival_s,class,prompt_tokens,output_tokens,session,tenant,prefix\n";
      case TraceFormat::mooncake:
        break;
    }
    return {};
  }

  std::string line(Seconds date) {
    switch (recipe_.format) {
      case TraceFormat::azure: {
        const std::uint64_t prompt = prompts_.sample(dice_());
        return wall_clock(units(date, 1e7)) + ',' + std::to_string(prompt) + ',' +
               std::to_string(outputs_.sample(dice_())) + "\r\n";
      }
      case TraceFormat::burstgpt:
        return burstgpt_line(date);
      case TraceFormat::mooncake:
        return mooncake_line(date);
      case TraceFormat::specroute:
        return own_line(date);
    }
    return {};
  }

  std::string burstgpt_line(Seconds date) {
    const bool nothing = dice_.uniform() < kZeroRows;
    const std::uint64_t prompt = nothing ? 0 : prompts_.sample(dice_());
    const std::uint64_t output = nothing ? 0 : outputs_.sample(dice_());
    const char* const model = dice_.uniform() < 0.8 ? "ChatGPT" : "GPT-4";
    return std::to_string(units(date, 1.0)) + ',' + model + ',' + std::to_string(prompt) + ',' +
           std::to_string(output) + ',' + std::to_string(prompt + output) + ",Conversation log\n";
  }

  std::string mooncake_line(Seconds date) {
    const Conversation& turn = next_turn();
    std::string text = "{\"timestamp\": " + std::to_string(units(date, 1e3)) +
                       ", \"input_length\": " + std::to_string(turn.tokens) +
                       ", \"output_length\": " + std::to_string(outputs_.sample(dice_())) +
                       ", \"hash_ids\": [";
    for (std::size_t i = 0; i < turn.hashes.size(); ++i)
      text += (i == 0 ? "" : ", ") + std::to_string(turn.hashes[i]);
    return text + "]}\n";
  }

  std::string own_line(Seconds date) {
    static constexpr std::array kTenants = {"acme", "globex", "initech"};
    const Conversation& turn = next_turn();
    const std::uint64_t micros = units(date, 1e6);
    std::string text = std::to_string(micros / 1'000'000) + '.' + padded(micros % 1'000'000, 6) +
                       (turn.number % 4 == 0 ? ",batch," : ",chat,") + std::to_string(turn.tokens) +
                       ',' + std::to_string(outputs_.sample(dice_())) + ",conversation-" +
                       std::to_string(turn.number) + ',' + kTenants[turn.number % kTenants.size()] +
                       ',';
    for (std::size_t i = 0; i < turn.hashes.size(); ++i)
      text += (i == 0 ? "" : " ") + std::to_string(turn.hashes[i]);
    return text + '\n';
  }

  /// One of the open conversations, a turn longer; or a new one in its place.
  const Conversation& next_turn() {
    const auto place = static_cast<std::size_t>(dice_.uniform() * kOpen);
    Conversation& chosen = conversations_[std::min(place, kOpen - 1)];
    const bool ends = dice_.uniform() < kEnds || chosen.tokens > kLongestPrompt;
    if (ends) chosen = Conversation{};
    if (ends) begin(chosen);
    grow(chosen, chosen.hashes.empty() ? prompts_.sample(dice_()) : outputs_.sample(dice_()));
    return chosen;
  }

  void begin(Conversation& conversation) { conversation.number = ++begun_; }

  /// A block that was not full is another block once it is longer.
  void grow(Conversation& conversation, std::uint32_t tokens) {
    if (conversation.tokens % models::kPrefixBlockTokens != 0) conversation.hashes.pop_back();
    conversation.tokens += tokens;
    const std::size_t blocks =
        (conversation.tokens + models::kPrefixBlockTokens - 1) / models::kPrefixBlockTokens;
    // Every conversation begins with the same block, as with one system prompt.
    if (conversation.hashes.empty() && conversation.tokens >= models::kPrefixBlockTokens)
      conversation.hashes.push_back(0);
    while (conversation.hashes.size() < blocks) conversation.hashes.push_back(++last_hash_);
  }

  TraceRecipe recipe_;
  models::ArrivalProcess arrivals_;
  models::LengthDistribution prompts_;
  models::LengthDistribution outputs_;
  models::Stream dice_;
  std::vector<Conversation> conversations_;
  std::uint64_t begun_ = 0;
  models::BlockHash last_hash_ = 0;
};

}  // namespace

std::string make_trace(const TraceRecipe& recipe) {
  check(recipe.requests >= 1, "a trace has a row");
  return Maker(recipe).text();
}

}  // namespace specroute::sim
