#include "sim/json/diagnostics_text.hpp"

#include <algorithm>

#include "sim/json/json_pointer.hpp"

namespace specroute::sim {
namespace {

/// The pointer of a marked place; any other place as it is.
std::string_view pointer_of(std::string_view place) {
  const std::size_t mark = place.rfind(" (");
  const bool is_marked = place.starts_with('/') && place.ends_with(')') &&
                         mark != std::string_view::npos &&
                         place.find_first_not_of("0123456789:", mark + 2) == place.size() - 1;
  return is_marked ? place.substr(0, mark) : place;
}

}  // namespace

std::string marked_place(std::string_view pointer, std::string_view line_column) {
  return std::string(pointer) + " (" + std::string(line_column) + ')';
}

void sort_by_place(Diagnostics& faults) {
  std::ranges::stable_sort(faults, [](const Diagnostic& left, const Diagnostic& right) {
    if (left.file != right.file) return left.file < right.file;
    return pointer_less(pointer_of(left.place), pointer_of(right.place));
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
