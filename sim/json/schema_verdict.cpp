#include "sim/json/schema_verdict.hpp"

#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

namespace specroute::sim {

struct SchemaVerdict::Library {
  valijson::Schema schema;
};

SchemaVerdict::SchemaVerdict(std::string_view schema_text) : library_(std::make_unique<Library>()) {
  const auto tree = nlohmann::json::parse(schema_text);
  valijson::SchemaParser parser(valijson::SchemaParser::kDraft7);
  parser.populateSchema(valijson::adapters::NlohmannJsonAdapter(tree), library_->schema);
}

SchemaVerdict::~SchemaVerdict() = default;

bool SchemaVerdict::accepts(const std::string& text) const {
  const auto document = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (document.is_discarded()) return false;
  valijson::Validator validator(valijson::Validator::kStrongTypes);
  const valijson::adapters::NlohmannJsonAdapter target(document);
  return validator.validate(library_->schema, target, nullptr);
}

}  // namespace specroute::sim
