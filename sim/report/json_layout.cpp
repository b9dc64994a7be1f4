#include "sim/report/json_layout.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace specroute::sim {
namespace {

/// Calls `token` with each structural character, and each string or number as a whole.
template <class Token>
void each_token(std::string_view json, Token token) {
  std::size_t at = 0;
  while (at < json.size()) {
    std::size_t end = at + 1;
    if (json[at] == '"') {
      while (json[end] != '"') end += json[end] == '\\' ? 2 : 1;
      ++end;
    } else if (std::string_view("{}[]:,").find(json[at]) == std::string_view::npos) {
      end = std::min(json.find_first_of("{}[]:,\"", at), json.size());
    }
    token(json.substr(at, end - at));
    at = end;
  }
}

/// For every bracket that opens, in order: whether an object lies anywhere within.
std::vector<bool> holders_of_objects(std::string_view json) {
  std::vector<bool> holds;
  std::vector<std::size_t> open;
  each_token(json, [&](std::string_view token) {
    if (token == "{" || token == "[") {
      if (token == "{")
        for (const std::size_t outer : open) holds[outer] = true;
      open.push_back(holds.size());
      holds.push_back(false);
    } else if (token == "}" || token == "]") {
      open.pop_back();
    }
  });
  return holds;
}

/// Lays tokens out: an object that holds objects has a line per member, anything else one line.
class Layout {
 public:
  explicit Layout(std::vector<bool> holds) : holds_(std::move(holds)) {}

  void add(std::string_view token) {
    if (token == "{" || token == "[") return opening(token);
    if (token == "}" || token == "]") return closing(token);
    text_ += token == ":" ? std::string_view(": ") : token;
    if (token != ",") return;
    if (open_.back())
      new_line();
    else
      text_ += ' ';
  }
  std::string take() { return std::move(text_); }

 private:
  void opening(std::string_view token) {
    text_ += token;
    open_.push_back(holds_[opened_++]);
    if (open_.back()) new_line();
  }
  void closing(std::string_view token) {
    const bool tall = open_.back();
    open_.pop_back();
    if (tall) new_line();
    text_ += token;
  }
  void new_line() {
    text_ += '\n';
    text_.append(2 * static_cast<std::size_t>(std::count(open_.begin(), open_.end(), true)), ' ');
  }

  std::vector<bool> holds_;
  std::vector<bool> open_;  ///< whether each bracket around this place has a line per member
  std::size_t opened_ = 0;
  std::string text_;
};

}  // namespace

std::string laid_out(std::string_view compact) {
  Layout layout(holders_of_objects(compact));
  each_token(compact, [&](std::string_view token) { layout.add(token); });
  return layout.take();
}

}  // namespace specroute::sim
