#include "sim/plugins/words_of_command.hpp"

namespace specroute::sim {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n';
}
bool is_quote(char c) {
  return c == '\'' || c == '"';
}

}  // namespace

std::optional<std::vector<std::string>> words_of_command(const std::string& command) {
  std::vector<std::string> words;
  bool inside = false;  // of a word
  char quote = '\0';
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    if (quote == '\0' && is_blank(c)) {
      inside = false;
      continue;
    }
    if (!inside) words.emplace_back();
    inside = true;
    if (c == quote) {
      quote = '\0';
    } else if (quote == '\0' && is_quote(c)) {
      quote = c;
    } else if (c == '\\' && quote != '\'' && i + 1 < command.size()) {
      words.back() += command[++i];
    } else {
      words.back() += c;
    }
  }
  if (quote != '\0') return std::nullopt;
  return words;
}

}  // namespace specroute::sim
