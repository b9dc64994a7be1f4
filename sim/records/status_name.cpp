#include "sim/records/status_name.hpp"

#include <array>

#include <specroute/policy_abi.h>

namespace specroute::sim {

std::string status_name(std::int32_t status) {
  struct Named {
    std::int32_t status;
    const char* name;
  };
  constexpr std::array kNames = {
      Named{SRP_OK, "SRP_OK"},           Named{SRP_IGNORED, "SRP_IGNORED"},
      Named{SRP_E_ABI, "SRP_E_ABI"},     Named{SRP_E_CONFIG, "SRP_E_CONFIG"},
      Named{SRP_E_ARG, "SRP_E_ARG"},     Named{SRP_E_TIME, "SRP_E_TIME"},
      Named{SRP_E_STATE, "SRP_E_STATE"}, Named{SRP_E_SPACE, "SRP_E_SPACE"},
      Named{SRP_E_FULL, "SRP_E_FULL"}};
  for (const Named& one : kNames)
    if (one.status == status) return one.name;
  return "status " + std::to_string(status);
}

}  // namespace specroute::sim
