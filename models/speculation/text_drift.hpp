/// @file
/// How text moves the pair that writes it.
///
/// Text that a rule emits is read back as context. Text that the target finds likelier than natural
/// text leads into contexts that are better known, where what the target knows beyond the draft
/// counts for less: the more so, the lower the temperature. Measured on byte n-gram models
/// (docs/validation-real-pair.md): lossless text at T = 0.3 raises the agreement of draft and
/// target by 0.06, whatever the draft. Not modelled: the particular loops in which a draft that
/// writes greedily, unchecked, ends.
#pragma once

#include "models/speculation/rules.hpp"
#include "models/speculation/token_pair.hpp"

namespace specroute::models {

/// How much likelier, in nats per token, the target finds what the rule emits at verified positions
/// than natural text: E over positions of the sum over tokens of (emitted - p_1) log p_1, p_1 the
/// target's distribution at temperature 1 without filters, in contexts of natural text.
/// @return 0 where p_1 is emitted; typically up to p_1's mean entropy.
[[nodiscard]] double likelihood_gain_nats(const PairModel& model, const Verifier& verifier,
                                          const Situation& situation);

/// The pair in contexts of the text that it writes: target_evidence times exp(-drift x gain), the
/// gain that of the pair in natural text, and drift 0, as it has been spent. A pair without drift
/// or evidence is returned as it is. Fitted for lossless rules at temperatures of 0.3 and 0.7; text
/// that a lossy rule biases is outside of it.
/// @source our own, fitted to n-gram models: docs/validation-real-pair.md.
[[nodiscard]] PairModel on_generated_text(const PairModel& model, const Verifier& verifier,
                                          const Situation& situation);

}  // namespace specroute::models
