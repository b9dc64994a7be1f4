#include "sim/records/decision_json.hpp"

#include <array>
#include <string>
#include <string_view>

#include "sim/records/field_reader.hpp"
#include "sim/records/field_writer.hpp"
#include "sim/records/integer_text.hpp"
#include "sim/records/record_fields.hpp"

namespace specroute::sim {
namespace {

std::string explained(const srp_decision& decision, const srp_module& module) {
  std::size_t need = 0;
  std::array<char, 1> none{};
  module.explain(&decision, none.data(), 0, &need);
  std::string text(need + 1, '\0');
  module.explain(&decision, text.data(), text.size(), nullptr);
  text.resize(text.find('\0'));
  return text;
}

}  // namespace

JsonValue decision_to_json(const srp_decision& decision, const srp_module& module) {
  JsonValue json(JsonValue::Kind::object);
  const RecordLayout* layout = layout_of(decision_layouts(), decision.h.type);
  if (layout == nullptr) {
    add_member(json, "type", unsigned_json(decision.h.type));
    add_member(json, "size", unsigned_json(decision.h.size));
    return json;
  }
  add_member(json, "type", text_json(std::string(layout->name)));
  const srp_str reason = module.reason_code(decision.reason);
  add_member(json, "reason", text_json(reason.len == 0 ? "" : std::string(reason.ptr, reason.len)));
  write_fields(layout->fields, reinterpret_cast<const std::byte*>(&decision), json);
  add_member(json, "explain", text_json(explained(decision, module)));
  return json;
}

Result<srp_decision> decision_from_json(const JsonNode& decision) {
  FieldReader reader;
  const RecordLayout* layout = reader.layout(decision_layouts(), decision);
  if (layout == nullptr) return std::move(reader.faults());
  srp_decision record{};
  constexpr std::array<std::string_view, 3> kOthers{"type", "reason", "explain"};
  reader.read(layout->fields, decision, kOthers, reinterpret_cast<std::byte*>(&record));
  for (const std::string_view key : {"reason", "explain"}) {
    const JsonNode text = decision.at(key);
    if (text.exists() && text.value->kind != JsonValue::Kind::text) reader.fault(text, "a string");
  }
  if (!reader.faults().empty()) return std::move(reader.faults());
  record.h.size = layout->size;
  record.h.type = layout->type;
  return record;
}

}  // namespace specroute::sim
