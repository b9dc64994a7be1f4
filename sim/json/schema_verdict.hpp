/// @file
/// The verdict of the JSON Schema library, which the words of schema_report.hpp explain.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace specroute::sim {

/// A schema document (draft-07), read once.
class SchemaVerdict {
 public:
  explicit SchemaVerdict(std::string_view schema_text);
  SchemaVerdict(const SchemaVerdict&) = delete;
  SchemaVerdict& operator=(const SchemaVerdict&) = delete;
  ~SchemaVerdict();

  /// Whether the library accepts the document; false too for what is no JSON.
  [[nodiscard]] bool accepts(const std::string& text) const;

 private:
  struct Library;
  std::unique_ptr<Library> library_;
};

}  // namespace specroute::sim
