#include "tests/real_pair/ngram_model.hpp"

#include <algorithm>
#include <array>

#include <specroute/vocab/check.hpp>

namespace specroute::real_pair {
namespace {

constexpr int kByte = 8;
constexpr int kLongest = kMaxOrder - 1;  // symbols in the longest context

// An n-gram as a number that sorts by context, most recent symbol first, then by what follows:
// the last symbol before it in the top byte, what follows in the lowest.
std::vector<std::uint64_t> sorted_ngrams(const std::vector<Symbol>& text) {
  std::vector<std::uint64_t> keys;
  keys.reserve(text.size());
  for (std::size_t next = kLongest; next < text.size(); ++next) {
    std::uint64_t key = 0;
    for (std::size_t back = 1; back <= kLongest; ++back) key = key << kByte | text[next - back];
    keys.push_back(key << kByte | text[next]);
  }
  std::sort(keys.begin(), keys.end());
  return keys;
}

// The context of this length inside a key.
std::uint64_t context_of(std::uint64_t key, int length) {
  return length == 0 ? 0 : key >> (kByte * (kMaxOrder - length));
}

}  // namespace

NgramModel::NgramModel(const std::vector<Symbol>& text, std::size_t alphabet)
    : alphabet_(alphabet), levels_(kMaxOrder) {
  check(text.size() >= kMaxOrder && alphabet >= 1 && alphabet < 256,
        "a text holds an n-gram and an alphabet fits a byte");
  const auto sorted = sorted_ngrams(text);
  for (int length = 0; length <= kLongest; ++length) count_level(sorted, length);
}

void NgramModel::count_level(const std::vector<std::uint64_t>& sorted, int length) {
  Level& level = levels_[static_cast<std::size_t>(length)];
  std::array<std::uint32_t, 256> counts{};
  std::size_t parent = 0;
  std::uint64_t parent_key = context_of(sorted.front(), length - (length > 0 ? 1 : 0));
  for (std::size_t begin = 0, end = 0; begin < sorted.size(); begin = end) {
    const std::uint64_t context = context_of(sorted[begin], length);
    for (; end < sorted.size() && context_of(sorted[end], length) == context; ++end)
      ++counts[sorted[end] & 0xFFU];
    if (length > 0) {
      std::vector<Node>& above = levels_[static_cast<std::size_t>(length - 1)].contexts;
      if (context >> kByte != parent_key) {
        parent_key = context >> kByte;
        above[++parent].first_child = static_cast<std::uint32_t>(level.contexts.size());
      }
    }
    level.contexts.push_back({.oldest = static_cast<Symbol>(context & 0xFFU),
                              .first_entry = static_cast<std::uint32_t>(level.entries.size()),
                              .first_child = 0,
                              .total = static_cast<std::uint32_t>(end - begin)});
    for (std::size_t symbol = 0; symbol < alphabet_; ++symbol)
      if (counts[symbol] > 0)
        level.entries.push_back({static_cast<Symbol>(symbol), counts[symbol]});
    counts.fill(0);
  }
  if (length > 0)
    levels_[static_cast<std::size_t>(length - 1)].contexts.back().first_child =
        static_cast<std::uint32_t>(level.contexts.size());
  level.contexts.push_back({.oldest = 0,
                            .first_entry = static_cast<std::uint32_t>(level.entries.size()),
                            .first_child = 0,
                            .total = 0});
}

const NgramModel::Node* NgramModel::child(int level, const Node& parent, Symbol oldest) const {
  const std::vector<Node>& below = levels_[static_cast<std::size_t>(level) + 1].contexts;
  const Node* begin = below.data() + parent.first_child;
  const Node* end = below.data() + (&parent + 1)->first_child;
  const Node* found = std::lower_bound(
      begin, end, oldest, [](const Node& one, Symbol symbol) { return one.oldest < symbol; });
  return found != end && found->oldest == oldest ? found : nullptr;
}

void NgramModel::distribution(std::span<const Symbol> history, int order,
                              std::span<double> probabilities) const {
  check(order >= 1 && order <= kMaxOrder, "an order lies in [1, kMaxOrder]");
  check(probabilities.size() == alphabet_, "a distribution covers the alphabet");
  std::fill(probabilities.begin(), probabilities.end(), 1.0 / static_cast<double>(alphabet_));
  const Node* context = levels_[0].contexts.data();
  for (int length = 0; context != nullptr; ++length) {
    const Level& level = levels_[static_cast<std::size_t>(length)];
    const std::uint32_t begin = context->first_entry;
    const std::uint32_t end = (context + 1)->first_entry;
    const auto different = static_cast<double>(end - begin);
    const double mass = static_cast<double>(context->total) + different;
    for (double& probability : probabilities) probability *= different / mass;
    for (std::uint32_t i = begin; i < end; ++i)
      probabilities[level.entries[i].symbol] += static_cast<double>(level.entries[i].count) / mass;
    const auto used = static_cast<std::size_t>(length);
    if (length == order - 1 || used == history.size()) return;
    context = child(length, *context, history[history.size() - 1 - used]);
  }
}

}  // namespace specroute::real_pair
