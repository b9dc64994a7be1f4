// Outside functions a `{` opens a scope (namespace, class), a function, or an initializer. Which
// one is told from the statement before it; everything inside a function is stepped over.
#include "tests/unit/house/function_scan.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <regex>

#include "tests/unit/house/code_text.hpp"

namespace specroute::house {
namespace {

enum class Opens { scope, function, initializer };

// Position of the bracket that closes the one at `open`; the end of the text if none does.
std::size_t closing(const std::string& code, std::size_t open) {
  std::size_t depth = 0;
  for (auto at = open; at < code.size(); ++at) {
    if (code[at] == '(' || code[at] == '{' || code[at] == '[') ++depth;
    if (code[at] == ')' || code[at] == '}' || code[at] == ']') --depth;
    if (depth == 0) return at;
  }
  return code.size();
}

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\n");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

struct Parentheses {
  std::size_t open = std::string::npos;
  std::size_t close = std::string::npos;
};

std::string word_before(const std::string& statement, std::size_t at) {
  static const std::regex pattern(R"((operator\s*\S*|[\w:~]+)\s*$)");
  const auto head = statement.substr(0, at);
  std::smatch match;
  return std::regex_search(head, match, pattern) ? match[1].str() : "";
}

// The parameter list: the first parentheses that belong to no specifier.
Parentheses parameter_list(const std::string& statement) {
  static constexpr std::array kSpecifiers = {"alignas",  "decltype", "explicit",     "requires",
                                             "noexcept", "operator", "__attribute__"};
  auto open = statement.find('(');
  while (open != std::string::npos) {
    const auto close = closing(statement, open);
    const auto word = word_before(statement, open);
    if (std::ranges::find(kSpecifiers, word) == kSpecifiers.end()) return {open, close};
    open = statement.find('(', close);
  }
  return {};
}

// `tail` is what follows the parameter list of a statement that a brace ends.
bool tail_of_function(const std::string& tail) {
  static const std::regex body(
      R"(\s*((const|noexcept|override|final|mutable|&|&&|try|noexcept\s*\(.*\)|requires .*)\s*)*)"
      R"((->[^:]*(::[^:]*)*)?)");
  // A member of the initializer list is named before its own brace; the body's brace follows a
  // close.
  static const std::regex members(R"([^:]*:[^:](.|\n)*[)}]\s*)");
  return std::regex_match(tail, body) || std::regex_match(tail, members);
}

Opens what_opens(const std::string& statement) {
  static const std::regex scope(
      R"((template\s*<(.|\n)*>\s*)?(inline\s+)?(namespace|class|struct|union)\b(.|\n)*)");
  static const std::regex linkage(R"(extern\s*)");
  if (statement.ends_with('=')) return Opens::initializer;
  if (std::regex_match(statement, linkage)) return Opens::scope;
  if (!statement.ends_with(')') && std::regex_match(statement, scope)) return Opens::scope;
  const auto list = parameter_list(statement);
  if (list.open == std::string::npos) return Opens::initializer;
  return tail_of_function(statement.substr(list.close + 1)) ? Opens::function : Opens::initializer;
}

std::size_t count_parameters(const std::string& list) {
  const auto inside = trimmed(list);
  if (inside.empty() || inside == "void") return 0;
  std::size_t count = 1;
  int depth = 0;
  for (const char c : inside) {
    if (c == '(' || c == '{' || c == '[' || c == '<') ++depth;
    if (c == ')' || c == '}' || c == ']' || c == '>') --depth;
    if (c == ',' && depth == 0) ++count;
  }
  return count;
}

std::size_t line_at(const std::string& code, std::size_t at) {
  const auto end = code.begin() + static_cast<std::ptrdiff_t>(at);
  return 1 + static_cast<std::size_t>(std::count(code.begin(), end, '\n'));
}

class Scanner {
 public:
  explicit Scanner(std::string code) : code_(std::move(code)) {}

  std::vector<FunctionSize> run() {
    for (at_ = 0; at_ < code_.size(); ++at_) step();
    return found_;
  }

 private:
  static constexpr std::size_t kNone = std::string::npos;

  void step() {
    const char c = code_[at_];
    if (std::isspace(static_cast<unsigned char>(c)) != 0) return;
    if (c == ';' || c == '}') {
      start_ = kNone;
      return;
    }
    if (start_ == kNone) start_ = at_;
    if (c == '(') at_ = closing(code_, at_);
    if (c == ':' && after_access()) start_ = kNone;
    if (c == '{') open_brace();
  }

  [[nodiscard]] bool after_access() const {
    const auto word = trimmed(code_.substr(start_, at_ - start_));
    return word == "public" || word == "protected" || word == "private";
  }

  void open_brace() {
    const auto statement = trimmed(code_.substr(start_, at_ - start_));
    const auto opens = what_opens(statement);
    if (opens == Opens::scope) {
      start_ = kNone;
      return;
    }
    const auto close = closing(code_, at_);
    if (opens == Opens::function) {
      record(statement, close);
      start_ = kNone;
    }
    at_ = close;
  }

  void record(const std::string& statement, std::size_t close) {
    const auto list = parameter_list(statement);
    const auto first = line_at(code_, start_);
    found_.push_back({.name = word_before(statement, list.open),
                      .line = first,
                      .lines = line_at(code_, close) - first + 1,
                      .parameters = count_parameters(
                          statement.substr(list.open + 1, list.close - list.open - 1))});
  }

  std::string code_;
  std::size_t at_ = 0;
  std::size_t start_ = kNone;
  std::vector<FunctionSize> found_;
};

}  // namespace

std::vector<FunctionSize> functions_of(const std::string& text) {
  return Scanner(code_only(text)).run();
}

}  // namespace specroute::house
