#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <specroute/router/acceptance.hpp>
#include <string>
#include <vector>

namespace specroute::router {
namespace {

// SPECROUTE_ROUTER_LIBRARY is the built module's file.
TEST(LoadedModule, ServesTheSameTableByItsOneExport) {
  void* library = dlopen(SPECROUTE_ROUTER_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  using Entry = const srp_module* (*)(std::uint32_t);
  const auto entry = reinterpret_cast<Entry>(dlsym(library, "srp_module_get"));
  ASSERT_NE(entry, nullptr);
  const srp_module* module = entry(SRP_ABI_V1);
  ASSERT_NE(module, nullptr);
  EXPECT_NE(module, &linked_module());
  EXPECT_EQ(params_hash(0.7, 0.95, 42, "json-v1", *module), "60b4daf1243ef008");
  dlclose(library);
}

/// What the library takes from others, as its dynamic symbols say, versions left out.
std::vector<std::string> undefined_symbols() {
  FILE* names = popen("nm -D --undefined-only '" SPECROUTE_ROUTER_LIBRARY "'", "r");
  if (names == nullptr) return {};
  std::vector<std::string> symbols;
  std::array<char, 512> line{};
  while (std::fgets(line.data(), static_cast<int>(line.size()), names) != nullptr) {
    const std::string text(line.data());
    const auto at = text.find_first_not_of(" Uw");
    symbols.push_back(text.substr(at, text.find_first_of("@\n", at) - at));
  }
  pclose(names);
  return symbols;
}

TEST(LoadedModule, AsksForNoLockNoThreadNoClockNoRandomnessAndNoEnvironment) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "a sanitizer brings symbols of its own";
#endif
  const auto symbols = undefined_symbols();
  ASSERT_THAT(symbols, testing::Contains("memcpy")) << "nm does not list what is undefined";
  for (const std::string& symbol : symbols)
    for (const char* const barred :
         {"pthread_", "mtx_",    "cnd_",   "sem_",          "thrd_",
          "__tls",    "futex",   "clock",  "gettimeofday",  "time",
          "rand",     "srand",   "getenv", "secure_getenv", "setlocale",
          "fopen",    "open",    "read",   "write",         "malloc",
          "calloc",   "realloc", "mmap",   "_ZNSt6thread",  "_ZNSt6chrono"})
      EXPECT_FALSE(symbol.starts_with(barred)) << symbol;
}

}  // namespace
}  // namespace specroute::router
