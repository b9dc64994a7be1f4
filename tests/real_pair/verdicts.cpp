#include "tests/real_pair/verdicts.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <specroute/vocab/check.hpp>

#include "models/random/distributions.hpp"
#include "models/random/portable_math.hpp"

namespace specroute::real_pair {
namespace {

using models::Stream;

Symbol argmax(const std::vector<double>& values) {
  return static_cast<Symbol>(std::max_element(values.begin(), values.end()) - values.begin());
}

std::vector<double> normalised(std::vector<double> weights, const std::vector<double>& otherwise) {
  double total = 0.0;
  for (const double weight : weights) total += weight;
  if (total < 1e-12) return otherwise;
  for (double& weight : weights) weight /= total;
  return weights;
}

// max(0, p - q^), normalised: what a rejected token is replaced with.
std::vector<double> residual(const Position& position) {
  std::vector<double> rest = position.wanted;
  for (std::size_t x = 0; x < rest.size(); ++x)
    rest[x] = std::max(0.0, rest[x] - position.believed[x]);
  return normalised(std::move(rest), position.wanted);
}

std::vector<double> without(std::vector<double> distribution, Symbol symbol) {
  const std::vector<double> otherwise = distribution;
  distribution[symbol] = 0.0;
  return normalised(std::move(distribution), otherwise);
}

double typical_floor(const std::vector<double>& wanted) {
  return std::min(kTypicalEpsilon, kTypicalDelta * models::portable::exp(-entropy(wanted)));
}

// Probability that this very token passes, for the rules that look at nothing but the token.
double pass(Rule rule, const Position& position, Symbol x, double floor) {
  const double p = position.wanted[x];
  switch (rule) {
    case Rule::rejection:
      return p >= position.believed[x] ? 1.0 : p / position.believed[x];
    case Rule::one_hot:
      return p;
    case Rule::typical:
      return p > floor ? 1.0 : 0.0;
    case Rule::threshold:
      return p >= kThresholdSingle ? 1.0 : std::min(1.0, p / kThresholdAcc);
    case Rule::synthetic:
      return kSyntheticConditional.at(position.index);
    default:
      check(false, "the other rules compare two draws");
      return 0.0;
  }
}

// What replaces the token when it does not pass.
std::vector<double> replacement(Rule rule, const Position& position, Symbol x) {
  switch (rule) {
    case Rule::rejection:
    case Rule::synthetic:
      return residual(position);
    case Rule::one_hot:
    case Rule::threshold:
      return without(position.wanted, x);
    case Rule::typical: {
      std::vector<double> certain(position.wanted.size(), 0.0);
      certain[argmax(position.wanted)] = 1.0;
      return certain;
    }
    default:
      return position.wanted;
  }
}

// One exponential clock per symbol, shared: each side takes the symbol whose clock, run at the
// speed of its probability, rings first. The same as the argmax of log p + Gumbel noise.
Verdict decide_coupled(const Position& position, Stream& stream) {
  std::pair<double, Symbol> target{HUGE_VAL, Symbol{0}};
  std::pair<double, Symbol> draft{HUGE_VAL, Symbol{0}};
  for (std::size_t x = 0; x < position.wanted.size(); ++x) {
    const double clock = models::exponential_unit(stream.uniform_open());
    const auto symbol = static_cast<Symbol>(x);
    target = std::min(target, {clock / position.wanted[x], symbol});
    draft = std::min(draft, {clock / position.drafted[x], symbol});
  }
  return {target.second == draft.second, target.second};
}

// Both ring at x first if x's clock beats every other on both speeds: with the clock of x at t p(x)
// and t q(x), the others must be above t max(p(y) / p(x), q(y) / q(x)), so the probability is
// 1 / sum over y of that maximum.
double coupled_acceptance(const Position& position) {
  double total = 0.0;
  for (std::size_t x = 0; x < position.wanted.size(); ++x) {
    const double p = position.wanted[x];
    const double q = position.drafted[x];
    if (p == 0.0 || q == 0.0) continue;
    double rivals = 0.0;
    for (std::size_t y = 0; y < position.wanted.size(); ++y)
      rivals += std::max(position.wanted[y] / p, position.drafted[y] / q);
    total += 1.0 / rivals;
  }
  return total;
}

double overlap(const std::vector<double>& a, const std::vector<double>& b) {
  double total = 0.0;
  for (std::size_t x = 0; x < a.size(); ++x) total += a[x] * b[x];
  return total;
}

// Adds what replaces the rejected tokens; `rejected` is q(x) (1 - acceptance of x).
void add_replacements(Rule rule, const Position& position, const std::vector<double>& rejected,
                      std::vector<double>& emitted) {
  double total = 0.0;
  for (const double mass : rejected) total += mass;
  if (rule != Rule::one_hot && rule != Rule::threshold) {
    const auto rest = replacement(rule, position, 0);
    for (std::size_t y = 0; y < rest.size(); ++y) emitted[y] += total * rest[y];
    return;
  }
  // Of x's mass, y gets p(y) / (1 - p(x)), and x itself nothing. Where p(x) = 1, x is not rejected.
  double scaled = 0.0;
  std::vector<double> own(rejected.size(), 0.0);
  for (std::size_t x = 0; x < rejected.size(); ++x) {
    if (rejected[x] > 0.0) own[x] = rejected[x] / (1.0 - position.wanted[x]);
    scaled += own[x];
  }
  for (std::size_t y = 0; y < emitted.size(); ++y)
    emitted[y] += position.wanted[y] * (scaled - own[y]);
}

Outcome sum_over_tokens(Rule rule, const Position& position) {
  Outcome outcome{0.0, std::vector<double>(position.wanted.size(), 0.0)};
  std::vector<double> rejected(position.wanted.size(), 0.0);
  const double floor = rule == Rule::typical ? typical_floor(position.wanted) : 0.0;
  for (std::size_t x = 0; x < position.wanted.size(); ++x) {
    const double q = position.drafted[x];
    if (q == 0.0) continue;
    const double accepted = pass(rule, position, static_cast<Symbol>(x), floor);
    outcome.acceptance += q * accepted;
    outcome.emitted[x] += q * accepted;
    rejected[x] = q * (1.0 - accepted);
  }
  add_replacements(rule, position, rejected, outcome.emitted);
  return outcome;
}

}  // namespace

const char* to_string(Rule rule) {
  constexpr std::array kNames = {"rejection", "exact_match", "coupled_match",    "one_hot",
                                 "typical",   "threshold",   "forwarded_logits", "synthetic"};
  return kNames.at(static_cast<std::size_t>(rule));
}

Symbol draw(std::span<const double> distribution, Stream& stream) {
  double left = stream.uniform();
  std::size_t last = 0;  // rounding may leave a rest beyond the last symbol that can be drawn
  for (std::size_t x = 0; x < distribution.size(); ++x) {
    if (distribution[x] == 0.0) continue;
    last = x;
    left -= distribution[x];
    if (left < 0.0) break;
  }
  return static_cast<Symbol>(last);
}

double entropy(std::span<const double> distribution) {
  std::vector<double> logs(distribution.begin(), distribution.end());
  models::portable::log_in_place(logs);
  double total = 0.0;
  for (std::size_t x = 0; x < logs.size(); ++x)
    if (distribution[x] > 0.0) total -= distribution[x] * logs[x];
  return total;
}

Verdict decide(Rule rule, const Position& position, Stream& stream) {
  if (rule == Rule::coupled_match) return decide_coupled(position, stream);
  const Symbol x = draw(position.drafted, stream);
  if (rule == Rule::exact_match || rule == Rule::forwarded_logits) {
    const Symbol y = draw(rule == Rule::exact_match ? position.wanted : position.forwarded, stream);
    return {x == y, y};
  }
  const double floor = rule == Rule::typical ? typical_floor(position.wanted) : 0.0;
  const double probability = pass(rule, position, x, floor);
  if (stream.uniform() < probability) return {true, x};
  return {false, draw(replacement(rule, position, x), stream)};
}

Outcome outcome_of(Rule rule, const Position& position) {
  switch (rule) {
    case Rule::exact_match:
      return {overlap(position.wanted, position.drafted), position.wanted};
    case Rule::coupled_match:
      return {coupled_acceptance(position), position.wanted};
    case Rule::forwarded_logits:
      return {overlap(position.forwarded, position.drafted), position.forwarded};
    default:
      return sum_over_tokens(rule, position);
  }
}

}  // namespace specroute::real_pair
