#include "sim/validation/verification_width.hpp"

#include <map>
#include <string>

namespace specroute::sim::validation {
namespace {

struct Widths {
  const Comparison* one = nullptr;
  const Comparison* many = nullptr;
};

struct Ratios {
  double ours = 0.0;
  double theirs = 0.0;
  double count = 0.0;
};

/// Products by system and shape. A condition is "m 256, n 4096, k 8192".
std::map<std::string, std::map<std::string, Widths>> by_product(const Section& gemm) {
  std::map<std::string, std::map<std::string, Widths>> products;
  for (const Comparison& row : gemm.comparisons) {
    const auto end = row.condition.find(", ");
    Widths& widths = products[row.group.system][row.condition.substr(end)];
    const std::string rows = row.condition.substr(0, end);
    if (rows == "m 1") widths.one = &row;
    if (rows == "m 256") widths.many = &row;
  }
  return products;
}

}  // namespace

Table verification_width(const Section& gemm) {
  Table table{.caption = "What verification width costs: 256 rows over one",
              .header = {"system", "products", "ours", "theirs"},
              .rows = {}};
  for (const auto& [system, products] : by_product(gemm)) {
    Ratios sum;
    for (const auto& [product, widths] : products) {
      if (widths.one == nullptr || widths.many == nullptr) continue;
      sum.ours += widths.many->ours / widths.one->ours;
      sum.theirs += widths.many->theirs / widths.one->theirs;
      sum.count += 1.0;
    }
    if (sum.count > 0.0)
      table.rows.push_back(
          {system, {sum.count, 0}, {sum.ours / sum.count, 2}, {sum.theirs / sum.count, 2}});
  }
  return table;
}

}  // namespace specroute::sim::validation
