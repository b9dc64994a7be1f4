#include "sim/records/event_json.hpp"

#include <array>
#include <string_view>

#include "sim/records/field_reader.hpp"
#include "sim/records/field_writer.hpp"
#include "sim/records/integer_text.hpp"
#include "sim/records/record_fields.hpp"

namespace specroute::sim {

const srp_record& EventRecord::head() const {
  return *reinterpret_cast<const srp_record*>(storage.data());
}

srp_record& EventRecord::head() {
  return *reinterpret_cast<srp_record*>(storage.data());
}

Result<EventRecord> event_from_json(const JsonNode& event) {
  FieldReader reader;
  const RecordLayout* layout = reader.layout(event_layouts(), event);
  if (layout == nullptr) return std::move(reader.faults());
  EventRecord record;
  record.storage.resize(layout->size / sizeof(std::uint64_t));
  constexpr std::array<std::string_view, 1> kType{"type"};
  reader.read(layout->fields, event, kType, reinterpret_cast<std::byte*>(record.storage.data()));
  if (!reader.faults().empty()) return std::move(reader.faults());
  record.head().size = layout->size;
  record.head().type = layout->type;
  return record;
}

JsonValue event_to_json(const srp_record& event) {
  JsonValue json(JsonValue::Kind::object);
  const RecordLayout* layout = layout_of(event_layouts(), event.type);
  if (layout == nullptr || event.size < layout->size) {
    add_member(json, "type", unsigned_json(event.type));
    add_member(json, "size", unsigned_json(event.size));
    return json;
  }
  add_member(json, "type", text_json(std::string(layout->name)));
  write_fields(layout->fields, reinterpret_cast<const std::byte*>(&event), json);
  return json;
}

std::string event_name(std::uint16_t type) {
  const RecordLayout* layout = layout_of(event_layouts(), type);
  return layout == nullptr ? "type " + std::to_string(type) : std::string(layout->name);
}

}  // namespace specroute::sim
