#include "sim/json/schema_reference.hpp"

#include <string_view>

#include <specroute/vocab/check.hpp>

#include "sim/json/json_pointer.hpp"

namespace specroute::sim {

// A node outlives every reader: it is a part of a document that does.
const JsonValue& resolve_reference(const JsonValue& root, const JsonValue& schema) {
  const JsonValue* reference = schema.find("$ref");
  if (reference == nullptr) return schema;  // NOLINT(bugprone-return-const-ref-from-parameter)
  const auto path = std::string_view(reference->text).substr(1);
  const JsonValue* definition = resolve_pointer(root, path);
  check(definition != nullptr, "every $ref of a schema leads to a definition");
  return *definition;
}

}  // namespace specroute::sim
