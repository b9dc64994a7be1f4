#include "sim/traces/trace_store.hpp"

#include <filesystem>
#include <fstream>

#include "sim/traces/read_trace.hpp"

namespace specroute::sim {

Result<std::shared_ptr<const Trace>> TraceStore::read(const std::string& file, TraceFormat format,
                                                      const TraceSlice& slice) {
  const Key key{file,        format,           slice.rows_of, slice.from.count(), slice.to.count(),
                slice.limit, slice.zero_tokens};
  const auto known = read_.find(key);
  if (known != read_.end()) return known->second;
  std::error_code error;
  const bool regular = std::filesystem::is_regular_file(file, error);
  std::ifstream stream(file, std::ios::binary);
  if (!regular || !stream)
    return Diagnostic{
        .file = file,
        .place = {},
        .expected = "a trace file that can be read",
        .found = std::filesystem::exists(file, error) ? "none that can" : "no such file",
        .nearest = {}};
  auto trace = read_trace(stream, file, format, slice);
  if (!trace) return trace.diagnostics();
  auto shared = std::make_shared<const Trace>(std::move(trace).value());
  read_.emplace(key, shared);
  return shared;
}

}  // namespace specroute::sim
