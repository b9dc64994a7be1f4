#include "models/speculation/text_drift.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "models/random/portable_math.hpp"

namespace specroute::models {
namespace {

using Column = std::vector<double>;

// p, p_d, q, q^ of one position over the whole slice of tokens, as far as the rule reads them.
class Columns {
 public:
  Columns(std::size_t vocabulary, VerificationRule rule)
      : wanted_(vocabulary),
        forwarded_(vocabulary),
        drafted_(vocabulary),
        believed_(vocabulary),
        rule_(rule) {}

  PositionDistributions fill(const PairModel& model, std::size_t position,
                             const Situation& situation) {
    model.target_logits(position, wanted_);
    model.draft_logits(position, drafted_);
    if (rule_ == VerificationRule::forwarded_logits) {
      forwarded_ = wanted_;
      to_distribution(forwarded_, situation.in_force, scratch_);
    }
    if (rule_ == VerificationRule::rejection || rule_ == VerificationRule::synthetic) {
      believed_ = drafted_;
      to_distribution(believed_, situation.believed, scratch_);
    }
    to_distribution(wanted_, situation.request, scratch_);
    to_distribution(drafted_, situation.in_force, scratch_);
    return {.wanted = wanted_, .forwarded = forwarded_, .drafted = drafted_, .believed = believed_};
  }

 private:
  Column wanted_, forwarded_, drafted_, believed_;
  VerificationRule rule_;
  SamplingScratch scratch_;
};

// Sum over tokens of (emitted - p_1) log p_1, from the target's logits, which become p_1.
double gain_at(std::span<const double> emitted, Column& logits, Column& shifted) {
  const double top = *std::max_element(logits.begin(), logits.end());
  for (double& logit : logits) logit -= top;
  shifted = logits;
  portable::exp_in_place(logits);
  double total = 0.0;
  for (const double weight : logits) total += weight;
  double gain = 0.0;  // the constant of log p_1 falls out: both distributions sum to 1
  for (std::size_t j = 0; j < logits.size(); ++j)
    gain += (emitted[j] - logits[j] / total) * shifted[j];
  return gain;
}

}  // namespace

double likelihood_gain_nats(const PairModel& model, const Verifier& given,
                            const Situation& situation) {
  const Verifier verifier = effective(given, situation);
  const bool lossless = is_lossless(verifier, situation);
  if (lossless && same_distribution(situation.request, {})) return 0.0;
  const std::size_t vocabulary = model.table().vocabulary();
  // A lossless rule emits p, which exact_match reads off without more.
  const Verifier emitting = lossless ? Verifier{.rule = VerificationRule::exact_match} : verifier;
  Columns columns{vocabulary, emitting.rule};
  Column emitted(vocabulary);
  Column natural(vocabulary);
  Column shifted(vocabulary);
  double gain = 0.0;
  for (std::size_t i = 0; i < model.table().positions(); ++i) {
    verify_position(emitting, columns.fill(model, i, situation), emitted);
    model.target_logits(i, natural);
    gain += gain_at(emitted, natural, shifted);
  }
  return gain / static_cast<double>(model.table().positions());
}

PairModel on_generated_text(const PairModel& model, const Verifier& verifier,
                            const Situation& situation) {
  PairParameters pair = model.parameters();
  if (pair.drift > 0.0 && pair.target_evidence > 0.0)
    pair.target_evidence *=
        portable::exp(-pair.drift * likelihood_gain_nats(model, verifier, situation));
  pair.drift = 0.0;
  return PairModel{pair, model.shared_table()};
}

}  // namespace specroute::models
