/// @file
/// The text of the real pair: Debian's King James Bible, as its program prints it.
///
/// `bible -f gen1:1-rev22:21` prints one verse a line, "Ge1:1 In the beginning ...", without page
/// breaks, and never asks. The reference before the first space is dropped, and what is left, the
/// newline included, is the text: 31,102 verses, 4.1 MB, 63 different bytes. The plain form of the
/// command breaks its lines at $COLUMNS, which no result may depend on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace specroute::real_pair {

/// A byte, as its place among the bytes that the text uses.
using Symbol = std::uint8_t;

/// The bytes of a text, in ascending order: the vocabulary of both models.
class Alphabet {
 public:
  explicit Alphabet(std::string_view text);

  [[nodiscard]] std::size_t size() const { return bytes_.size(); }
  [[nodiscard]] std::vector<Symbol> encode(std::string_view text) const;
  [[nodiscard]] std::string decode(const std::vector<Symbol>& symbols) const;

 private:
  std::string bytes_;
};

/// Verses in the order of the book, each ending in a newline. Of every thousand the last hundred
/// are held out: they start completions, and no model has seen them.
struct Corpus {
  std::string train;
  std::vector<std::string> held_out;
};

/// Splits what `bible -f` prints. Lines without a space are dropped.
[[nodiscard]] Corpus split_verses(std::string_view printed);

/// Runs the program; nothing where it is not installed.
[[nodiscard]] std::optional<std::string> print_bible();

}  // namespace specroute::real_pair
