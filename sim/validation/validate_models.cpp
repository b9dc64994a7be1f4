#include "sim/validation/validate_models.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "sim/validation/acceptance_length.hpp"
#include "sim/validation/blog_sign_change.hpp"
#include "sim/validation/degradation.hpp"
#include "sim/validation/eagle_batch.hpp"
#include "sim/validation/kernel_tables.hpp"
#include "sim/validation/leviathan.hpp"
#include "sim/validation/per_position.hpp"
#include "sim/validation/queueing.hpp"
#include "sim/validation/serving.hpp"
#include "sim/validation/stale_override_signs.hpp"

namespace specroute::sim::validation {
namespace {

struct Entry {
  const char* title;
  std::string_view needs;  ///< kind of files, or "" where facts are carried in the code
  Result<Section> (*make)(const DataDirectory& data);
};

constexpr std::array kEntries = {
    Entry{"serving engines", kServingFiles, serving_section},
    Entry{"matrix products", kGemmFiles, gemm_section},
    Entry{"decode attention", kDecodeAttentionFiles, attention_section},
    Entry{"all-reduce", kAllReduceFiles, all_reduce_section},
    Entry{"speculative sampling against Leviathan et al.", "",
          [](const DataDirectory&) -> Result<Section> { return leviathan_section(); }},
    Entry{"acceptance along a draft", "",
          [](const DataDirectory&) -> Result<Section> { return per_position_section(); }},
    Entry{"mean acceptance length of long drafts", kAcceptanceFiles, acceptance_length_section},
    Entry{"speed-up against batch size", "",
          [](const DataDirectory&) -> Result<Section> { return eagle_batch_section(); }},
    Entry{"speculation that turns to loss", "",
          [](const DataDirectory&) -> Result<Section> { return blog_sign_change_section(); }},
    Entry{"one stale override, different signs", "",
          [](const DataDirectory&) -> Result<Section> { return stale_override_signs_section(); }},
    Entry{"loops and schema violations", "",
          [](const DataDirectory&) -> Result<Section> { return degradation_section(); }},
    Entry{"engines as textbook queues", "",
          [](const DataDirectory&) -> Result<Section> { return queueing_section(); }},
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
  const auto missed = [](const Bound& bound) {
    return !bound.met() && bound.pledge != Pledge::known_miss;
  };
  std::size_t count = 0;
  for (const Section& section : validation.sections)
    count += static_cast<std::size_t>(std::ranges::count_if(section.bounds, missed));
  return count;
}

}  // namespace specroute::sim::validation
