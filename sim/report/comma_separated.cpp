#include "sim/report/comma_separated.hpp"

namespace specroute::sim {

std::string prefix_rows(std::string_view first_field, std::string_view rows) {
  const std::string prefix = csv_field(first_field) + ',';
  std::string result;
  while (!rows.empty()) {
    const std::size_t length = std::min(rows.find('\n'), rows.size() - 1) + 1;
    result.append(prefix).append(rows.substr(0, length));
    rows.remove_prefix(length);
  }
  return result;
}

}  // namespace specroute::sim
