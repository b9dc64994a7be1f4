#include "sim/records/decision_json.hpp"

#include <cstring>

#include <gtest/gtest.h>

#include "sim/json/diagnostics_text.hpp"
#include "sim/json/json_text.hpp"
#include "tests/unit/sim_records/random_records.hpp"

namespace specroute::sim {
namespace {

const srp_module& library() {
  return *srp_module_get(SRP_ABI_V1);
}

Result<srp_decision> read_decision(const std::string& text) {
  const auto tree = parse_json(text, "d.json").value();
  return decision_from_json({.value = &tree.root, .pointer = ""});
}

srp_decision random_decision(Dice& dice) {
  srp_decision decision{};
  decision.h = {.size = sizeof(decision),
                .type = static_cast<std::uint16_t>(SRP_HOLD + dice.below(5)),
                .flags = 0,
                .now = dice.word(),
                .seq = dice.word(),
                .pairing = dice.word()};
  for (auto* field : {&decision.id, &decision.profile, &decision.valid_until, &decision.wake_at,
                      &decision.prefer_pairing})
    *field = dice.word();
  decision.gate = dice.half();
  decision.reason = dice.below(60);
  for (auto& number : decision.arg) number = dice.number();
  decision.reward_ppm = dice.number();
  decision.dry_run = dice.below(2);
  decision.to.replace = dice.below(3);
  if (decision.to.replace == SRP_KEEP_NONE) return decision;
  decision.to.required = dice.word();
  decision.to.keep_backend = dice.word();
  decision.to.match = dice.below(64);
  decision.to.params_version = dice.below(3);
  decision.to.n_exclude = dice.below(SRP_MAX_EXCLUDE + 1);
  for (std::uint32_t i = 0; i < decision.to.n_exclude; ++i) decision.to.exclude[i] = dice.word();
  return decision;
}

TEST(DecisionJson, BringsEveryDecisionBackByteForByte) {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(seed);
    const srp_decision decision = random_decision(dice);
    const std::string text = write_json(decision_to_json(decision, library()), kLine);
    const auto back = read_decision(text);
    ASSERT_TRUE(back.ok()) << text << '\n' << format_diagnostics(back.diagnostics());
    EXPECT_EQ(std::memcmp(&back.value(), &decision, sizeof(decision)), 0) << text;
  }
}

TEST(DecisionJson, SaysTypeReasonAndExplanationByName) {
  srp_decision decision{};
  decision.h = {.size = sizeof(decision),
                .type = SRP_NO_DRAFT,
                .flags = 0,
                .now = 1'000'000'000,
                .seq = 2,
                .pairing = 3};
  decision.gate = SRP_GATE_VALIDITY;
  decision.reason = 5;
  decision.valid_until = SRP_FOREVER;
  const JsonValue json = decision_to_json(decision, library());
  const JsonNode node{.value = &json, .pointer = ""};
  EXPECT_EQ(node.text("type"), "no_draft");
  EXPECT_EQ(node.text("reason"), "tokenizer_mismatch");
  EXPECT_EQ(node.text("valid_until_s"), "forever");
  EXPECT_EQ(node.at("wake_at_s").value->kind, JsonValue::Kind::null);
  EXPECT_EQ(node.at("to").value->kind, JsonValue::Kind::null);
  EXPECT_EQ(node.text("explain").value_or("").substr(0, 18), "validity: NO_DRAFT");
}

TEST(DecisionJson, NeedsATypeAPairingAndAProfile) {
  const auto decision = read_decision(R"({"type":"lock","pairing":3,"profile":1,"reason":"calm"})");
  ASSERT_TRUE(decision.ok()) << format_diagnostics(decision.diagnostics());
  EXPECT_EQ(decision.value().h.type, SRP_LOCK);
  EXPECT_EQ(decision.value().h.size, sizeof(srp_decision));
  const auto bare = read_decision(R"({"type":"lock"})");
  ASSERT_FALSE(bare.ok());
  EXPECT_EQ(format_diagnostics(bare.diagnostics()),
            "/pairing: expected an integer in [0, 18446744073709551615], found no such key\n"
            "/profile: expected an integer in [0, 18446744073709551615], found no such key\n");
}

TEST(DecisionJson, ReportsEveryFaultAtOnce) {
  const auto decision = read_decision(
      R"({"type":"rebind","pairing":3,"profile":1,"reason":5,"wakeat_s":1,"dry_run":1,)"
      R"("valid_until_s":true,"to":{"match":["params"],"exclude":[1,2,3,4,5,6,7,8,9]}})");
  ASSERT_FALSE(decision.ok());
  EXPECT_EQ(format_diagnostics(decision.diagnostics()),
            "/dry_run: expected true or false, found 1\n"
            "/reason: expected a string, found 5\n"
            "/to/exclude: expected an array of at most 8 integers, found an array of length 9\n"
            "/to/replace: expected one of \"keep_none\", \"replace_draft\", \"replace_target\", "
            "found no such key\n"
            "/valid_until_s: expected seconds in [0, 18446744073], or \"forever\", or null, found "
            "true\n"
            "/wakeat_s: found an unknown key; did you mean \"wake_at_s\"?\n");
}

TEST(DecisionJson, RefusesAnEvent) {
  const auto decision = read_decision(R"({"type":"window","pairing":3,"profile":1})");
  ASSERT_FALSE(decision.ok());
  EXPECT_EQ(decision.diagnostics().front().place, "/type");
}

}  // namespace
}  // namespace specroute::sim
