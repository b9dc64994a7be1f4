#include "sim/traces/row_reader.hpp"

namespace specroute::sim {

std::unique_ptr<RowReader> row_reader(TraceFormat format) {
  return format == TraceFormat::mooncake ? mooncake_rows() : csv_rows(format);
}

std::string shown(std::string_view text) {
  constexpr std::size_t kMost = 40;
  if (text.empty()) return "nothing";
  std::string out = "\"";
  for (const char c : text.substr(0, kMost)) out += c >= ' ' && c <= '~' ? c : '?';
  return out + (text.size() > kMost ? "...\"" : "\"");
}

}  // namespace specroute::sim
