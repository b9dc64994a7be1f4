#include "sim/world/csv_field.hpp"

namespace specroute::sim {

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char letter : text) {
    if (letter == '"') quoted += '"';
    quoted += letter;
  }
  return quoted + '"';
}

std::string one_line_field(std::string_view text) {
  std::string line(text);
  for (char& letter : line)
    if (letter == '\r' || letter == '\n') letter = ' ';
  return csv_field(line);
}

}  // namespace specroute::sim
