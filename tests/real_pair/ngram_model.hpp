/// @file
/// Byte n-gram models with exact probabilities: the real pair.
///
/// Order n conditions on the last n - 1 symbols. Interpolated Witten-Bell smoothing, from the
/// uniform distribution over the alphabet up:
///   P_0(x) = 1 / V;   P_k(x | c) = (C(c x) + N(c) P_(k-1)(x | c')) / (C(c) + N(c)),
/// C a count in the training text, N(c) the number of different symbols seen after c, c' the
/// context without its oldest symbol. A context never seen hands down P_(k-1). All probabilities
/// are above 0. Chosen because it has no parameter to tune and can be worked by hand.
/// @source Witten and Bell, IEEE Trans. Information Theory 37(4), 1991, method C; Chen and Goodman,
/// "An Empirical Study of Smoothing Techniques", TR-10-98, Harvard, 1998, section 2.5.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tests/real_pair/corpus.hpp"

namespace specroute::real_pair {

/// The longest n-gram that is counted.
inline constexpr int kMaxOrder = 8;

/// Counts of all n-grams of one text; one object serves every order. Contexts form a tree, the
/// most recent symbol at the root.
class NgramModel {
 public:
  /// @param text at least kMaxOrder symbols, each below `alphabet`. @param alphabet in [1, 255].
  NgramModel(const std::vector<Symbol>& text, std::size_t alphabet);

  [[nodiscard]] std::size_t alphabet() const { return alphabet_; }

  /// The distribution of the symbol after `history` under the model of this order: `alphabet`
  /// entries, summing to 1 within rounding. @param order in [1, kMaxOrder].
  void distribution(std::span<const Symbol> history, int order,
                    std::span<double> probabilities) const;

 private:
  struct Entry {
    Symbol symbol;
    std::uint32_t count;
  };
  struct Node {     // one context
    Symbol oldest;  // the symbol that it adds to its parent
    std::uint32_t first_entry;
    std::uint32_t first_child;  // in the next level; ends where the next context's begins
    std::uint32_t total;
  };
  struct Level {  // all contexts of one length, and one more that closes the ranges
    std::vector<Node> contexts;
    std::vector<Entry> entries;
  };

  void count_level(const std::vector<std::uint64_t>& sorted, int length);
  [[nodiscard]] const Node* child(int level, const Node& parent, Symbol oldest) const;

  std::size_t alphabet_;
  std::vector<Level> levels_;
};

}  // namespace specroute::real_pair
