#include "sim/cli/refusal.hpp"

#include "sim/json/diagnostics_text.hpp"

namespace specroute::sim {

ExitCode refuse(const Diagnostics& faults, std::ostream& err) {
  err << format_diagnostics(faults);
  return ExitCode::bad_usage;
}

}  // namespace specroute::sim
