#include "models/speculation/evidence_columns.hpp"

#include <cstdint>

#include "models/random/distributions.hpp"
#include "models/random/stream.hpp"
#include "models/speculation/even_points.hpp"

namespace specroute::models {
namespace {

constexpr Seed kEvidenceSeed{0x4556'4944'454E'4345U};  // never a run's seed

std::vector<double> normals(std::size_t positions, std::size_t coordinate) {
  std::vector<double> values;
  for (std::size_t i = 0; i < positions; ++i)
    values.push_back(standard_normal(even_point(i, coordinate, kGoldenOfFive)));
  return values;
}

}  // namespace

EvidenceSide::EvidenceSide(std::size_t positions, std::size_t vocabulary, std::size_t strength,
                           std::size_t truth, const char* purpose)
    : vocabulary_(vocabulary),
      strengths_(normals(positions, strength)),
      truths_(normals(positions, truth)),
      noise_(positions * vocabulary) {
  std::vector<double> strata;
  for (std::size_t i = 0; i < positions; ++i)
    strata.push_back(
        standard_normal((static_cast<double>(i) + 0.5) / static_cast<double>(positions)));
  for (std::size_t token = 0; token < vocabulary; ++token) {
    Stream stream = kEvidenceSeed.stream(purpose, token);
    const Permutation deal{stream, positions};
    for (std::size_t i = 0; i < positions; ++i)
      noise_[i * vocabulary + token] = strata[deal(static_cast<std::uint32_t>(i))];
  }
}

EvidenceColumns::EvidenceColumns(std::size_t positions, std::size_t vocabulary)
    : draft_(positions, vocabulary, 1, 3, "draft evidence"),
      target_(positions, vocabulary, 2, 4, "target evidence") {
  for (std::size_t i = 0; i < positions; ++i)
    next_tokens_.push_back(even_point(i, 0, kGoldenOfFive));
}

}  // namespace specroute::models
