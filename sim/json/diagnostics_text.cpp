#include "sim/json/diagnostics_text.hpp"

#include <algorithm>

#include "sim/json/json_pointer.hpp"

namespace specroute::sim {

void sort_by_place(Diagnostics& faults) {
  std::ranges::stable_sort(faults, [](const Diagnostic& left, const Diagnostic& right) {
    if (left.file != right.file) return left.file < right.file;
    return pointer_less(left.place, right.place);
  });
}

std::string format_diagnostics(const Diagnostics& faults) {
  Diagnostics sorted = faults;
  sort_by_place(sorted);
  std::string text;
  for (const auto& fault : sorted) text += to_string(fault) + "\n";
  return text;
}

}  // namespace specroute::sim
