#include "tests/unit/house/include_lines.hpp"

#include <string_view>

namespace specroute::house {
namespace {

// What follows `word` in a text that begins with it, blanks skipped; "" where it does not.
std::string_view after(std::string_view text, std::string_view word) {
  if (!text.starts_with(word)) return "";
  text.remove_prefix(word.size());
  const auto first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? "" : text.substr(first);
}

}  // namespace

std::vector<IncludeLine> include_lines(const std::string& text) {
  std::vector<IncludeLine> includes;
  std::size_t number = 0;
  for (const auto& line : lines_of(text)) {
    ++number;
    const auto first = line.find_first_not_of(" \t");
    if (first == std::string::npos) continue;
    const auto name = after(after(std::string_view(line).substr(first), "#"), "include");
    const auto end = name.find_first_of(">\"", 1);
    if (name.empty() || end == std::string_view::npos) continue;
    includes.push_back({.spelling = std::string(name.substr(1, end - 1)),
                        .quoted = name.front() == '"',
                        .line = number});
  }
  return includes;
}

std::string repository_path(const IncludeLine& include) {
  if (include.spelling.starts_with("specroute/")) return "include/" + include.spelling;
  return include.quoted ? include.spelling : "";
}

}  // namespace specroute::house
