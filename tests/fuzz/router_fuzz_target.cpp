// One libFuzzer program for each entry of the router: the build says which.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tests/fuzz/router_entries.hpp"

#ifndef SPECROUTE_FUZZ_ENTRY
#define SPECROUTE_FUZZ_ENTRY router_events
#endif

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  specroute::fuzz::SPECROUTE_FUZZ_ENTRY({reinterpret_cast<const char*>(data), size});
  return 0;
}
