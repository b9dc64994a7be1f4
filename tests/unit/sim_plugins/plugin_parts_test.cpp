#include <gtest/gtest.h>

#include "sim/plugins/decision_rules.hpp"
#include "sim/plugins/event_text.hpp"
#include "sim/plugins/words_of_command.hpp"

namespace specroute::sim {
namespace {

using Words = std::vector<std::string>;

TEST(WordsOfCommand, SplitsAtBlanksAndKeepsQuotedOnes) {
  EXPECT_EQ(words_of_command("python3  my_gate.py\t-x"), (Words{"python3", "my_gate.py", "-x"}));
  EXPECT_EQ(words_of_command("a 'b c' \"d e\"f"), (Words{"a", "b c", "d ef"}));
  EXPECT_EQ(words_of_command(R"(a\ b 'c\d' "e\"f" '')"), (Words{"a b", "c\\d", "e\"f", ""}));
  EXPECT_EQ(words_of_command("  "), Words{});
}

TEST(WordsOfCommand, ExpandsNothing) {
  EXPECT_EQ(words_of_command("echo $HOME *;ls"), (Words{"echo", "$HOME", "*;ls"}));
}

TEST(WordsOfCommand, RefusesAQuoteThatIsNotClosed) {
  EXPECT_EQ(words_of_command("a 'b"), std::nullopt);
  EXPECT_EQ(words_of_command("a \"b\\\""), std::nullopt);
}

TEST(EventText, NamesEveryType) {
  EXPECT_STREQ(event_type_text(SRP_EV_CANDIDATE), "candidate");
  EXPECT_STREQ(event_type_text(SRP_EV_TICK), "tick");
  EXPECT_STREQ(event_type_text(SRP_EV_TICK + 1), "unknown");
  EXPECT_EQ(seconds_text(Seconds{0.25}), "0.25");
  EXPECT_EQ(seconds_text(Seconds{10.0}), "10");
}

/// Rules that know pairing 3 with profile 1, at a window at 5 s.
DecisionRules rules_at_window() {
  DecisionRules rules;
  srp_ev_bind bind{};
  bind.h = {
      .size = sizeof(bind), .type = SRP_EV_BIND, .flags = 0, .now = 1, .seq = 1, .pairing = 3};
  bind.profile.id = 1;
  rules.note(bind.h);
  rules.note({.size = sizeof(srp_record),
              .type = SRP_EV_TICK,
              .flags = 0,
              .now = 5'000'000'000,
              .seq = 2,
              .pairing = 0});
  return rules;
}

srp_decision sound(std::uint16_t type) {
  srp_decision decision{};
  decision.h = {.size = sizeof(decision),
                .type = type,
                .flags = 0,
                .now = 5'000'000'000,
                .seq = 2,
                .pairing = 3};
  decision.id = 1;
  decision.profile = 1;
  if (type == SRP_LOCK || type == SRP_NO_DRAFT || type == SRP_QUARANTINE)
    decision.valid_until = 6'000'000'000;
  if (type == SRP_REBIND) decision.to.replace = SRP_REPLACE_DRAFT;
  return decision;
}

TEST(DecisionRules, TakeOneOfEveryType) {
  for (std::uint16_t type = SRP_HOLD; type <= SRP_QUARANTINE; ++type) {
    DecisionRules rules = rules_at_window();
    EXPECT_EQ(rules.fault(sound(type)), "") << type;
    EXPECT_EQ(rules.next_id(), 2U);
  }
}

TEST(DecisionRules, RefuseWhatNoHostCanCarryOut) {
  const auto fault = [](std::uint16_t type, auto spoil) {
    DecisionRules rules = rules_at_window();
    srp_decision decision = sound(type);
    spoil(decision);
    return rules.fault(decision);
  };
  EXPECT_EQ(fault(SRP_HOLD, [](srp_decision& d) { d.h.type = 0x105; }), "type 261 is no decision");
  EXPECT_EQ(fault(SRP_HOLD, [](srp_decision& d) { d.h.size = 8; }), "HOLD: size is 8, not 224");
  EXPECT_EQ(fault(SRP_HOLD, [](srp_decision& d) { d.h.now = 4; }),
            "HOLD: now and seq are not those of the event");
  EXPECT_EQ(fault(SRP_HOLD, [](srp_decision& d) { d.id = 0; }), "HOLD: id is 0 after 0");
  EXPECT_EQ(fault(SRP_HOLD, [](srp_decision& d) { d.profile = 2; }),
            "HOLD: pairing 3 with profile 2 was never bound");
  EXPECT_EQ(fault(SRP_HOLD, [](srp_decision& d) { d.valid_until = 6; }),
            "HOLD: valid_until is set, yet it never ends by itself");
  EXPECT_EQ(fault(SRP_HOLD, [](srp_decision& d) { d.wake_at = 5'000'000'000; }),
            "HOLD: wake_at is not after now");
  EXPECT_EQ(fault(SRP_HOLD, [](srp_decision& d) { d.reward_ppm = 1; }),
            "HOLD: reward_ppm is of a lock alone");
  EXPECT_EQ(fault(SRP_HOLD, [](srp_decision& d) { d.dry_run = 2; }), "HOLD: dry_run is 2");
  EXPECT_EQ(fault(SRP_LOCK, [](srp_decision& d) { d.reward_ppm = 1'000'001; }),
            "LOCK: reward_ppm is 1000001, outside of 0 to 1000000");
  EXPECT_EQ(fault(SRP_NO_DRAFT, [](srp_decision& d) { d.valid_until = 5'000'000'000; }),
            "NO_DRAFT: valid_until is not after now");
  EXPECT_EQ(fault(SRP_REBIND, [](srp_decision& d) { d.to.replace = 0; }),
            "REBIND: to.replace is 0, which is no side");
  EXPECT_EQ(fault(SRP_REBIND, [](srp_decision& d) { d.to.n_exclude = 9; }),
            "REBIND: to.n_exclude is 9, more than 8");
  EXPECT_EQ(fault(SRP_REBIND, [](srp_decision& d) { d.to.match = 32; }),
            "REBIND: to.match has bits that mean nothing");
  EXPECT_EQ(fault(SRP_REBIND, [](srp_decision& d) { d.to.match = SRP_FP_PARAMS; }),
            "REBIND: to.params_version is 0");
  EXPECT_EQ(fault(SRP_LOCK, [](srp_decision& d) { d.to.replace = 1; }),
            "LOCK: a side to replace is of a rebind alone");
}

TEST(DecisionRules, EndWhatWouldNeverEnd) {
  DecisionRules rules = rules_at_window();
  srp_decision decision = sound(SRP_HOLD);
  std::string fault;
  for (; fault.empty() && decision.id < 100'000; ++decision.id) fault = rules.fault(decision);
  EXPECT_EQ(fault, "decides without end: more than 10000 decisions on one date");
  EXPECT_EQ(decision.id, 10'002U);
}

}  // namespace
}  // namespace specroute::sim
