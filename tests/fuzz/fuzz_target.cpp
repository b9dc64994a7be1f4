// One libFuzzer program for each entry: the build says which.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tests/fuzz/entries.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
#ifdef SPECROUTE_FUZZ_TRACE
  specroute::fuzz::trace(specroute::sim::TraceFormat::SPECROUTE_FUZZ_TRACE, bytes);
#else
  specroute::fuzz::scenario(bytes);
#endif
  return 0;
}
