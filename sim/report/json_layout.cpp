#include "sim/report/json_layout.hpp"

#include <algorithm>
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

}  // namespace

std::string laid_out(std::string_view compact) {
  const std::vector<bool> holds = holders_of_objects(compact);
  std::string text;
  std::vector<bool> open;  // whether each bracket around this place has a line per member
  std::size_t opened = 0;
  const auto new_line = [&] {
    text += '\n';
    text.append(2 * static_cast<std::size_t>(std::count(open.begin(), open.end(), true)), ' ');
  };
  each_token(compact, [&](std::string_view token) {
    if (token == "{" || token == "[") {
      text += token;
      open.push_back(holds[opened++]);
      if (open.back()) new_line();
    } else if (token == "}" || token == "]") {
      const bool tall = open.back();
      open.pop_back();
      if (tall) new_line();
      text += token;
    } else if (token == ",") {
      text += token;
      if (open.back())
        new_line();
      else
        text += ' ';
    } else {
      text += token == ":" ? std::string_view(": ") : token;
    }
  });
  return text;
}

}  // namespace specroute::sim
