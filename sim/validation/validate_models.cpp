#include "sim/validation/validate_models.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "sim/validation/leviathan.hpp"

namespace specroute::sim::validation {
namespace {

struct Entry {
  const char* title;
  std::string_view needs;  ///< kind of files, or "" where facts are carried in the code
  Result<Section> (*make)(const DataDirectory& data);
};

constexpr std::array kEntries = {
    Entry{"speculative sampling against Leviathan et al.", "",
          [](const DataDirectory&) -> Result<Section> { return leviathan_section(); }},
};

}  // namespace

Result<Validation> validate_models(const DataDirectory& data) {
  Validation validation;
  validation.notes = data.notes();
  Diagnostics faults;
  for (const Entry& entry : kEntries) {
    if (!entry.needs.empty() && data.files_of(entry.needs).empty()) {
      validation.notes.push_back(std::string("not run: ") + entry.title + " (no " +
                                 std::string(entry.needs) + "*.csv)");
      continue;
    }
    auto section = entry.make(data);
    if (section)
      validation.sections.push_back(std::move(section).value());
    else
      faults.insert(faults.end(), section.diagnostics().begin(), section.diagnostics().end());
  }
  if (!faults.empty()) return faults;
  return validation;
}

std::size_t missed_bounds(const Validation& validation) {
  std::size_t missed = 0;
  for (const Section& section : validation.sections)
    missed += static_cast<std::size_t>(
        std::ranges::count_if(section.bounds, [](const Bound& bound) { return !bound.met(); }));
  return missed;
}

}  // namespace specroute::sim::validation
