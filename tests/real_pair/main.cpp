// real_pair_report PATH [STRIDE]: measures the real pair, predicts it, and writes the document.
#include <cstdlib>
#include <fstream>
#include <iostream>

#include "tests/real_pair/report.hpp"

int main(int count, char** arguments) {
  using namespace specroute::real_pair;
  constexpr std::size_t kStride = 8;
  if (count < 2) {
    std::cerr << "usage: real_pair_report PATH [STRIDE]\n";
    return 2;
  }
  const auto printed = print_bible();
  if (!printed) {
    std::cerr << "real_pair_report: `bible` is not installed (packages bible-kjv, "
                 "bible-kjv-text)\n";
    return 2;
  }
  const std::size_t stride =
      count > 2 ? static_cast<std::size_t>(std::max(1, std::atoi(arguments[2]))) : kStride;
  const Laboratory laboratory{split_verses(*printed)};
  std::vector<Study> studies;
  for (int order = 1; order <= 5; ++order) {
    studies.push_back(study_draft(laboratory, order, stride, true));
    std::cerr << "draft of order " << order << " done\n";
  }
  std::ofstream file(arguments[1], std::ios::binary);
  file << render(laboratory, studies, stride);
  return file.good() ? 0 : 1;
}
