// The router's fuzz entries over their seeds, and over a fixed budget of random bytes.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/fuzz/router_entries.hpp"
#include "tests/unit/router/random_host.hpp"

namespace specroute::fuzz {
namespace {

namespace fs = std::filesystem;

using Entry = void (*)(std::string_view);

/// Calls `entry` with the bytes of every seed in a folder of the corpus.
std::size_t for_each_seed(const std::string& folder, Entry entry) {
  std::size_t files = 0;
  const auto path = fs::path(SPECROUTE_SOURCE_DIR) / "tests/fuzz/corpus" / folder;
  for (const auto& one : fs::directory_iterator(path)) {
    std::ifstream stream(one.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    entry(bytes);
    ++files;
  }
  return files;
}

/// `count` inputs that begin with each gate's number in turn, a few hundred random bytes each.
void for_random_bytes(std::uint64_t seed, std::size_t count, Entry entry) {
  for (std::size_t i = 0; i < count; ++i) {
    std::string bytes(1, static_cast<char>(i));
    for (const std::uint64_t word : router::test::random_words(seed + i, 10 + i % 40))
      bytes.append(reinterpret_cast<const char*>(&word), sizeof word);
    entry(bytes);
  }
}

TEST(RouterFuzz, EventsOfTheCorpusBreakNoPromise) {
  EXPECT_GE(for_each_seed("router_events", router_events), 18U);
}

TEST(RouterFuzz, RandomEventsBreakNoPromise) {
  for_random_bytes(1000, 360, router_events);
}

TEST(RouterFuzz, ConfigurationsOfTheCorpusBreakNoPromise) {
  EXPECT_GE(for_each_seed("router_config", router_config), 8U);
}

/// A configuration with one byte changed, at every place, and cut there.
TEST(RouterFuzz, DamagedConfigurationsBreakNoPromise) {
  const std::string whole = router::test::small_config("validity_safe", 2);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    router_config(whole.substr(0, at));
    for (const char put : {'\0', '"', '{', '9', '-', '.', '\xff'}) {
      std::string damaged = whole;
      damaged[at] = put;
      router_config(damaged);
    }
  }
}

TEST(RouterFuzz, SnapshotsOfTheCorpusBreakNoPromise) {
  EXPECT_GE(for_each_seed("router_snapshot", router_snapshot), 18U);
}

TEST(RouterFuzz, RandomlyDamagedSnapshotsBreakNoPromise) {
  for_random_bytes(2000, 360, router_snapshot);
}

}  // namespace
}  // namespace specroute::fuzz
