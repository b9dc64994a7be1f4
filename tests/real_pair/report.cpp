#include "tests/real_pair/report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>

#include "models/degradation/loop.hpp"

namespace specroute::real_pair {
namespace {

__attribute__((format(printf, 1, 2))) std::string print(const char* format, ...) {
  char text[4096];  // the longest paragraph
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return text;
}

std::string flag(double difference) {
  return print(std::fabs(difference) > kBound ? "**%+.3f**" : "%+.3f", difference);
}

// Differences of a set of rows.
struct Errors {
  double squares = 0.0;
  double worst = 0.0;
  int outside = 0;
  int count = 0;

  void add(double difference) {
    squares += difference * difference;
    worst = std::max(worst, std::fabs(difference));
    outside += std::fabs(difference) > kBound ? 1 : 0;
    ++count;
  }
  [[nodiscard]] std::string cells() const {
    if (count == 0) return " - | - | - |";
    return print(" %d of %d | %.3f | %.3f |", outside, count, std::sqrt(squares / count), worst);
  }
};

template <class Difference>
Errors errors_of(const std::vector<Row>& rows, Difference difference) {
  Errors errors;
  for (const Row& row : rows)
    if (row.cell.rule != Rule::synthetic) difference(row, errors);
  return errors;
}

void add_acceptance(const Row& row, Errors& errors) {
  errors.add(row.predicted.acceptance - row.measured.acceptance.mean);
}
void add_lossless(const Row& row, Errors& errors) {
  if (emits_target(row.cell)) add_acceptance(row, errors);
}
void add_lossy(const Row& row, Errors& errors) {
  if (!emits_target(row.cell)) add_acceptance(row, errors);
}
void add_rate(const Row& row, Errors& errors) {
  errors.add(row.predicted.rate - row.measured.rate.mean);
}
void add_lossless_rate(const Row& row, Errors& errors) {
  if (emits_target(row.cell)) add_rate(row, errors);
}
void add_by_error(const Row& row, Errors& errors) {
  if (row.by_error) errors.add(row.by_error->acceptance - row.measured.acceptance.mean);
}

std::string summary(const std::vector<Study>& studies) {
  std::string text =
      "| draft order | text | what | outside ±0.03 | rms | worst |\n|---|---|---|---|---|---|\n";
  for (const Study& study : studies) {
    const auto line = [&](const char* where, const char* what, const Errors& errors) {
      text += print("| %d | %s | %s |", study.draft_order, where, what) + errors.cells() + "\n";
    };
    line("held out", "acceptance, all rules", errors_of(study.held_out, add_acceptance));
    line("generated", "acceptance, where the rule emits p",
         errors_of(study.generated, add_lossless));
    line("generated", "accepted ÷ drafted, where the rule emits p",
         errors_of(study.generated, add_lossless_rate));
    line("generated", "acceptance, where it does not", errors_of(study.generated, add_lossy));
    line("generated", "accepted ÷ drafted, all rules", errors_of(study.generated, add_rate));
    line("held out", "acceptance, all rules, *model without evidence*",
         errors_of(study.held_out, add_by_error));
    line("generated", "acceptance, all rules, *model without evidence*",
         errors_of(study.generated, add_by_error));
  }
  return text;
}

std::string fitted(const std::vector<Study>& studies) {
  std::string text =
      "| draft order | exact match, fitted | rejection, fitted | draft evidence, nats | target "
      "evidence, nats | sharpness |\n|---|---|---|---|---|---|\n";
  for (const Study& study : studies)
    text += print("| %d | %.4f ± %.4f | %.4f ± %.4f | %.3f | %.3f | %.2f |\n", study.draft_order,
                  study.fitted.exact_match.mean, study.fitted.exact_match.error,
                  study.fitted.rejection.mean, study.fitted.rejection.error,
                  study.pair.draft_evidence, study.pair.target_evidence, study.pair.sharpness);
  return text;
}

std::string opening(const Row& row) {
  return print("| %s | %s |", to_string(row.cell.rule), situation_of(row.cell).c_str());
}

std::string output(const Row& row) {
  return print(" %.3f ± %.3f | %.3f | %.3f ± %.3f | %.3f |", row.measured.total_variation.mean,
               row.measured.total_variation.error, row.predicted.total_variation,
               row.measured.entropy.mean, row.measured.entropy.error, row.predicted.entropy);
}

std::string acceptance(const Row& row) {
  return print(" %.3f ± %.3f | %.3f | ", row.measured.acceptance.mean,
               row.measured.acceptance.error, row.predicted.acceptance) +
         flag(row.predicted.acceptance - row.measured.acceptance.mean) + " |";
}

std::string held_out_table(const Study& study) {
  std::string text =
      "| rule | situation | accepted ÷ drafted | acceptance | predicted | difference | TV | "
      "predicted | entropy, nats | predicted |\n|---|---|---|---|---|---|---|---|---|---|\n";
  for (const Row& row : study.held_out)
    text += opening(row) +
            print(" %.3f ± %.3f |", row.measured.rate.mean, row.measured.rate.error) +
            acceptance(row) + output(row) + "\n";
  return text;
}

std::string generated_table(const Study& study, const models::LoopModel& loops) {
  std::string text =
      "| rule | situation | accepted ÷ drafted | predicted | difference | by position | length | "
      "predicted | acceptance | predicted | difference | TV | predicted | entropy, nats | "
      "predicted "
      "| in loops | predicted |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|"
      "---|\n";
  for (const Row& row : study.generated) {
    const Measured& measured = row.measured;
    text += opening(row);
    text += print(" %.3f ± %.3f | %.3f | ", measured.rate.mean, measured.rate.error,
                  row.predicted.rate) +
            flag(row.predicted.rate - measured.rate.mean) + " |";
    for (const double conditional : measured.conditional) text += print(" %.2f", conditional);
    text += print(" | %.2f ± %.2f | %.2f |", measured.mean_length.mean, measured.mean_length.error,
                  row.predicted.mean_length);
    text += acceptance(row) + output(row);
    text += print(" %.3f ± %.3f | %.3f |\n", measured.looping.mean, measured.looping.error,
                  looping_share(models::loop_hazard(loops, row.predicted.entropy)));
  }
  return text;
}

// The level of loops is one more fitted figure, for all drafts together: what greedy text of the
// target, under `forwarded_logits` with the draft of the highest order at T = 0, has.
models::LoopModel fit_loops(const Study& study) {
  models::LoopModel loops;
  for (const Row& row : study.generated) {
    if (row.cell.rule != Rule::forwarded_logits || row.cell.request_temperature != 1.0) continue;
    if (row.cell.in_force_temperature == 0.0)
      loops.greedy_hazard = hazard_of_looping_share(row.measured.looping.mean);
    if (row.cell.in_force_temperature == 1.0) loops.reference_entropy_nats = row.predicted.entropy;
  }
  return loops;
}

std::string introduction(const Laboratory& laboratory, const Study& any, std::size_t stride) {
  return print(
             R"(# The real pair: what the token-pair model predicts of n-gram models

Written by `build/release/bin/real_pair_report docs/validation-real-pair.md` after `./dev build` (target `real_pair_report`);
nothing here is edited by hand. Code: [tests/real_pair](../tests/real_pair).

**The pair.** Byte n-gram models of Debian's King James text (`bible -f gen1:1-rev22:21`, references dropped): target of
order %d, drafts of order 1 to 5, interpolated Witten-Bell smoothing over %zu symbols, all trained on the same nine tenths
of the verses. p and q are exact in every context. **Two measurements**, on every %zu%s of the %zu held-out verses:

- *held out*: after every symbol of the verse one draft symbol is drawn, decided on and thrown away (γ = 1);
- *generated*: completions of %zu symbols after the first %zu of the verse, written by real rounds of γ = %zu.

)",
             kTargetOrder, laboratory.model.alphabet(), stride, stride == 1 ? "st" : "th",
             laboratory.verses.size(), kCompletion, kPrompt, kGamma) +
         print(
             R"(*Acceptance* is exact, averaged over the positions that were decided on; *accepted ÷ drafted* counts tokens. TV is the total
variation between what is emitted there and p, exact, averaged likewise; entropy is that of what is emitted. `typical`
takes ε = %g and δ = %g, `threshold` single = %g and acc = %g, `synthetic` the conditional vector %g, %g, %g, %g. A stale draft
samples at the temperature given, and the verifier is not told. Errors are standard errors over verses.

**Fitted, per draft: two figures**, the exact-match and the rejection acceptance of the healthy pair at T = 1 on held-out
text. They give `draft_evidence` and `target_evidence` (docs/model.md). **Chosen with sight of these tables, once for all
drafts**: the form of the model, sharpness %g, evidence spread %g, 64 tokens, and (from the generated text at T = 0.7 and 0.3
of orders 3 to 5) drift %g. Nothing was chosen for orders 1 and 2. **All else is predicted.** Differences
are predicted minus measured; those beyond ±%g are bold, and are misses.

)",
             kTypicalEpsilon, kTypicalDelta, kThresholdSingle, kThresholdAcc,
             kSyntheticConditional[0], kSyntheticConditional[1], kSyntheticConditional[2],
             kSyntheticConditional[3], any.pair.sharpness, any.pair.evidence_spread, any.pair.drift,
             kBound);
}

constexpr const char* kMisses = R"(
`synthetic` is left out of this table: its acceptance is given. The model without evidence is the one of `sharpness`, `noise` and
κ = 1, fitted to the same two figures.

**What misses, and why.** Text that a biased rule has written is the draft's own where the verifier was lenient, and a
draft that writes greedily ends in a handful of phrases: which ones decides what it accepts there, and no pair of
parameters knows them. So `typical`, `threshold` and stale `rejection` and `forwarded_logits` on generated text are off by up to twice
the bound, in either direction, and as they are accepted often, accepted ÷ drafted is off by more. Accepted ÷ drafted is predicted from
one α as if positions were independent; the columns by position show that a position after an accepted one is easier, and a draft of
order 5 feels it. A draft of order 1 proposes the same in every context, which no pair of this form does. Entropies
of what is emitted are off by up to 0.2 nats, too high at T = 1 and too low at 0.3: real tails are thinner. Loops: one level is
fitted (`forwarded_logits`, T = 1, draft at 0, the highest order); how they spread over the rules is what an entropy alone
can say: little. Shares are of symbols.
)";

}  // namespace

std::string render(const Laboratory& laboratory, const std::vector<Study>& studies,
                   std::size_t stride) {
  const models::LoopModel loops = fit_loops(studies.back());
  std::string text = introduction(laboratory, studies.back(), stride) + fitted(studies) +
                     "\n## Summary\n\n" + summary(studies) + kMisses;
  for (const Study& study : studies) {
    text += print("\n## Draft of order %d, held-out text\n\n", study.draft_order);
    text += held_out_table(study);
    text += print("\n## Draft of order %d, generated text\n\n", study.draft_order);
    text += generated_table(study, loops);
  }
  return text;
}

}  // namespace specroute::real_pair
