/// @file
/// The schema of mappings: scenarios/schema/replay_mapping.schema.json, as it was compiled in.
#pragma once

#include <string_view>

namespace specroute::sim {

[[nodiscard]] std::string_view replay_mapping_schema_text();

}  // namespace specroute::sim
