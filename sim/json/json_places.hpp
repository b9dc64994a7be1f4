/// @file
/// Where the values of a JSON text stand in it: from pointers to lines, for people and editors.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <specroute/vocab/result.hpp>

namespace specroute::sim {

/// Of a text that parse_json accepted; of any other the places are meaningless. The text must
/// outlive it.
class JsonPlaces {
 public:
  explicit JsonPlaces(std::string_view text);

  /// A key that its object has had before: the bytes where it stands first, and here.
  struct Repeat {
    std::size_t first;
    std::size_t again;
  };

  /// "line:column" (from 1, columns in bytes) of what `pointer` leads to: a member's key (of a
  /// repeated one the last, whose value counts), or an element. Of a pointer that leads nowhere,
  /// that of its nearest ancestor.
  [[nodiscard]] std::string of(std::string_view pointer) const;
  /// Line alone, from 1.
  [[nodiscard]] std::size_t line_of(std::string_view pointer) const;
  /// Pointer to the member or element whose key or value begins at this byte; empty where none.
  [[nodiscard]] std::string at_byte(std::size_t offset) const;
  /// "line:column" of a byte; of one beyond the text, that of its end.
  [[nodiscard]] std::string line_column(std::size_t offset) const;
  /// In the order in which the values of repeated keys end.
  [[nodiscard]] const std::vector<Repeat>& repeats() const { return repeats_; }

 private:
  struct Entry {
    std::string pointer;
    std::size_t first;  ///< byte of the key; of an element, of its value
    std::size_t value;
  };

  void scan_value(const std::string& pointer);
  void scan_members(const std::string& pointer, bool named);
  std::string scan_text();
  void skip_blanks();
  [[nodiscard]] std::size_t offset_of(std::string_view pointer) const;

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<Entry> entries_;
  std::vector<Repeat> repeats_;
};

/// Names `file` where a fault names none, adds to each pointer of its own where that stands in
/// `text`, "/gate (2:3)", and sorts by file and place.
void mark_places(Diagnostics& faults, const std::string& file, std::string_view text);

}  // namespace specroute::sim
