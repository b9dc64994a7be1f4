#include "tests/real_pair/corpus.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <set>

#include <specroute/vocab/check.hpp>

namespace specroute::real_pair {
namespace {

constexpr std::size_t kBlock = 100;  // verses that stay together
constexpr std::size_t kBlocks = 10;  // of which the last is held out

}  // namespace

Alphabet::Alphabet(std::string_view text) {
  const std::set<unsigned char> bytes(text.begin(), text.end());
  bytes_.assign(bytes.begin(), bytes.end());
}

std::vector<Symbol> Alphabet::encode(std::string_view text) const {
  std::array<int, 256> place;
  place.fill(-1);
  for (std::size_t i = 0; i < bytes_.size(); ++i)
    place[static_cast<unsigned char>(bytes_[i])] = static_cast<int>(i);
  std::vector<Symbol> symbols;
  symbols.reserve(text.size());
  for (const char byte : text) {
    const int symbol = place[static_cast<unsigned char>(byte)];
    check(symbol >= 0, "a text uses the bytes of its alphabet");
    symbols.push_back(static_cast<Symbol>(symbol));
  }
  return symbols;
}

std::string Alphabet::decode(const std::vector<Symbol>& symbols) const {
  std::string text;
  for (const Symbol symbol : symbols) text.push_back(bytes_[symbol]);
  return text;
}

Corpus split_verses(std::string_view printed) {
  Corpus corpus;
  std::size_t verse = 0;
  while (!printed.empty()) {
    const auto end = std::min(printed.find('\n'), printed.size() - 1);
    const auto line = printed.substr(0, end + 1);
    printed.remove_prefix(end + 1);
    const auto space = line.find(' ');
    if (space == std::string_view::npos) continue;
    const std::string text{line.substr(space + 1)};
    if (verse++ / kBlock % kBlocks == kBlocks - 1)
      corpus.held_out.push_back(text);
    else
      corpus.train += text;
  }
  return corpus;
}

std::optional<std::string> print_bible() {
  std::FILE* pipe = popen("bible -f gen1:1-rev22:21 </dev/null 2>/dev/null", "r");
  if (pipe == nullptr) return std::nullopt;
  std::string text;
  std::array<char, 1 << 16> buffer;
  for (std::size_t got; (got = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    text.append(buffer.data(), got);
  if (pclose(pipe) != 0 || text.empty()) return std::nullopt;
  return text;
}

}  // namespace specroute::real_pair
