#include <dlfcn.h>
#include <gtest/gtest.h>

#include <specroute/router/acceptance.hpp>
#include <string>

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

}  // namespace
}  // namespace specroute::router
