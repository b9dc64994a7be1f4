#include "models/speculation/position_table.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include <specroute/vocab/check.hpp>

#include "models/random/distributions.hpp"
#include "models/random/portable_math.hpp"
#include "models/random/stream.hpp"
#include "models/speculation/even_points.hpp"

namespace specroute::models {
namespace {

constexpr Seed kTableSeed{0x5350'4543'524F'5554U};  // never a run's seed
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kLeading = 4;  // tokens that decide the argmax: two even coordinates each

double critical_ratio(std::span<const double> target, std::span<const double> noise) {
  double critical = kInfinity;
  for (std::size_t j = 1; j < target.size(); ++j)
    if (noise[j] > noise[0])
      critical = std::min(critical, (target[0] - target[j]) / (noise[j] - noise[0]));
  return critical;
}

}  // namespace

PositionTable::PositionTable(PositionTableSize size) : size_(size) {
  check(size.vocabulary > 0, "a vocabulary is not empty");
  check(std::has_single_bit(size.positions), "the number of positions is a power of two");
  target_ = LargeArray(size.positions * size.vocabulary);
  draft_noise_ = LargeArray(size.positions * size.vocabulary);
  draw();
  for (std::size_t position = 0; position < size.positions; ++position) finish(position);
  std::sort(critical_ratios_.begin(), critical_ratios_.end());
  if (size.evidence) evidence_.emplace(size.positions, size.vocabulary);
}

// Fills g with exponential spacings, still to be summed, and g' with its values.
void PositionTable::draw() {
  const std::size_t positions = size_.positions;
  std::vector<double> spacings;
  for (std::size_t i = 0; i < positions; ++i) {
    const double middle = (static_cast<double>(i) + 0.5) / static_cast<double>(positions);
    spacings.push_back(exponential_unit(middle));
    quantiles_.push_back(standard_normal(middle));
  }
  std::vector<std::pair<Permutation, Permutation>> strata;
  for (std::size_t token = 0; token < size_.vocabulary; ++token) {
    Stream stream = kTableSeed.stream("positions", token);
    const Permutation first{stream, positions};
    strata.emplace_back(first, Permutation{stream, positions});
  }
  const std::size_t leading = std::min(kLeading, size_.vocabulary);
  for (std::size_t i = 0; i < positions; ++i) {
    double* g = &target_[i * size_.vocabulary];
    double* noise = &draft_noise_[i * size_.vocabulary];
    for (std::size_t token = 0; token < leading; ++token) {
      g[token] = exponential_unit(even_point(i, 2 * token, kGoldenOfEight));
      noise[token] = standard_normal(even_point(i, 2 * token + 1, kGoldenOfEight));
    }
    for (std::size_t token = leading; token < size_.vocabulary; ++token) {
      g[token] = spacings[strata[token].first(static_cast<std::uint32_t>(i))];
      noise[token] = quantiles_[strata[token].second(static_cast<std::uint32_t>(i))];
    }
  }
}

// Spacings to ordered normals. With E_k exponential of mean 1, the logarithm of the k-th largest of
// V uniforms is -(E_1 / V + E_2 / (V - 1) + ... + E_k / (V - k + 1)).
void PositionTable::finish(std::size_t position) {
  const std::span<double> g{&target_[position * size_.vocabulary], size_.vocabulary};
  double log_uniform = 0.0;
  for (std::size_t token = 0; token < g.size(); ++token) {
    log_uniform -= g[token] / static_cast<double>(g.size() - token);
    g[token] = log_uniform;
  }
  portable::exp_in_place(g);
  for (double& value : g) value = standard_normal(value);
  const auto noise = draft_noise(position);
  largest_noise_.push_back(*std::max_element(noise.begin(), noise.end()));
  critical_ratios_.push_back(critical_ratio(g, noise));
}

std::shared_ptr<const PositionTable> PositionTable::standard() {
  static const auto table = std::make_shared<const PositionTable>(PositionTableSize{});
  return table;
}

std::shared_ptr<const PositionTable> PositionTable::with_evidence() {
  static const auto table = std::make_shared<const PositionTable>(
      PositionTableSize{.positions = 4096, .vocabulary = 64, .evidence = true});
  return table;
}

const EvidenceColumns& PositionTable::evidence() const {
  check(evidence_.has_value(), "a pair with evidence needs a table with evidence");
  return *evidence_;
}

std::span<const double> PositionTable::target(std::size_t position) const {
  return {&target_[position * size_.vocabulary], size_.vocabulary};
}

std::span<const double> PositionTable::draft_noise(std::size_t position) const {
  return {&draft_noise_[position * size_.vocabulary], size_.vocabulary};
}

double PositionTable::agreement(double ratio) const {
  check(ratio >= 0.0, "a noise-to-signal ratio is not negative");
  const auto lost = std::lower_bound(critical_ratios_.begin(), critical_ratios_.end(), ratio);
  return static_cast<double>(critical_ratios_.end() - lost) / static_cast<double>(size_.positions);
}

double PositionTable::ratio_for_agreement(double share) const {
  check(share > 1.0 / static_cast<double>(size_.vocabulary) && share <= 1.0,
        "an argmax agreement lies in (1 / vocabulary, 1]");
  const auto count = static_cast<double>(size_.positions);
  const auto lost = static_cast<std::size_t>(std::floor((1.0 - share) * count + 0.5));
  const double below = lost == 0 ? 0.0 : critical_ratios_[lost - 1];
  const double above = lost < size_.positions ? critical_ratios_[lost] : kInfinity;
  return above == kInfinity ? 2.0 * below : 0.5 * (below + above);
}

}  // namespace specroute::models
