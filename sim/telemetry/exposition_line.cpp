#include "sim/telemetry/exposition_line.hpp"

#include <charconv>
#include <cmath>

namespace specroute::sim {
namespace {

constexpr double kBeyondCounts = 9007199254740992.0;  // 2^53

bool name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == ':';
}

void skip_blanks(std::string_view& text) {
  while (text.starts_with(' ') || text.starts_with('\t')) text.remove_prefix(1);
}

std::string_view take_name(std::string_view& text) {
  std::size_t end = 0;
  while (end < text.size() && name_character(text[end])) ++end;
  const auto name = text.substr(0, end);
  text.remove_prefix(end);
  return name;
}

std::string_view take_word(std::string_view& text) {
  skip_blanks(text);
  const auto word = text.substr(0, text.find_first_of(" \t"));
  text.remove_prefix(word.size());
  return word;
}

/// The text up to the closing quote; the opening one was taken.
bool take_quoted(std::string_view& text, std::string& into) {
  into.clear();
  while (!text.empty()) {
    const char c = text.front();
    text.remove_prefix(1);
    if (c == '"') return true;
    if (c != '\\') {
      into += c;
      continue;
    }
    if (text.empty()) return false;
    const char escaped = text.front();
    text.remove_prefix(1);
    if (escaped == 'n')
      into += '\n';
    else if (escaped == '"' || escaped == '\\')
      into += escaped;
    else
      into.append({'\\', escaped});
  }
  return false;
}

/// Labels after the opening brace. What was expected where they are malformed.
std::string take_labels(std::string_view& text, Labels& labels) {
  for (skip_blanks(text); !text.starts_with('}'); skip_blanks(text)) {
    const auto name = take_name(text);
    if (name.empty()) return "a label's name or }";
    skip_blanks(text);
    if (!text.starts_with('=')) return "= after a label's name";
    text.remove_prefix(1);
    skip_blanks(text);
    if (!text.starts_with('"')) return "a label's value in quotes";
    text.remove_prefix(1);
    std::string value;
    if (!take_quoted(text, value)) return "the closing quote of a label";
    if (!labels.emplace(name, std::move(value)).second) return "each label once";
    skip_blanks(text);
    if (text.starts_with(','))
      text.remove_prefix(1);
    else if (!text.starts_with('}'))
      return "a comma or } after a label";
  }
  text.remove_prefix(1);
  return {};
}

std::optional<UnixTime> timestamp(std::string_view word) {
  constexpr std::size_t kDigitsOfMilliseconds = 12;
  const bool seconds = word.find('.') != std::string_view::npos;
  if (seconds || word.size() < kDigitsOfMilliseconds) return parse_unix_seconds(word);
  std::string text(word);
  text.insert(text.size() - 3, ".");
  return parse_unix_seconds(text);
}

}  // namespace

ExpositionLine parse_exposition_line(std::string_view line) {
  ExpositionLine out;
  skip_blanks(line);
  out.name = take_name(line);
  if (out.name.empty()) {
    out.fault = "a metric's name";
    return out;
  }
  skip_blanks(line);
  if (line.starts_with('{')) {
    line.remove_prefix(1);
    out.fault = take_labels(line, out.labels);
    if (!out.fault.empty()) return out;
  }
  out.value = take_word(line);
  if (out.value.empty()) out.fault = "a value";
  const auto stamp = take_word(line);
  skip_blanks(line);
  if (stamp.empty() || stamp == "#") return out;
  out.at = timestamp(stamp);
  if (!out.at || (!line.empty() && !line.starts_with('#')))
    out.fault = "the end of the line after value and timestamp";
  return out;
}

std::string value_fault(Metric metric, std::string_view text, double& value) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = read.ec == std::errc{} && read.ptr == text.data() + text.size();
  if (!whole || !std::isfinite(value) || value < 0.0 || value >= kBeyondCounts)
    return is_gauge(metric) ? "a finite number of at least 0" : "a count from 0 to 2^53";
  if (!is_gauge(metric) && value != std::floor(value)) return "a whole count, not a rate";
  return {};
}

}  // namespace specroute::sim
