#include "sim/validation/round_cost.hpp"

namespace specroute::sim::validation {
namespace {

models::Pass decode_pass(double batch, double positions, double context) {
  return {
      .sequences = batch, .tokens_decode = batch * positions, .context_tokens = batch * context};
}

}  // namespace

double relative_round_time(const ChainRound& round, double batch) {
  const models::Pass step = decode_pass(batch, 1.0, round.context);
  const models::Pass verification = decode_pass(batch, round.draft_tokens + 1.0, round.context);
  Seconds time = models::pass_time(round.target, verification);
  if (round.draft) time += models::round_time(*round.draft, step, round.draft_tokens);
  return time / models::pass_time(round.target, step);
}

double speed_up(const ChainRound& round, double batch, double tokens_per_round) {
  return tokens_per_round / relative_round_time(round, batch);
}

}  // namespace specroute::sim::validation
