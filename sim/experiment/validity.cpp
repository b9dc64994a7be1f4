#include "sim/experiment/validity.hpp"

#include <algorithm>

#include <specroute/vocab/check.hpp>

#include "models/devices/device.hpp"
#include "models/devices/kernels.hpp"
#include "models/devices/model_shape.hpp"

namespace specroute::sim {
namespace {

class Warnings {
 public:
  void add(bool beyond, const std::string& sentence) {
    if (beyond && std::ranges::find(sentences_, sentence) == sentences_.end())
      sentences_.push_back(sentence);
  }
  [[nodiscard]] const std::vector<std::string>& sentences() const { return sentences_; }

 private:
  std::vector<std::string> sentences_;
};

void warn_of_backend(const Backend& backend, Warnings& warnings) {
  const models::Device* device = models::find_device(backend.device);
  const models::ModelShape* shape = models::find_model_shape(backend.model);
  check(device != nullptr && shape != nullptr, "the reader knows every device and model");
  warnings.add(!models::kernels(device->generation).measured,
               backend.device +
                   ": no kernel of its generation was measured; step times are those "
                   "of the nearest generation, +-25 %");
  warnings.add(device->cross_checked == models::CrossCheck::no,
               backend.device + ": no second source confirms its datasheet figures");
  constexpr std::uint32_t kMostDevices = 8;
  warnings.add(backend.tensor_parallel > kMostDevices,
               backend.name + ": collectives were measured in groups of up to 8 devices");
  constexpr std::int64_t kNarrowHead = 64;
  constexpr std::int64_t kWideHead = 128;
  warnings.add(shape->head_dimension < kNarrowHead || shape->head_dimension > kWideHead,
               backend.model + ": attention was measured with heads of 64 to 128");
}

}  // namespace

std::vector<std::string> validity_warnings(const Scenario& scenario) {
  Warnings warnings;
  for (const Backend& backend : scenario.backends) warn_of_backend(backend, warnings);
  constexpr std::uint64_t kLongestContext = 32'768;
  for (const RequestClass& c : scenario.classes)
    warnings.add(std::uint64_t{c.prompt.limit} + c.output.limit > kLongestContext,
                 "class " + c.name + ": step times hold to contexts of 32,768 tokens");
  constexpr std::uint32_t kLongestDraft = 8;
  for (const Pool& pool : scenario.pools)
    warnings.add(pool.speculation.draft_tokens > kLongestDraft,
                 "pool " + pool.name + ": acceptance was held to drafts of up to 8 tokens");
  return warnings.sentences();
}

}  // namespace specroute::sim
