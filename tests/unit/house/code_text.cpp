#include "tests/unit/house/code_text.hpp"

#include <algorithm>
#include <cctype>

namespace specroute::house {
namespace {

bool word_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

class Blanker {
 public:
  explicit Blanker(const std::string& text) : text_(text), code_(text) {}

  std::string run() {
    while (at_ < text_.size()) step();
    return code_;
  }

 private:
  void step() {
    const char c = text_[at_];
    if (here("//")) return blank_to(text_.find('\n', at_));
    if (here("/*")) return blank_to(past("*/", at_ + 2));
    if (c == '#' && first_on_line()) return blank_directive();
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) return skip_number();
    if (word_character(c)) return skip_word();
    if (c == '"' || c == '\'') return blank_quoted(c);
    ++at_;
  }

  [[nodiscard]] bool here(const char* what) const { return text_.compare(at_, 2, what) == 0; }

  [[nodiscard]] std::size_t past(const std::string& what, std::size_t from) const {
    const auto found = text_.find(what, from);
    return found == std::string::npos ? found : found + what.size();
  }

  [[nodiscard]] bool first_on_line() const {
    const auto before = text_.find_last_not_of(" \t", at_ == 0 ? 0 : at_ - 1);
    return at_ == 0 || before == std::string::npos || text_[before] == '\n';
  }

  void blank_to(std::size_t end) {
    end = std::min(end, text_.size());
    for (; at_ < end; ++at_) {
      if (code_[at_] != '\n') code_[at_] = ' ';
    }
  }

  void blank_directive() {
    auto end = text_.find('\n', at_);
    while (end != std::string::npos && text_[end - 1] == '\\') end = text_.find('\n', end + 1);
    blank_to(end);
  }

  // A quote between digits separates them.
  void skip_number() {
    const auto of_number = [](char c) { return word_character(c) || c == '\'' || c == '.'; };
    while (at_ < text_.size() && of_number(text_[at_])) ++at_;
  }

  void skip_word() {
    while (at_ < text_.size() && word_character(text_[at_])) ++at_;
    if (at_ < text_.size() && text_[at_] == '"' && text_[at_ - 1] == 'R') blank_raw();
  }

  void blank_raw() {
    const auto open = text_.find('(', at_);
    if (open == std::string::npos) return blank_to(open);
    blank_to(past(")" + text_.substr(at_ + 1, open - at_ - 1) + "\"", open));
  }

  void blank_quoted(char quote) {
    auto end = at_ + 1;
    while (end < text_.size() && text_[end] != quote) end += text_[end] == '\\' ? 2 : 1;
    blank_to(end + 1);
  }

  const std::string& text_;
  std::string code_;
  std::size_t at_ = 0;
};

}  // namespace

std::string code_only(const std::string& text) {
  return Blanker(text).run();
}

}  // namespace specroute::house
