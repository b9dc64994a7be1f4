#include "tests/real_pair/measurement.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>

namespace specroute::real_pair {
namespace {

std::string all_of(const Corpus& corpus) {
  std::string text = corpus.train;
  for (const auto& verse : corpus.held_out) text += verse;
  return text;
}

using Part = std::function<double(const CompletionSums&)>;

// Ratio of two sums over independent clusters, its error by linearisation.
Estimate ratio(const std::vector<CompletionSums>& clusters, const Part& above, const Part& below) {
  double numerator = 0.0;
  double denominator = 0.0;
  for (const auto& one : clusters) {
    numerator += above(one);
    denominator += below(one);
  }
  if (denominator == 0.0) return {};
  const double mean = numerator / denominator;
  double squares = 0.0;
  for (const auto& one : clusters) {
    const double rest = above(one) - mean * below(one);
    squares += rest * rest;
  }
  const auto count = static_cast<double>(clusters.size());
  return {mean, std::sqrt(squares * count / (count - 1.0)) / denominator};
}

double total(const std::array<double, kGamma>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return sum;
}

Measured summary(const std::vector<CompletionSums>& clusters, double gamma) {
  const Part decided = [](const CompletionSums& one) { return total(one.reached); };
  const Part accepted = [](const CompletionSums& one) { return total(one.accepted); };
  const Part drafted = [gamma](const CompletionSums& one) { return one.rounds * gamma; };
  Measured result;
  result.rate = ratio(clusters, accepted, drafted);
  result.mean_length = {1.0 + gamma * result.rate.mean, gamma * result.rate.error};
  result.acceptance =
      ratio(clusters, [](const CompletionSums& one) { return one.acceptance; }, decided);
  result.total_variation =
      ratio(clusters, [](const CompletionSums& one) { return one.total_variation; }, decided);
  result.entropy = ratio(clusters, [](const CompletionSums& one) { return one.entropy; }, decided);
  result.looping = ratio(
      clusters, [](const CompletionSums& one) { return one.looping; },
      [](const CompletionSums& one) { return one.symbols; });
  for (std::size_t k = 0; k < kGamma; ++k)
    result.conditional[k] =
        ratio(
            clusters, [k](const CompletionSums& one) { return one.accepted[k]; },
            [k](const CompletionSums& one) { return one.reached[k]; })
            .mean;
  return result;
}

}  // namespace

Laboratory::Laboratory(const Corpus& corpus)
    : alphabet(all_of(corpus)), model(alphabet.encode(corpus.train), alphabet.size()) {
  for (const auto& verse : corpus.held_out) verses.push_back(alphabet.encode(verse));
}

std::size_t draft_symbols(Text text) {
  return text == Text::held_out ? 1 : kGamma;
}

Measured measure(const Laboratory& laboratory, const Cell& cell, Text text, std::size_t stride) {
  constexpr models::Seed kSeed{20261130};
  std::vector<CompletionSums> clusters;
  for (std::size_t i = 0; i < laboratory.verses.size(); i += stride) {
    const std::span<const Symbol> verse = laboratory.verses[i];
    models::Stream stream = kSeed.stream("real pair", i);
    clusters.push_back(text == Text::held_out
                           ? decide_along(laboratory.model, cell, verse, stream)
                           : generate(laboratory.model, cell,
                                      verse.first(std::min(kPrompt, verse.size())), stream));
  }
  return summary(clusters, static_cast<double>(draft_symbols(text)));
}

std::vector<Cell> cells_of(int draft_order) {
  constexpr double kHealthy = -1.0;
  std::vector<Cell> cells;
  for (const Rule rule : kRules)
    for (const double temperature : {1.0, 0.7, 0.3})
      for (const double in_force : {kHealthy, 0.2, 0.0})
        cells.push_back({.rule = rule,
                         .draft_order = draft_order,
                         .request_temperature = temperature,
                         .in_force_temperature = in_force == kHealthy ? temperature : in_force});
  return cells;
}

std::string situation_of(const Cell& cell) {
  char text[48];
  if (cell.in_force_temperature == cell.request_temperature)
    std::snprintf(text, sizeof text, "T = %g, healthy", cell.request_temperature);
  else
    std::snprintf(text, sizeof text, "T = %g, draft at %g", cell.request_temperature,
                  cell.in_force_temperature);
  return text;
}

}  // namespace specroute::real_pair
