/// @file
/// Return codes of the policy ABI by the names of its header.
#pragma once

#include <cstdint>
#include <string>

namespace specroute::sim {

/// "SRP_E_TIME" for SRP_E_TIME, and so on; "status N" for a number that the ABI has no name for.
[[nodiscard]] std::string status_name(std::int32_t status);

}  // namespace specroute::sim
