#include "tests/real_pair/rounds.hpp"

#include <algorithm>
#include <cmath>

#include "models/random/portable_math.hpp"

namespace specroute::real_pair {
namespace {

constexpr std::size_t kLongestPeriod = 64;
constexpr std::size_t kShortestCopy = 24;

double total_variation(std::span<const double> a, std::span<const double> b) {
  double distance = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) distance += std::fabs(a[i] - b[i]);
  return 0.5 * distance;
}

class Round {
 public:
  Round(const NgramModel& model, const Cell& cell) : model_(model), cell_(cell) {
    for (auto* column :
         {&position_.wanted, &position_.forwarded, &position_.drafted, &position_.believed})
      column->resize(model.alphabet());
  }

  // Until the first rejection, target and draft see the same symbols, so a draft symbol can be
  // drawn when it is decided on.
  void run(std::vector<Symbol>& text, CompletionSums& sums, models::Stream& stream) {
    sums.rounds += 1.0;
    for (std::size_t k = 0; k < kGamma; ++k) {
      const Verdict verdict = decide_next(text, k, sums, stream);
      text.push_back(verdict.emitted);
      if (!verdict.accepted) return;
    }
    model_.distribution(text, kTargetOrder, position_.wanted);
    apply_temperature(position_.wanted, cell_.request_temperature);
    text.push_back(draw(position_.wanted, stream));
  }

  Verdict decide_next(std::span<const Symbol> text, std::size_t k, CompletionSums& sums,
                      models::Stream& stream) {
    look(text, k);
    record(sums);
    const Verdict verdict = decide(cell_.rule, position_, stream);
    sums.reached[k] += 1.0;
    sums.accepted[k] += verdict.accepted ? 1.0 : 0.0;
    return verdict;
  }

 private:
  void look(std::span<const Symbol> text, std::size_t k) {
    model_.distribution(text, kTargetOrder, position_.wanted);
    model_.distribution(text, cell_.draft_order, position_.drafted);
    position_.forwarded = position_.wanted;
    position_.believed = position_.drafted;
    if (cell_.rule == Rule::forwarded_logits)
      apply_temperature(position_.forwarded, cell_.in_force_temperature);
    if (cell_.rule == Rule::rejection || cell_.rule == Rule::synthetic)
      apply_temperature(position_.believed, cell_.request_temperature);
    apply_temperature(position_.wanted, cell_.request_temperature);
    apply_temperature(position_.drafted, cell_.in_force_temperature);
    position_.index = k;
  }

  void record(CompletionSums& sums) const {
    const Outcome outcome = outcome_of(cell_.rule, position_);
    sums.acceptance += outcome.acceptance;
    sums.total_variation += total_variation(outcome.emitted, position_.wanted);
    sums.entropy += entropy(outcome.emitted);
  }

  const NgramModel& model_;
  const Cell& cell_;
  Position position_;
};

}  // namespace

void apply_temperature(std::span<double> probabilities, double temperature) {
  if (temperature == 1.0) return;
  const auto top = std::max_element(probabilities.begin(), probabilities.end());
  if (temperature == 0.0) {
    const auto chosen = static_cast<std::size_t>(top - probabilities.begin());
    std::fill(probabilities.begin(), probabilities.end(), 0.0);
    probabilities[chosen] = 1.0;
    return;
  }
  const double largest = *top;
  for (double& probability : probabilities) probability /= largest;
  models::portable::log_in_place(probabilities);
  for (double& probability : probabilities) probability /= temperature;
  models::portable::exp_in_place(probabilities);
  double total = 0.0;
  for (const double probability : probabilities) total += probability;
  for (double& probability : probabilities) probability /= total;
}

std::size_t looping_symbols(std::span<const Symbol> text, std::size_t first) {
  std::array<std::size_t, kLongestPeriod + 1> copied{};
  std::size_t looping = 0;
  for (std::size_t i = 1; i < text.size(); ++i) {
    bool inside = false;
    for (std::size_t period = 1; period <= std::min(i, kLongestPeriod); ++period) {
      copied[period] = text[i] == text[i - period] ? copied[period] + 1 : 0;
      inside = inside || copied[period] >= std::max(kShortestCopy, 2 * period);
    }
    looping += inside && i >= first ? 1 : 0;
  }
  return looping;
}

CompletionSums decide_along(const NgramModel& model, const Cell& cell, std::span<const Symbol> text,
                            models::Stream& stream) {
  CompletionSums sums;
  Round round{model, cell};
  for (std::size_t i = kFirstContext; i < text.size(); ++i) {
    sums.rounds += 1.0;
    static_cast<void>(round.decide_next(text.first(i), 0, sums, stream));
  }
  return sums;
}

CompletionSums generate(const NgramModel& model, const Cell& cell, std::span<const Symbol> prompt,
                        models::Stream& stream) {
  CompletionSums sums;
  std::vector<Symbol> text(prompt.begin(), prompt.end());
  Round round{model, cell};
  while (text.size() < prompt.size() + kCompletion) round.run(text, sums, stream);
  sums.symbols = static_cast<double>(text.size() - prompt.size());
  sums.looping = static_cast<double>(looping_symbols(text, prompt.size()));
  return sums;
}

}  // namespace specroute::real_pair
