#include "sim/json/json_places.hpp"

#include <algorithm>
#include <map>

#include "sim/json/diagnostics_text.hpp"
#include "sim/json/json_pointer.hpp"
#include "sim/json/json_text.hpp"

namespace specroute::sim {

JsonPlaces::JsonPlaces(std::string_view text) : text_(text) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  // parse_json passes over it
  if (text_.starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
  scan_value({});
}

void JsonPlaces::skip_blanks() {
  constexpr std::string_view kBlanks = " \t\r\n";
  at_ = std::min(text_.find_first_not_of(kBlanks, at_), text_.size());
}

/// A text between quotes with its escapes resolved: parse_json knows them all.
std::string JsonPlaces::scan_text() {
  const std::size_t first = at_;
  for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_)
    if (text_[at_] == '\\') ++at_;
  at_ = std::min(at_ + 1, text_.size());
  const std::string spelt(text_.substr(first, at_ - first));
  if (spelt.find('\\') == std::string::npos && spelt.size() >= 2)
    return spelt.substr(1, spelt.size() - 2);
  const auto parsed = parse_json(spelt, {});
  return parsed ? parsed.value().root.text : std::string{};
}

void JsonPlaces::scan_value(const std::string& pointer) {
  skip_blanks();
  if (at_ >= text_.size()) return;
  const char first = text_[at_];
  if (first == '{' || first == '[') return scan_members(pointer, first == '{');
  if (first == '"') {
    scan_text();
    return;
  }
  at_ = std::min(text_.find_first_of(",]} \t\r\n", at_), text_.size());
}

void JsonPlaces::scan_members(const std::string& pointer, bool named) {
  const char end = named ? '}' : ']';
  std::size_t index = 0;
  std::map<std::string, std::size_t> keys;  // by pointer, the first byte of each that was seen
  ++at_;
  for (skip_blanks(); at_ < text_.size() && text_[at_] != end; skip_blanks()) {
    const std::size_t first = at_;
    const std::string child =
        named ? child_pointer(pointer, scan_text()) : child_pointer(pointer, index++);
    if (named) {
      at_ = std::min(text_.find(':', at_), text_.size() - 1) + 1;
      skip_blanks();
    }
    entries_.push_back({child, first, at_});
    const std::size_t before = at_;
    scan_value(child);
    // After what is within it, as the parser finds them. An index is always new.
    const auto [known, is_new] = keys.emplace(child, first);
    if (!is_new) repeats_.push_back({known->second, first});
    skip_blanks();
    if (at_ < text_.size() && text_[at_] == ',') ++at_;
    if (at_ == before) return;  // no JSON: better no place than no end
  }
  at_ = std::min(at_ + 1, text_.size());
}

std::size_t JsonPlaces::offset_of(std::string_view pointer) const {
  while (!pointer.empty()) {
    const auto found = std::find_if(entries_.rbegin(), entries_.rend(),
                                    [&](const Entry& entry) { return entry.pointer == pointer; });
    if (found != entries_.rend()) return found->first;
    const std::size_t last = pointer.rfind('/');
    pointer = pointer.substr(0, last == std::string_view::npos ? 0 : last);
  }
  return std::min(text_.find_first_not_of(" \t\r\n"), text_.size());
}

std::string JsonPlaces::of(std::string_view pointer) const {
  return line_column(offset_of(pointer));
}

std::size_t JsonPlaces::line_of(std::string_view pointer) const {
  const auto before = text_.substr(0, offset_of(pointer));
  return 1 + static_cast<std::size_t>(std::ranges::count(before, '\n'));
}

std::string JsonPlaces::at_byte(std::size_t offset) const {
  const auto found = std::ranges::find_if(entries_, [offset](const Entry& entry) {
    return entry.first == offset || entry.value == offset;
  });
  return found == entries_.end() ? std::string{} : found->pointer;
}

std::string JsonPlaces::line_column(std::size_t offset) const {
  const auto before = text_.substr(0, offset);
  const auto line = 1 + std::ranges::count(before, '\n');
  const std::size_t last = before.rfind('\n');
  const std::size_t column =
      last == std::string_view::npos ? before.size() + 1 : before.size() - last;
  return std::to_string(line) + ':' + std::to_string(column);
}

void mark_places(Diagnostics& faults, const std::string& file, std::string_view text) {
  const JsonPlaces places(text);
  for (Diagnostic& fault : faults) {
    if (!fault.file.empty()) continue;
    fault.file = file;
    if (fault.place.starts_with('/'))
      fault.place = marked_place(fault.place, places.of(fault.place));
    else if (fault.place.empty())
      fault.place = places.of({});
  }
  sort_by_place(faults);
}

}  // namespace specroute::sim
