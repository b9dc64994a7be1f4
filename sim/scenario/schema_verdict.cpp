#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "sim/scenario/schema.hpp"

namespace specroute::sim {

bool schema_accepts(const std::string& text) {
  static const valijson::Schema& schema = *[] {
    static valijson::Schema parsed;
    const auto tree = nlohmann::json::parse(scenario_schema_text());
    valijson::SchemaParser parser(valijson::SchemaParser::kDraft7);
    parser.populateSchema(valijson::adapters::NlohmannJsonAdapter(tree), parsed);
    return &parsed;
  }();
  const auto document = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (document.is_discarded()) return false;
  valijson::Validator validator(valijson::Validator::kStrongTypes);
  const valijson::adapters::NlohmannJsonAdapter target(document);
  return validator.validate(schema, target, nullptr);
}

}  // namespace specroute::sim
