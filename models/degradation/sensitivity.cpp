#include "models/degradation/sensitivity.hpp"

#include <algorithm>
#include <functional>
#include <span>

#include <specroute/vocab/check.hpp>

#include "models/random/portable_math.hpp"
#include "models/speculation/acceptance.hpp"

namespace specroute::models {
namespace {

/// Mean hazard of a step's tokens: those of verified positions and the bonus token, as often as
/// each is emitted.
double per_token(const StepHazard& hazard, const std::vector<double>& shape) {
  double verified = 0.0;
  double bonus = 0.0;
  const auto chances = accepted_distribution(shape);
  for (std::size_t k = 0; k < chances.size(); ++k) {
    const auto tokens = emitted_tokens(static_cast<int>(k), static_cast<int>(shape.size()));
    verified += chances[k] * tokens.verified;
    bonus += chances[k] * tokens.bonus;
  }
  return (hazard.verified * verified + hazard.bonus * bonus) / (verified + bonus);
}

/// What becomes of completions of one length, in tokens after the first.
struct Course {
  double enters = 0.0;  ///< probability of a loop
  double before = 0.0;  ///< mean tokens until then, or to the end
  double inside = 0.0;  ///< of those that enter: mean tokens in the loop
  double after = 0.0;   ///< of those that enter: mean tokens once they escaped
  double entry = 0.0;   ///< of those that enter: mean tokens before
};

Course course_of(double tokens, double limit, double hazard, const LoopModel& loops) {
  Course course{.before = tokens};
  if (hazard == 0.0 || tokens <= 0.0) return course;
  course.enters = hazard < 1.0 ? -portable::expm1(tokens * portable::log1p(-hazard)) : 1.0;
  course.before = course.enters / hazard;
  course.entry = (course.before - (1.0 - course.enters) * tokens) / course.enters;
  const double room = std::max(0.0, limit - course.entry);
  course.inside = mean_tokens_in_loop(loops, room);
  // By Wald's identity, hazard times mean time is the chance to escape before the limit.
  const double escapes = std::min(1.0, loops.escape_hazard * course.inside);
  course.after = std::min(escapes * (tokens - course.entry), std::max(0.0, room - course.inside));
  return course;
}

/// Share that something befalls within so many tokens.
double share_within(double tokens, double hazard) {
  return share_from_hazard(hazard, std::span(&tokens, 1));
}

double reference_entropy(const DegradationSetting& setting) {
  SamplingParameters reference;
  reference.temperature = setting.reference_temperature;
  return evaluate(setting.pair, VerificationRule::exact_match, healthy(reference))
      .bonus_entropy_nats;
}

/// What the pair makes of a setting: the part that takes milliseconds, and that most inputs leave
/// alone.
struct PairFacts {
  RuleOutcome healthy;
  RuleOutcome stale;
  double reference_entropy_nats;
};
PairFacts pair_facts(const DegradationSetting& setting) {
  return {evaluate(setting.pair, setting.rule, healthy(setting.requested)),
          evaluate(setting.pair, setting.rule, stale_draft(setting.requested, setting.stale)),
          reference_entropy(setting)};
}

ServedText served_with(const DegradationSetting& setting, const Situation& situation,
                       const RuleOutcome& outcome, double reference_entropy_nats) {
  LoopModel loops = setting.loops;
  loops.reference_entropy_nats = reference_entropy_nats;
  const auto shape = iid_shape(outcome.acceptance, setting.draft_tokens);
  const auto looping = looping_shape(loops, setting.draft_tokens);
  const double loop_hazard = per_token(loop_step_hazard(loops, outcome), shape);
  const double schema_hazard = per_token(
      schema_step_hazard(setting.schema, setting.rule, situation, setting.requested.grammar_id),
      shape);
  ServedText text;
  double normal = 0.0;
  double inside = 0.0;
  const auto lengths = length_quantiles(setting.lengths);
  for (const double length : lengths) {
    const double tokens = std::max(0.0, length - 1.0);  // the first is the prefill's
    const Course course = course_of(tokens, setting.lengths.limit - 1.0, loop_hazard, loops);
    const double looped = course.entry + course.inside + course.after;
    const double schema_alone = share_within(tokens, schema_hazard);
    text.loop_share += course.enters;
    text.schema_share +=
        (1.0 - course.enters) * schema_alone + course.enters * share_within(looped, schema_hazard);
    text.degraded_share += course.enters + (1.0 - course.enters) * schema_alone;
    normal += course.before + course.enters * course.after;
    inside += course.enters * course.inside;
  }
  const double count = static_cast<double>(lengths.size());
  text.loop_share /= count;
  text.schema_share /= count;
  text.degraded_share /= count;
  text.tokens_mean = 1.0 + (normal + inside) / count;
  const double normal_steps = normal / mean_acceptance_length(shape);
  const double loop_steps = inside / mean_acceptance_length(looping);
  text.acceptance_rate =
      (normal_steps * accepted_rate(shape) + loop_steps * accepted_rate(looping)) /
      (normal_steps + loop_steps);
  return text;
}

DegradationOutlook outlook_with(const DegradationSetting& setting, const PairFacts& facts) {
  check(setting.gated_exposure >= Seconds{0.0} && setting.gated_exposure <= setting.watched,
        "a gate acts within the span that is watched");
  DegradationOutlook result;
  result.healthy =
      served_with(setting, healthy(setting.requested), facts.healthy, facts.reference_entropy_nats);
  result.stale = served_with(setting, stale_draft(setting.requested, setting.stale), facts.stale,
                             facts.reference_entropy_nats);
  const double watched = setting.completions_per_s * setting.watched.count();
  const double exposed = setting.completions_per_s * setting.gated_exposure.count();
  result.ungated = watched * result.stale.degraded_share;
  result.unavoidable = watched * result.healthy.degraded_share;
  result.gated =
      exposed * result.stale.degraded_share + (watched - exposed) * result.healthy.degraded_share;
  return result;
}

/// Moves inputs of copies of one setting.
class Mover {
 public:
  using Move = std::function<void(DegradationSetting&)>;
  explicit Mover(const DegradationSetting& base) : base_(base), facts_(pair_facts(base)) {}

  /// @param move leaves the pair, the rule and both sides' sampling alone
  SensitivityRow operator()(const std::string& input, const std::string& value,
                            const Move& move) const {
    DegradationSetting setting = base_;
    move(setting);
    PairFacts facts = facts_;
    if (setting.reference_temperature != base_.reference_temperature)
      facts.reference_entropy_nats = reference_entropy(setting);
    return {input, value, outlook_with(setting, facts)};
  }

 private:
  DegradationSetting base_;
  PairFacts facts_;
};

}  // namespace

ServedText served_text(const DegradationSetting& setting, const Situation& situation) {
  return served_with(setting, situation, evaluate(setting.pair, setting.rule, situation),
                     reference_entropy(setting));
}

DegradationOutlook outlook(const DegradationSetting& setting) {
  return outlook_with(setting, pair_facts(setting));
}

std::vector<SensitivityRow> loop_sensitivity(const DegradationSetting& base) {
  using Setting = DegradationSetting;
  const Mover moved(base);
  const auto hazard_by = [](double factor) {
    return [factor](Setting& s) { s.loops.greedy_hazard *= factor; };
  };
  const auto schema_by = [](double factor) {
    return [factor](Setting& s) { s.schema.unmasked_hazard *= factor; };
  };
  const auto ratio_to = [](double ratio) { return [ratio](Setting& s) { s.loops.ratio = ratio; }; };
  const auto reference_at = [](double temperature) {
    return [temperature](Setting& s) { s.reference_temperature = temperature; };
  };
  const auto looping_at = [](double acceptance) {
    return [acceptance](Setting& s) { s.loops.looping_acceptance = acceptance; };
  };
  const auto escape_at = [](double hazard) {
    return [hazard](Setting& s) { s.loops.escape_hazard = hazard; };
  };
  const auto law_of = [](EntropyLaw law) { return [law](Setting& s) { s.loops.law = law; }; };
  const auto all_by = [](double factor, double ratio) {
    return [factor, ratio](Setting& s) {
      s.loops.greedy_hazard *= factor;
      s.schema.unmasked_hazard *= factor;
      s.loops.ratio = ratio;
    };
  };
  return {
      moved("none", "as calibrated", [](Setting&) {}),
      moved("greedy loop hazard", "x 1/2", hazard_by(0.5)),
      moved("greedy loop hazard", "x 2", hazard_by(2.0)),
      moved("greedy to sampled ratio", "100", ratio_to(100.0)),
      moved("greedy to sampled ratio", "606", ratio_to(606.0)),
      moved("greedy to sampled ratio", "1000", ratio_to(1000.0)),
      moved("reference temperature", "0.5", reference_at(0.5)),
      moved("reference temperature", "1", reference_at(1.0)),
      moved("looping acceptance", "0.90", looping_at(0.9)),
      moved("looping acceptance", "0.99", looping_at(0.99)),
      moved("escape hazard per token", "0.01", escape_at(0.01)),
      moved("escape hazard per token", "0.1", escape_at(0.1)),
      moved("schema hazard", "x 1/2", schema_by(0.5)),
      moved("schema hazard", "x 2", schema_by(2.0)),
      moved("entropy law", "linear", law_of(EntropyLaw::linear)),
      moved("entropy law", "threshold", law_of(EntropyLaw::threshold)),
      moved("all hazards", "x 1/2, ratio 1000", all_by(0.5, 1000.0)),
      moved("all hazards", "x 2, ratio 100", all_by(2.0, 100.0)),
  };
}

}  // namespace specroute::models
