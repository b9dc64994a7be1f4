#include "sim/report/failures.hpp"

namespace specroute::sim {

Diagnostics failure_diagnostics(const std::string& path, const Campaign& campaign) {
  Diagnostics faults;
  for (const JobFailure& failure : campaign.failures) {
    std::string place = "gate " + failure.gate;
    if (!failure.at_start) place += ", seed " + std::to_string(failure.seed);
    if (failure.healthy) place += ", without faults";
    const char* kind = failure.kind == JobFailure::Kind::stuck ? "stuck" : "misbehaving";
    faults.push_back({.file = path,
                      .place = std::move(place),
                      .expected = {},
                      .found = std::string("a ") + kind +
                               (failure.policy.empty() ? " replication: "
                                                       : " policy (" + failure.policy + "): ") +
                               failure.diagnosis,
                      .nearest = {}});
  }
  return faults;
}

Diagnostics in_file(const std::string& path, Diagnostics faults) {
  for (Diagnostic& fault : faults)
    if (fault.file.empty()) fault.file = path;
  return faults;
}

}  // namespace specroute::sim
