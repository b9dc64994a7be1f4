// Engines that are not what was configured, in the running simulator.
#include "tests/sim/rules/conditions.hpp"

namespace specroute::sim {
namespace {

constexpr const char* kCorrupted = "degraded.corruption";

Scenario believed(Scenario s) {
  s.router.verify_binding = VerifyBinding::configuration;
  return s;
}

Scenario changed(Scenario s, const EngineChange& change) {
  s.engine_changes.push_back(change);
  return s;
}

EngineChange blocks(BackendId backend, std::uint32_t tokens) {
  EngineChange change = change_of(backend);
  change.kv_block_tokens = tokens;
  return change;
}

// Prompts are longer than a block, so each of about 23 tokens after the first has the hazard .01:
// a fifth of the completions after the fail-over.
TEST(MismatchedBlocks, CorruptWhereTheRouterVerifiedAtConfigurationTime) {
  const Scenario s = changed(failover_world(Rule::exact_match), blocks(kStandbyDraft, 128));
  const auto results = run_all({s, believed(s)});
  EXPECT_EQ(metric(results[0], kCorrupted), 0.0) << "verified at bind, and refused";
  const double corrupted = metric(results[1], kCorrupted);
  EXPECT_GT(corrupted, 15.0);
  EXPECT_LT(corrupted, 0.35 * metric(results[1], "requests.completed"));
  EXPECT_EQ(metric(results[1], "degraded.by_pairing.standby target+standby draft"),
            metric(results[1], "degraded.total"));
  EXPECT_GT(metric(results[1], "lock.first_harmful_s"), 0.0);
}

// No context reaches the end of a first block of 128 tokens.
TEST(MismatchedBlocks, LeaveTheFirstBlockAlone) {
  const Scenario s = changed(failover_world(Rule::exact_match), blocks(kStandbyTarget, 128));
  EXPECT_EQ(metric(run_one(believed(s)), kCorrupted), 0.0);
}

TEST(MismatchedMask, Corrupts) {
  EngineChange change = change_of(kStandbyDraft);
  change.attention_mask = "prefix";
  const Scenario s = changed(failover_world(Rule::exact_match), change);
  EXPECT_GT(metric(run_one(believed(s)), kCorrupted), 15.0);
}

TEST(Corruption, DoesNotApplyWhereNoPairCanDisagree) {
  const double none = metric(run_one(failover_world(Rule::exact_match)), kCorrupted);
  EXPECT_NE(none, none);
}

/// Models of one tokenizer; the standby target's matrix is padded to more rows.
Scenario padded() {
  Scenario s = failover_world(Rule::exact_match);
  for (Backend& b : s.backends) b.vocabulary_tokens = 151'936;
  s.backends[kStandbyTarget.index()].vocabulary_tokens = 152'064;
  return s;
}

TEST(TokenizerIdentity, RefusesAPairThatDiffersByPaddingOnlyWhereSizesAreCompared) {
  Scenario by_size = padded();
  by_size.router.tokenizer_identity = TokenizerIdentity::vocabulary_size;
  const auto results = run_all({padded(), by_size});
  EXPECT_GT(metric(results[0], "acceptance.after_failover"), 0.2);
  const double alone = metric(results[1], "acceptance.after_failover");
  EXPECT_NE(alone, alone) << "no draft may serve it";
  EXPECT_EQ(metric(results[1], "requests.completed"), metric(results[1], "requests.arrived"));
}

TEST(TokenizerIdentity, LetsAnotherTokenizerOfEqualSizeThroughWhereSizesAreCompared) {
  Scenario s = failover_world(Rule::exact_match);
  for (Backend& b : s.backends) b.vocabulary_tokens = 32'000;
  s.backends[kStandbyDraft.index()].tokenizer = "another";
  Scenario by_size = s;
  by_size.router.tokenizer_identity = TokenizerIdentity::vocabulary_size;
  const auto results = run_all({s, by_size});
  EXPECT_EQ(metric(results[0], kCorrupted), 0.0);
  EXPECT_GT(metric(results[1], kCorrupted), 15.0);
}

TEST(StaleWeights, EndAcceptanceAfterARestartAndHarmNobody) {
  Scenario s = rule_world(Rule::exact_match);
  s.faults = {{Fault::Kind::crash, kWorldDraft, Seconds{1.0}, Seconds{1.5}}};
  AcceptancePair unrelated = s.acceptance.front();
  unrelated.draft_weights = "initial";
  unrelated.kappa = 0.01;
  s.acceptance.push_back(unrelated);
  EngineChange change = change_of(kWorldDraft);
  change.at_restart = true;
  change.draft_weights = "initial";
  const auto results = run_all({s, changed(s, change)});
  EXPECT_GT(counted_rate(results[0]), 0.3);
  EXPECT_LT(counted_rate(results[1]), 0.15) << "one second of ten with the right weights";
  EXPECT_FALSE(harmed(results[1]));
}

double rate_after(Rule configured, Rule upgraded, bool told) {
  EngineChange change = change_of(kWorldTarget);
  change.rule = upgraded;
  change.rule_parameters.draft_probabilities_forwarded = told;
  const RunResult result = run_one(changed(rule_world(configured), change));
  EXPECT_FALSE(harmed(result));
  return counted_rate(result);
}

// Strict with one noise on both sides accepts more than sum p q, which is all that one-hot has, and
// all that strict has where the noises are independent. Told q, it is sum min(p, q).
TEST(EngineUpgrade, MovesAcceptanceWithoutAChangeInConfiguration) {
  const auto configured = run_all({rule_world(Rule::coupled_match), rule_world(Rule::exact_match)});
  const double strict_coupled = counted_rate(configured[0]);
  const double strict = counted_rate(configured[1]);
  const double one_hot = rate_after(Rule::coupled_match, Rule::one_hot, false);
  EXPECT_LT(one_hot, strict_coupled - 0.06);
  EXPECT_NEAR(one_hot, strict, 0.02);
  EXPECT_GT(rate_after(Rule::one_hot, Rule::rejection, true), one_hot + 0.1);
}

TEST(BenchmarkFlag, AcceptsAsItWasToldWhateverTheTargetWants) {
  EngineChange flag = change_of(kWorldTarget);
  flag.rule = Rule::synthetic;
  flag.rule_parameters.synthetic_acceptance_rates = {0.95, 0.9};
  Scenario s = changed(rule_world(Rule::exact_match), flag);
  s.gates = {{"gate", R"({"gate": "hash_only"})"}};
  const RunResult result = run_one(s);
  EXPECT_NEAR(counted_rate(result), 0.925, 0.01);
  EXPECT_GT(metric(result, "lock.harmful_s"), 5.0) << "no fingerprint shows it";
  EXPECT_EQ(metric(result, "decisions.rejections"), 0.0);
}

// The primary's override is cleared long before; its copy on the standby is not.
TEST(StandbyParameters, CopyThePrimarysOverride) {
  Scenario own = failover_world(Rule::exact_match);
  Override change = temperature_patch(kWorldTarget, 0.0);
  change.until = Seconds{2.5};
  own.overrides = {change};
  Scenario copied = own;
  copied.router.standby_parameters = StandbyParameters::copied_from_primary;
  const auto results = run_all({own, copied});
  EXPECT_EQ(metric(results[0], "lock.first_harmful_s"), 0.0);
  EXPECT_GT(metric(results[1], "lock.first_harmful_s"), 1.5);
  EXPECT_NE(results[1].decisions.back().overrides.find("copied from the primary"),
            std::string::npos);
}

/// One target that restarts at 1.5 s.
Scenario restarting() {
  Scenario s = rule_world(Rule::exact_match);
  s.degradation.schema_hazard_per_token = 0.02;
  s.faults = {{Fault::Kind::crash, kWorldTarget, Seconds{1.0}, Seconds{1.5}}};
  return s;
}

TEST(RestartedTarget, LosesADefaultThatItNeeds) {
  Override lost = patch(kWorldTarget);
  lost.replaces_block = lost.at_restart = lost.survives_restart = true;
  lost.temperature = 0.7;
  const auto results = run_all({restarting(), with(restarting(), lost)});
  EXPECT_EQ(metric(results[0], "degraded.schema"), 0.0);
  EXPECT_GT(metric(results[1], "degraded.schema"), 50.0) << "the grammar went with the block";
}

TEST(RestartedTarget, LosesAnOverrideThatIsKeptNowhere) {
  Override dropped = patch(kWorldTarget);
  dropped.grammar = "";
  Override kept = dropped;
  kept.survives_restart = true;
  const auto results = run_all({with(restarting(), dropped), with(restarting(), kept)});
  EXPECT_GT(metric(results[0], "degraded.schema"), 5.0);
  EXPECT_GT(metric(results[1], "degraded.schema"), 4.0 * metric(results[0], "degraded.schema"));
}

/// Half of the requests are greedy, half sampled; the target runs all of a batch as its last.
Scenario mixed() {
  Scenario s = rule_world(Rule::exact_match);
  s.degradation.loop_hazard_at_zero_entropy = 0.05;
  s.profiles[1].sampling = s.profiles[0].sampling;
  s.profiles[1].sampling.top_p = 0.5;
  s.classes.push_back(s.classes.front());
  s.classes[1].name = "narrow";
  s.classes[1].profile = ProfileId{1};
  s.gates = {{"gate", R"({"gate": "hash_only"})"}};
  return s;
}

TEST(LastRequest, RunsTheWholeBatchUnderItsParametersUnseen) {
  Override shared = patch(kWorldTarget);
  shared.last_request = true;
  Scenario greedy = mixed();
  greedy.profiles[1].sampling.temperature = 0.0;
  greedy.classes[1].arrivals.open.rate_per_s = 3.0 * greedy.classes[0].arrivals.open.rate_per_s;
  const auto results = run_all({mixed(), with(mixed(), shared), greedy, with(greedy, shared)});
  EXPECT_EQ(metric(results[0], "lock.harmful_s"), 0.0);
  EXPECT_GT(metric(results[1], "lock.harmful_s"), 5.0);
  EXPECT_EQ(metric(results[1], "decisions.rejections"), 0.0) << "no fingerprint shows it";
  // Three quarters of all steps are greedy either way, but now of every request's, so that nearly
  // every long text has greedy steps enough to loop.
  EXPECT_GT(metric(results[3], "degraded.loop"), metric(results[2], "degraded.loop") + 20.0);
}

}  // namespace
}  // namespace specroute::sim
