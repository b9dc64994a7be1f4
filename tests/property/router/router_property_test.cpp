#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "tests/unit/router/all_gates.hpp"
#include "tests/unit/router/event_stream.hpp"

namespace specroute::router::test {
namespace {

/// RapidCheck prints the seed and the counterexample; this makes its verdict GoogleTest's.
template <class Property>
void expect_holds(const std::string& claim, const Property& property) {
  EXPECT_TRUE(rc::check(claim, property));
}

/// The seed's rule transcribed a second time, from its prose: the reasons to reject, in any order.
std::int32_t transcribed(const srp_case& c) {
  const bool same_params = c.draft.params_v1 == c.target.params_v1;
  const bool spike = c.post_acceptance - c.pre_acceptance > 0.25;
  const bool places = c.draft.tokenizer == c.target.tokenizer &&
                      c.draft.kv_block_tokens == c.target.kv_block_tokens;
  const bool attributable = same_params || (c.forwarded_logits == 0 && !spike);
  return places && attributable ? SRP_LOCK : SRP_REBIND;
}

rc::Gen<double> any_rate() {
  return rc::gen::oneOf(
      rc::gen::map(rc::gen::inRange(0, 1001), [](int n) { return n / 1000.0; }),
      rc::gen::arbitrary<double>(),
      rc::gen::element(0.0, -0.0, 0.25, 1.0, std::numeric_limits<double>::quiet_NaN(),
                       std::numeric_limits<double>::infinity(),
                       -std::numeric_limits<double>::infinity()));
}

TEST(JudgeProperty, EqualsASecondTranscriptionOfTheSeed) {
  expect_holds("judge() is the seed's rule", [] {
    srp_case c{};
    const auto few = rc::gen::inRange(0, 2);
    c.draft = side(kDraft, static_cast<std::uint64_t>(*few), SRP_LIVE);
    c.target = side(kNewTarget, static_cast<std::uint64_t>(*few), SRP_LIVE);
    c.draft.tokenizer = *rc::gen::elementOf(std::vector<std::uint64_t>{11, 11, 11, 12});
    c.draft.kv_block_tokens = *rc::gen::elementOf(std::vector<std::uint32_t>{16, 16, 16, 32});
    c.pre_acceptance = *any_rate();
    c.post_acceptance = *any_rate();
    c.forwarded_logits = static_cast<std::uint32_t>(*few);
    RC_ASSERT(linked_module().judge(&c, nullptr, 0, nullptr) == transcribed(c));
  });
}

/// The gate `params_hash` on one full window is judge(), away from the exact boundary.
TEST(ParamsHashProperty, IsTheSeedsRuleOnWindows) {
  expect_holds("params_hash on a window equals judge()", [] {
    const auto forwards = static_cast<std::uint32_t>(*rc::gen::inRange(0, 2));
    const auto accepted = static_cast<std::uint64_t>(*rc::gen::inRange(0, 1001));
    const bool stale = *rc::gen::arbitrary<bool>();
    RC_PRE(accepted != 663U);
    auto stream = Stream::of_gate("params_hash");
    stream.fail_over(forwards == 0 ? SRP_FORWARD_TOKENS : SRP_FORWARD_LOGITS);
    stream.serve(100.1, 100.1, accepted, stale ? kStale : kWanted);
    srp_case c{};
    c.draft = side(kDraft, stale ? kStale : kWanted, SRP_LIVE);
    c.target = side(kNewTarget, kWanted, SRP_LIVE);
    c.pre_acceptance = 0.413;
    c.post_acceptance = static_cast<double>(accepted) / 1000.0;
    c.forwarded_logits = forwards;
    RC_ASSERT(static_cast<std::int32_t>(stream.type()) ==
              linked_module().judge(&c, nullptr, 0, nullptr));
  });
}

struct Step {
  std::uint64_t accepted = 0;
  std::uint64_t drafted = 0;
  std::uint64_t draft_params = kWanted;
  std::uint32_t known = kEverything;
  std::uint32_t provenance = SRP_LIVE;
  std::uint32_t flags = 0;
  std::uint64_t latency_ns = 0;
};

Step any_step() {
  Step step;
  step.drafted = static_cast<std::uint64_t>(*rc::gen::inRange(0, 3000));
  step.accepted =
      static_cast<std::uint64_t>(*rc::gen::inRange(0, static_cast<int>(step.drafted) + 1));
  step.draft_params = *rc::gen::elementOf(std::vector<std::uint64_t>{kWanted, kWanted, kStale});
  step.known = *rc::gen::elementOf(
      std::vector<std::uint32_t>{kEverything, kEverything, kEverything & ~2U, 0U});
  step.provenance =
      *rc::gen::elementOf(std::vector<std::uint32_t>{SRP_LIVE, SRP_LIVE, SRP_CLAIMED});
  step.flags = *rc::gen::elementOf(std::vector<std::uint32_t>{
      0U, 0U, 0U, SRP_WIN_PARTIAL, SRP_WIN_STALE, SRP_WIN_COUNTER_RESET, SRP_WIN_FROM_RATIO});
  step.latency_ns = static_cast<std::uint64_t>(*rc::gen::inRange(0, 1'000'000'000));
  return step;
}

std::vector<Step> any_steps(int most) {
  std::vector<Step> steps(static_cast<std::size_t>(*rc::gen::inRange(1, most)));
  for (auto& step : steps) step = any_step();
  return steps;
}

srp_ev_window window_of(const Step& step, double at) {
  auto seen = window(at, 2, step.accepted);
  seen.drafted = step.drafted;
  seen.draft = side(kDraft, step.draft_params, step.provenance);
  seen.draft.known = step.known;
  seen.target.provenance = step.provenance;
  seen.window_flags = step.flags;
  seen.latency_p50_ns = step.latency_ns;
  return seen;
}

TEST(ValidityProperty, NeverLocksWhatItCannotAttribute) {
  expect_holds("a LOCK follows a live, equal window, one cool-down after the fail-over", [] {
    Stream stream(R"({"gate": "validity", "cool_down_s": 5, "retry_s": 1, "no_draft_s": 1})");
    stream.fail_over(
        *rc::gen::elementOf(std::vector<std::uint32_t>{SRP_FORWARD_TOKENS, SRP_FORWARD_LOGITS}));
    const bool gains = *rc::gen::arbitrary<bool>();
    double at = 100;
    // What the engines themselves said last of the draft's parameters, kept by the test.
    std::uint64_t reported = 0;
    for (auto step : any_steps(40)) {
      at += 0.5;
      // Half of the streams are a gain with few disturbances, so that locks do occur.
      if (gains && *rc::gen::inRange(0, 20) != 0) step = Step{1000, 1000};
      stream.send(window_of(step, at));
      const bool counts = (step.flags & SRP_WIN_STALE) == 0;
      if (counts && step.provenance == SRP_LIVE && (step.known & SRP_FP_PARAMS) != 0)
        reported = step.draft_params;
      for (const auto& decision : stream.last) {
        if (decision.h.type != SRP_LOCK) continue;
        RC_TAG("locked");
        RC_ASSERT(reported == kWanted);
        RC_ASSERT(at >= 105.0);
        RC_ASSERT(decision.reward_ppm > 413'000 + 250'000);
      }
    }
  });
}

TEST(ValidityProperty, LatencyNeverChangesADecision) {
  expect_holds("the same windows with other latencies give the same bytes", [] {
    const std::string gate = *rc::gen::elementOf(std::vector<std::string>{
        "none", "delta_only", "hash_only", "cooldown_only", "params_hash", "validity",
        "validity_safe", "outlier", "error_breaker", "quality_probe"});
    auto one = Stream::of_gate(gate);
    auto other = Stream::of_gate(gate);
    one.fail_over();
    other.fail_over();
    double at = 100;
    for (auto step : any_steps(30)) {
      at += 20;
      one.send(window_of(step, at));
      step.latency_ns = static_cast<std::uint64_t>(*rc::gen::inRange(0, 1'000'000'000));
      other.send(window_of(step, at));
    }
    RC_ASSERT(one.policy.digest() == other.policy.digest());
    RC_ASSERT(one.said.size() == other.said.size());
  });
}

TEST(BaselineProperty, IsNeverMovedByAnInvalidWindow) {
  expect_holds("invalid windows leave the frozen baseline as it was", [] {
    auto stream = Stream::of_gate("validity");
    stream.send(bind(0, 1, kDraft, kOldTarget));
    double at = 60;
    std::uint64_t drafted = 0;
    std::uint64_t accepted = 0;
    for (const auto& step : any_steps(30)) {
      at += 1;
      auto seen = window(at, 1, step.accepted);
      seen.drafted = step.drafted;
      seen.target = side(kOldTarget, kWanted, SRP_LIVE);
      seen.draft = side(kDraft, step.draft_params, SRP_LIVE);
      stream.send(seen);
      // A rejected pairing may be silent in NO_DRAFT: here no candidate was ever asked for.
      if (step.draft_params != kWanted) continue;
      drafted += step.drafted;
      accepted += step.accepted;
    }
    RC_PRE(drafted > 0U);
    stream.send(failover(100, 1, 2));
    stream.send(bind(100, 2, kDraft, kNewTarget));
    stream.said.clear();
    stream.serve(100.1, 100.1, 0);
    RC_ASSERT(stream.said.size() == 1U);
    RC_ASSERT(stream.said[0].arg[2] == static_cast<std::int64_t>(accepted * 1'000'000 / drafted));
  });
}

TEST(SnapshotProperty, ARestoredPolicyHasTheSameFuture) {
  expect_holds("restore at any point changes nothing", [] {
    auto lived = Stream::of_gate("validity_safe");
    lived.fail_over();
    double at = 100;
    for (const auto& step : any_steps(20)) lived.send(window_of(step, at += 7));
    auto restored = Stream::of_gate("validity_safe");
    RC_ASSERT(restored.policy.restore(lived.policy.snapshot()) == SRP_OK);
    for (const auto& step : any_steps(20)) {
      at += 7;
      RC_ASSERT(lived.send(window_of(step, at)) == restored.send(window_of(step, at)));
      RC_ASSERT(lived.last.size() == restored.last.size());
    }
    RC_ASSERT(lived.policy.digest() == restored.policy.digest());
  });
}

/// Requests of the target or verdicts on the pairing, as the world might report them.
void send_outcomes(Stream& stream, double at, int kind, std::uint64_t total, std::uint64_t bad) {
  if (kind == 0) {
    stream.send(health(at, kNewTarget, total, bad));
  } else if (kind == 1) {
    stream.send(quality(at, 2, total, bad));
  } else {
    stream.send(tick(at));
  }
}

/// Of every gate that there is: a quarantine ends, and while it lasts nothing is said of the
/// pairing; restoring on the way changes nothing.
TEST(EveryGateProperty, EndsEachQuarantineAndSurvivesARestore) {
  expect_holds("a QUARANTINE has an end, silence until then, and a future that restores", [] {
    const auto names = all_gates();
    const std::string gate = *rc::gen::elementOf(names);
    auto lived = Stream::after_failover(gate);
    auto restored = Stream::of_gate(gate);
    RC_ASSERT(restored.policy.restore(lived.policy.snapshot()) == SRP_OK);
    double at = 100;
    srp_ns until = 0;
    for (const auto& step : any_steps(60)) {
      at += 3;
      const int kind = *rc::gen::inRange(0, 5);
      for (Stream* stream : {&lived, &restored}) {
        if (kind > 2)
          stream->send(window_of(step, at));
        else
          send_outcomes(*stream, at, kind, step.drafted, step.accepted);
      }
      RC_ASSERT(lived.policy.digest() == restored.policy.digest());
      for (const auto& decision : lived.last) {
        RC_ASSERT(decision.h.now >= until);
        if (decision.h.type != SRP_QUARANTINE) continue;
        RC_TAG("quarantined");
        RC_ASSERT(decision.valid_until > decision.h.now);
        RC_ASSERT(decision.valid_until <= decision.h.now + seconds(300));
        until = decision.valid_until;
      }
    }
  });
}

}  // namespace
}  // namespace specroute::router::test
