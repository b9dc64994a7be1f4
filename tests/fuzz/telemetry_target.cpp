// One libFuzzer program for each format of telemetry, and one for mappings: the build says which.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tests/fuzz/telemetry_entries.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
#ifdef SPECROUTE_FUZZ_TELEMETRY
  specroute::fuzz::telemetry(specroute::sim::TelemetryFormat::SPECROUTE_FUZZ_TELEMETRY, bytes);
#else
  specroute::fuzz::replay_mapping(bytes);
#endif
  return 0;
}
