#include <gtest/gtest.h>
#include <specroute/policy_abi.h>

#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <type_traits>

namespace {

// Sums of the fields, in bytes: no compiler may add to them.
static_assert(sizeof(srp_side) == 6 * 8 + 4 * 4 + 2 * 8);
static_assert(sizeof(srp_profile) == 4 * 8);
static_assert(sizeof(srp_record) == 4 + 2 + 2 + 3 * 8);
static_assert(sizeof(srp_constraint) == 2 * 8 + 8 * 8 + 4 * 4);
static_assert(sizeof(srp_ev_candidate) == 32 + 80 + 4 + 4 + 8 + 8);
static_assert(sizeof(srp_ev_bind) == 32 + 32 + 2 * 80 + 4 * 4);
static_assert(sizeof(srp_ev_unbind) == 32 + 8);
static_assert(sizeof(srp_ev_window) == 32 + 32 + 2 * 80 + 5 * 8 + 16 * 8 + 2 * 8 + 2 * 4);
static_assert(sizeof(srp_ev_failover) == 32 + 4 * 8 + 2 * 4);
static_assert(sizeof(srp_ev_sampling) == 32 + 32 + 80 + 2 * 4);
static_assert(sizeof(srp_ev_health) == 32 + 5 * 8);
static_assert(sizeof(srp_ev_quality) == 32 + 4 * 8);
static_assert(sizeof(srp_ev_outcome) == 32 + 8 + 2 * 4);
static_assert(sizeof(srp_ev_tick) == 32);
static_assert(sizeof(srp_decision) == 32 + 2 * 8 + 2 * 4 + 4 * 8 + 4 * 8 + 96 + 2 * 4);

template <class... Records>
constexpr bool kPlainBytes =
    (std::has_unique_object_representations_v<Records> && ...) &&
    (std::is_trivially_copyable_v<Records> && ...) && ((sizeof(Records) % 8 == 0) && ...);

static_assert(kPlainBytes<srp_ev_candidate, srp_ev_bind, srp_ev_unbind, srp_ev_window,
                          srp_ev_failover, srp_ev_sampling, srp_ev_health, srp_ev_quality,
                          srp_ev_outcome, srp_ev_tick, srp_decision>,
              "a record has no padding and keeps the next one aligned");

extern "C" unsigned specroute_c99_sum_of_record_sizes(void);

TEST(PolicyAbi, IsTheSameToACCompiler) {
  EXPECT_EQ(specroute_c99_sum_of_record_sizes(),
            sizeof(srp_ev_candidate) + sizeof(srp_ev_bind) + sizeof(srp_ev_unbind) +
                sizeof(srp_ev_window) + sizeof(srp_ev_failover) + sizeof(srp_ev_sampling) +
                sizeof(srp_ev_health) + sizeof(srp_ev_quality) + sizeof(srp_ev_outcome) +
                sizeof(srp_ev_tick) + sizeof(srp_decision));
}

// All names of the ABI in a source, less the guard of its header.
std::set<std::string> names_of(const std::string& path) {
  std::ifstream file(std::string(SPECROUTE_SOURCE_DIR) + "/" + path);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const std::regex comment(R"(//[^\n]*|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/)");
  const std::string bare = std::regex_replace(text, comment, "");
  const std::regex name(R"(\b(?:srp|SRP)_\w+)");
  std::set<std::string> names;
  for (std::sregex_iterator at(bare.begin(), bare.end(), name), end; at != end; ++at)
    names.insert(at->str());
  return names;
}

TEST(PolicyAbi, IsFrozenWithoutAGap) {
  const auto frozen = names_of("tests/unit/router/abi_frozen.h");
  const auto declared = names_of("include/specroute/policy_abi.h");
  EXPECT_GT(declared.size(), 80U);
  for (const auto& name : declared) {
    if (name == "srp_module_get") continue;  // its type stands in abi_frozen.c and .cpp
    EXPECT_TRUE(frozen.contains(name)) << name << " is missing in abi_frozen.h";
  }
}

TEST(PolicyAbi, ServesItsMajorVersionOnly) {
  EXPECT_NE(srp_module_get(SRP_ABI_V1), nullptr);
  EXPECT_NE(srp_module_get(SRP_ABI_V1 + 7), nullptr);
  EXPECT_EQ(srp_module_get(2U << 16U), nullptr);
}

}  // namespace
