#include "sim/validation/closed_loop.hpp"

#include <algorithm>
#include <deque>
#include <vector>

#include <specroute/vocab/check.hpp>

namespace specroute::sim::validation {
namespace {

struct Request {
  double sent = 0.0;
  double first_token = 0.0;
  double last_token = 0.0;
};

/// A prompt of which `done` tokens are in the KV cache. An evicted sequence is one of all its
/// tokens.
struct Prompt {
  std::size_t request;
  std::uint32_t length;
  std::uint32_t outputs;  ///< tokens still to be emitted
  std::uint32_t done = 0;
};

/// A sequence that ends with the decode step of that number.
struct Running {
  std::size_t request;
  std::uint64_t last_step;
};

class Run {
 public:
  Run(const models::StepModel& step, const ClosedLoop& loop)
      : step_(step), loop_(loop), counted_(std::size_t{loop.concurrency} * loop.waves) {
    for (std::uint32_t c = 0; c < loop.concurrency + loop.waiting_clients; ++c) send();
  }

  ClosedLoopResult run() {
    while (finished_ < counted_) {
      admit();
      pass();
    }
    return medians();
  }

 private:
  void send() {
    if (requests_.size() == counted_) return;
    const std::size_t request = requests_.size();
    waiting_.push_back({request, loop_.input_tokens, output_of(request)});
    requests_.push_back({.sent = now_});
  }

  void admit() {
    while (!waiting_.empty() && held_ < loop_.concurrency && fits(waiting_.front())) {
      pending_ += waiting_.front().length;
      prompts_.push_back(waiting_.front());
      waiting_.pop_front();
      ++held_;
    }
  }

  [[nodiscard]] bool fits(const Prompt& prompt) const {
    const double whole = static_cast<double>(loop_.input_tokens) + loop_.output_tokens;
    if (loop_.scheduling.reserves_output) return (held_ + 1.0) * whole <= loop_.kv_tokens;
    // Room for the next token of everyone, so that the newcomer is not evicted at once.
    return context_ + pending_ + prompt.length + held_ + 1.0 <= loop_.kv_tokens;
  }

  /// Evicts the last comers until everybody else's next token fits; they go on before new requests.
  void make_room() {
    while (running_.size() > 1 &&
           context_ + pending_ + static_cast<double>(running_.size()) > loop_.kv_tokens) {
      const Running evicted = running_.back();
      const auto left = static_cast<std::uint32_t>(evicted.last_step - steps_);
      const std::uint32_t tokens = loop_.input_tokens + output_of(evicted.request) - 1 - left;
      running_.pop_back();
      context_ -= tokens;
      --held_;
      // Its prompt comes back with all it had; the token that prefilling it emits is not credited.
      waiting_.push_front({evicted.request, tokens, left + 1});
    }
  }

  void pass() {
    const bool decodes = !(loop_.scheduling.prefill_first && !prompts_.empty());
    if (decodes && !loop_.scheduling.reserves_output) make_room();
    const auto sequences = static_cast<std::uint32_t>(decodes ? running_.size() : 0);
    models::Pass work{.sequences = static_cast<double>(sequences),
                      .tokens_decode = static_cast<double>(sequences),
                      .context_tokens = decodes ? context_ : 0.0};
    const auto ended = prefill(loop_.scheduling.token_budget - sequences, work);
    now_ += models::pass_time(step_, work).count();
    if (decodes) decode();
    for (const Prompt& prompt : ended) start_decoding(prompt);
  }

  /// Fills the budget with prompts in order of arrival. @return those that end in this pass.
  std::vector<Prompt> prefill(std::uint32_t budget, models::Pass& work) {
    std::vector<Prompt> ended;
    while (!prompts_.empty() && budget > 0) {
      Prompt& prompt = prompts_.front();
      const std::uint32_t part = std::min(budget, prompt.length - prompt.done);
      work.tokens_prefill += part;
      work.prefill_pairs += part * (prompt.done + 0.5 * part);
      prompt.done += part;
      budget -= part;
      if (prompt.done < prompt.length) break;
      ended.push_back(prompt);
      prompts_.pop_front();
    }
    work.sequences += static_cast<double>(ended.size());
    return ended;
  }

  void decode() {
    ++steps_;
    context_ += static_cast<double>(running_.size());
    while (!running_.empty() && running_.front().last_step == steps_) {
      Request& ended = requests_[running_.front().request];
      ended.last_token = now_;
      context_ -= loop_.input_tokens + output_of(running_.front().request) - 1.0;
      running_.pop_front();
      --held_;
      ++finished_;
      send();
    }
  }

  void start_decoding(const Prompt& prompt) {
    Request& request = requests_[prompt.request];
    if (prompt.length == loop_.input_tokens) request.first_token = now_;
    const Running started{prompt.request, steps_ + prompt.outputs - 1};
    const auto place =
        std::ranges::upper_bound(running_, started.last_step, {}, &Running::last_step);
    running_.insert(place, started);
    pending_ -= prompt.length;
    context_ += prompt.length;
  }

  [[nodiscard]] std::uint32_t output_of(std::size_t request) const {
    if (!loop_.staggered || request >= loop_.concurrency) return loop_.output_tokens;
    const std::uint64_t share = (request + 1) * loop_.output_tokens / loop_.concurrency;
    return static_cast<std::uint32_t>(std::max<std::uint64_t>(2, share));
  }

  [[nodiscard]] ClosedLoopResult medians() const {
    std::vector<double> ttft;
    std::vector<double> tpot;
    for (std::size_t r = loop_.concurrency; r < requests_.size(); ++r) {
      const Request& request = requests_[r];
      ttft.push_back(request.first_token - request.sent);
      tpot.push_back((request.last_token - request.first_token) / (loop_.output_tokens - 1.0));
    }
    const auto median = [](std::vector<double>& values) {
      const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
      std::ranges::nth_element(values, middle);
      return Seconds{*middle};
    };
    return {.median_ttft = median(ttft), .median_tpot = median(tpot)};
  }

  const models::StepModel& step_;
  const ClosedLoop& loop_;
  std::size_t counted_;
  double now_ = 0.0;
  double context_ = 0.0;  ///< KV tokens of running sequences
  double pending_ = 0.0;  ///< and of admitted prompts
  std::uint64_t steps_ = 0;
  std::uint32_t held_ = 0;
  std::size_t finished_ = 0;
  std::vector<Request> requests_;
  std::deque<Prompt> waiting_;
  std::deque<Prompt> prompts_;
  std::deque<Running> running_;
};

}  // namespace

Scheduling default_scheduling(models::EngineFamily family) {
  switch (family) {
    case models::EngineFamily::vllm:
      return {.token_budget = 2048, .prefill_first = false, .reserves_output = false};
    case models::EngineFamily::sglang:
      return {.token_budget = 16384, .prefill_first = true, .reserves_output = false};
    case models::EngineFamily::trtllm:
      return {.token_budget = 8192, .prefill_first = false, .reserves_output = true};
  }
  check(false, "every engine family has its scheduling");
  return {};
}

std::optional<ClosedLoopResult> run_closed_loop(const models::StepModel& step,
                                                const ClosedLoop& loop) {
  check(loop.input_tokens >= 1 && loop.output_tokens >= 2, "a request has a prompt and a step");
  check(loop.concurrency >= 1 && loop.concurrency < loop.scheduling.token_budget,
        "a pass has room for prompts beside all sequences");
  check(loop.waves >= 2, "the first wave is not counted");
  if (static_cast<double>(loop.input_tokens) + loop.output_tokens > loop.kv_tokens) return {};
  return Run(step, loop).run();
}

}  // namespace specroute::sim::validation
