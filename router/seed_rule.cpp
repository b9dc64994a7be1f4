#include "router/seed_rule.hpp"

#include "router/fingerprint.hpp"

namespace specroute::router {

std::int32_t judge_seed_rule(const srp_case& question, TextBuffer& why) {
  const srp_side& draft = question.draft;
  const srp_side& target = question.target;
  const auto equal = [&](std::uint32_t bit) {
    return compare(draft, target, bit, 1) == Match::equal;
  };
  if (!equal(SRP_FP_TOKENIZER)) {
    why.text("tokenizer mismatch draft=").integer(draft.backend);
    why.text(" target=").integer(target.backend);
    return SRP_REBIND;
  }
  if (!equal(SRP_FP_KV)) {
    why.text("kv block size mismatch; verifier positional indices unreliable");
    return SRP_REBIND;
  }
  if (question.forwarded_logits != 0 && !equal(SRP_FP_PARAMS)) {
    why.text(
        "draft/target sampling params differ while logits are forwarded; "
        "acceptance measures argmax agreement, not speculative correctness");
    return SRP_REBIND;
  }
  const double delta = question.post_acceptance - question.pre_acceptance;
  if (delta > 0.25 && !equal(SRP_FP_PARAMS)) {
    why.text("unattributable acceptance spike delta=").fixed3(delta);
    why.text("; draft params=").hash(draft.params_v1);
    why.text(" target params=").hash(target.params_v1);
    return SRP_REBIND;
  }
  return SRP_LOCK;
}

}  // namespace specroute::router
