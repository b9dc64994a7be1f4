/// @file
/// Trace files that have been read, so that a scenario that is read twice reads them once.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <tuple>

#include <specroute/vocab/result.hpp>

#include "sim/traces/trace.hpp"

namespace specroute::sim {

class TraceStore {
 public:
  /// The slice of a file. Fails with the file's diagnostics; a file that cannot be opened fails
  /// with one without a place.
  [[nodiscard]] Result<std::shared_ptr<const Trace>> read(const std::string& file,
                                                          TraceFormat format,
                                                          const TraceSlice& slice);

 private:
  using Key =
      std::tuple<std::string, TraceFormat, std::string, double, double, std::uint64_t, ZeroTokens>;
  std::map<Key, std::shared_ptr<const Trace>> read_;
};

}  // namespace specroute::sim
