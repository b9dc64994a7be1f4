#include "sim/comparison/paired_interval.hpp"

#include <algorithm>
#include <vector>

#include "models/random/philox.hpp"
#include "models/random/stream.hpp"

namespace specroute::sim {
namespace {

constexpr std::size_t kResamples = 2000;

std::pair<double, double> bootstrap(std::span<const double> differences) {
  const auto key = models::Seed{0}.key("bootstrap");
  const auto count = differences.size();
  std::vector<double> means;
  means.reserve(kResamples);
  for (std::uint64_t resample = 0; resample < kResamples; ++resample) {
    double sum = 0.0;
    for (std::uint32_t draw = 0; draw < count; ++draw) {
      const double uniform = models::uniform_of(key, resample, draw);
      sum += differences[std::min(count - 1,
                                  static_cast<std::size_t>(uniform * static_cast<double>(count)))];
    }
    means.push_back(sum / static_cast<double>(count));
  }
  std::ranges::sort(means);
  constexpr std::size_t kTail = kResamples / 40;  // 2.5 % on either side
  return {means[kTail - 1], means[kResamples - kTail]};
}

}  // namespace

PairedInterval paired_interval(std::span<const double> differences) {
  PairedInterval result{.student = models::student_interval(differences), .bootstrap = {}};
  if (differences.size() >= kFewestForBootstrap) result.bootstrap = bootstrap(differences);
  return result;
}

}  // namespace specroute::sim
