/// @file
/// The seed's validate_post_failover_acceptance and route_after_failover, over the C table.
#pragma once

#include <specroute/policy_abi.h>

#include <array>
#include <cstdint>
#include <optional>
#include <specroute/router/binding.hpp>
#include <stdexcept>
#include <string>
#include <string_view>

namespace specroute::router {

/// A routing decision would act on an unattributable acceptance signal. It is returned, not
/// thrown: a host that wants the seed's manner says `if (error) throw *error;`.
class SpeculativeRoutingError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The question that the seed's functions ask.
struct AcceptanceCase {
  BackendBinding draft;
  BackendBinding target;
  double pre_acceptance = 0.0;   ///< acceptance rate before the fail-over, accepted / drafted
  double post_acceptance = 0.0;  ///< and after; neither is checked to lie in [0, 1], as in the seed
  bool forwarded_logits = false;
};

namespace detail {

/// Texts become numbers that are equal exactly where the texts are.
inline void number_pair(std::string_view draft, std::string_view target, std::uint64_t& a,
                        std::uint64_t& b) {
  if (hash_bits(draft, a) && hash_bits(target, b)) return;
  a = 1;
  b = draft == target ? 1 : 2;
}

/// The question as a record of the ABI. @param question as the seed puts it
inline srp_case to_abi(const AcceptanceCase& question) {
  srp_case out{};
  constexpr std::uint32_t kKnown = SRP_FP_TOKENIZER | SRP_FP_PARAMS | SRP_FP_KV;
  out.draft.known = out.target.known = kKnown;
  out.draft.backend = 1;
  out.target.backend = 2;
  number_pair(question.draft.tokenizer_hash, question.target.tokenizer_hash, out.draft.tokenizer,
              out.target.tokenizer);
  number_pair(question.draft.params_hash, question.target.params_hash, out.draft.params_v1,
              out.target.params_v1);
  // The ABI has 32 bits for a block size and only asks whether two are equal.
  out.draft.kv_block_tokens = 1;
  out.target.kv_block_tokens =
      question.draft.kv_block_size == question.target.kv_block_size ? 1 : 2;
  out.pre_acceptance = question.pre_acceptance;
  out.post_acceptance = question.post_acceptance;
  out.forwarded_logits = question.forwarded_logits ? 1 : 0;
  return out;
}

/// The seed names backends by text, which the ABI's numbers cannot.
inline std::string why_text(const AcceptanceCase& question, std::string_view why) {
  if (question.draft.tokenizer_hash != question.target.tokenizer_hash)
    return "tokenizer mismatch draft=" + question.draft.backend_id +
           " target=" + question.target.backend_id;
  const auto hashes = why.find("; draft params=");
  if (hashes == std::string_view::npos) return std::string(why);
  return std::string(why.substr(0, hashes)) + "; draft params=" + question.draft.params_hash +
         " target params=" + question.target.params_hash;
}

}  // namespace detail

/// The error that the seed raises, in the seed's words; nothing where the acceptance may be acted
/// on.
[[nodiscard]] inline std::optional<SpeculativeRoutingError> validate_post_failover_acceptance(
    const AcceptanceCase& question, const srp_module& module = linked_module()) {
  const srp_case asked = detail::to_abi(question);
  // The longest of the seed's sentences holds a double of at most 314 characters.
  std::array<char, 512> why{};
  if (module.judge(&asked, why.data(), why.size(), nullptr) == SRP_LOCK) return std::nullopt;
  return SpeculativeRoutingError(detail::why_text(question, why.data()));
}

/// "REBIND" where `validate_post_failover_acceptance` has an error, else "LOCK", as the seed
/// answers. No other answer, and no exception.
[[nodiscard]] inline std::string_view route_after_failover(
    const AcceptanceCase& question, const srp_module& module = linked_module()) {
  return validate_post_failover_acceptance(question, module) ? "REBIND" : "LOCK";
}

}  // namespace specroute::router
