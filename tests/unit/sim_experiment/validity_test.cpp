#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/experiment/validity.hpp"

namespace specroute::sim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Scenario of(const char* device, const char* model) {
  Scenario scenario{};
  Backend backend{};
  backend.name = "one";
  backend.device = device;
  backend.model = model;
  backend.tensor_parallel = 1;
  scenario.backends = {backend, backend};
  return scenario;
}

TEST(ValidityWarnings, AreNoneWhereEverythingWasMeasured) {
  EXPECT_THAT(validity_warnings(of("H100-SXM-80", "llama-3.1-8b")), IsEmpty());
  EXPECT_THAT(validity_warnings(of("L40S-48", "qwen3-8b")), IsEmpty());
}

// Two backends of one kind are one reason.
TEST(ValidityWarnings, NameADeviceWhoseKernelsAreBorrowedOnce) {
  EXPECT_THAT(validity_warnings(of("A10G-24", "smollm-135m")),
              ElementsAre(HasSubstr("A10G-24: no kernel")));
  EXPECT_THAT(validity_warnings(of("RTX4090-24", "llama-3.1-8b")),
              ElementsAre(HasSubstr("no second source")));
}

TEST(ValidityWarnings, NameGroupsContextsAndDraftsBeyondTheData) {
  Scenario scenario = of("H100-SXM-80", "llama-3.1-8b");
  scenario.backends[1].tensor_parallel = 16;
  RequestClass long_class{};
  long_class.name = "books";
  long_class.prompt.limit = 32'768;
  long_class.output.limit = 1;
  scenario.classes = {long_class};
  Pool pool{};
  pool.name = "deep";
  pool.speculation.draft_tokens = 9;
  scenario.pools = {pool};
  EXPECT_THAT(validity_warnings(scenario),
              ElementsAre(HasSubstr("groups of up to 8"), HasSubstr("class books"),
                          HasSubstr("pool deep")));
}

}  // namespace
}  // namespace specroute::sim
