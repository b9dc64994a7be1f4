#include "sim/scenario/tenants.hpp"

#include <algorithm>

namespace specroute::sim {

std::vector<std::string> tenants_of(const RequestClass& request_class) {
  const auto& trace = request_class.arrivals.trace;
  if (trace && trace->rows != nullptr && !trace->rows->tenants.empty()) return trace->rows->tenants;
  std::vector<std::string> names;
  for (const Tenant& tenant : request_class.tenants) names.push_back(tenant.name);
  return names;
}

std::vector<std::string> tenant_names(const Scenario& scenario) {
  std::vector<std::string> names;
  for (const RequestClass& c : scenario.classes)
    for (const std::string& name : tenants_of(c))
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  return names;
}

}  // namespace specroute::sim
