#include "sim/report/gate_names.hpp"

#include <nlohmann/json.hpp>

namespace specroute::sim {

std::vector<std::string> gate_names(const srp_module& module) {
  const auto* text = module.config_schema.ptr;
  const auto schema = nlohmann::json::parse(text, text + module.config_schema.len, nullptr,
                                            /*allow_exceptions=*/false);
  const nlohmann::json::json_pointer place("/properties/gate/enum");
  std::vector<std::string> names;
  if (schema.is_discarded() || !schema.contains(place)) return names;
  for (const auto& name : schema[place])
    if (name.is_string()) names.push_back(name.get<std::string>());
  return names;
}

}  // namespace specroute::sim
