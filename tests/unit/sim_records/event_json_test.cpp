#include "sim/records/event_json.hpp"

#include <cstring>

#include <gtest/gtest.h>

#include "sim/json/diagnostics_text.hpp"
#include "sim/json/json_text.hpp"
#include "tests/unit/sim_records/random_records.hpp"

namespace specroute::sim {
namespace {

Result<EventRecord> read_event(const std::string& text) {
  const auto tree = parse_json(text, "e.json").value();
  return event_from_json({.value = &tree.root, .pointer = ""});
}

std::string faults_of(const std::string& text) {
  const auto result = read_event(text);
  return result.ok() ? "" : format_diagnostics(result.diagnostics());
}

template <class Record>
const Record& as(const EventRecord& record) {
  return reinterpret_cast<const Record&>(record.head());
}

template <class Record>
Record random_head(Dice& dice, std::uint16_t type) {
  Record record{};
  record.h = {.size = sizeof(Record),
              .type = type,
              .flags = 0,
              .now = dice.word(),
              .seq = dice.word(),
              .pairing = dice.word()};
  return record;
}

template <class Record>
void expect_round_trip(const Record& record) {
  const std::string text = write_json(event_to_json(record.h), kLine);
  const auto back = read_event(text);
  ASSERT_TRUE(back.ok()) << text << '\n' << format_diagnostics(back.diagnostics());
  ASSERT_EQ(back.value().storage.size() * 8, sizeof(Record));
  EXPECT_EQ(std::memcmp(&back.value().head(), &record, sizeof(Record)), 0) << text;
}

srp_ev_window random_window(Dice& dice) {
  auto window = random_head<srp_ev_window>(dice, SRP_EV_WINDOW);
  window.profile = dice.profile();
  window.draft = dice.side();
  window.target = dice.side();
  for (auto* field : {&window.from, &window.to, &window.steps, &window.drafted, &window.accepted,
                      &window.completions, &window.latency_p50_ns})
    *field = dice.word();
  window.positions = dice.below(SRP_MAX_POSITIONS + 1);
  for (std::uint32_t i = 0; i < window.positions; ++i) window.accepted_at[i] = dice.word();
  window.window_flags = dice.below(32);
  return window;
}

srp_ev_bind random_bind(Dice& dice) {
  auto bind = random_head<srp_ev_bind>(dice, SRP_EV_BIND);
  bind.profile = dice.profile();
  bind.draft = dice.side();
  bind.target = dice.side();
  bind.forward = dice.below(5);
  bind.rule = dice.half();
  bind.draft_tokens = dice.half();
  return bind;
}

srp_ev_candidate random_candidate(Dice& dice) {
  auto candidate = random_head<srp_ev_candidate>(dice, SRP_EV_CANDIDATE);
  candidate.side = dice.side();
  candidate.role = dice.below(5);
  candidate.available = dice.below(2);
  candidate.load_ppm = dice.number();
  candidate.profile = dice.word();
  return candidate;
}

srp_ev_failover random_failover(Dice& dice) {
  auto failover = random_head<srp_ev_failover>(dice, SRP_EV_FAILOVER);
  failover.from_backend = dice.word();
  failover.to_backend = dice.word();
  failover.to_incarnation = dice.word();
  failover.from_pairing = dice.word();
  failover.cause = dice.half();
  return failover;
}

srp_ev_sampling random_sampling(Dice& dice) {
  auto sampling = random_head<srp_ev_sampling>(dice, SRP_EV_SAMPLING);
  sampling.profile = dice.profile();
  sampling.side = dice.side();
  sampling.origin = dice.half();
  sampling.changed = dice.below(64);
  return sampling;
}

void expect_counts_round_trip(Dice& dice) {
  auto health = random_head<srp_ev_health>(dice, SRP_EV_HEALTH);
  for (auto* field : {&health.backend, &health.requests, &health.errors, &health.timeouts})
    *field = dice.word();
  expect_round_trip(health);
  auto quality = random_head<srp_ev_quality>(dice, SRP_EV_QUALITY);
  for (auto* field :
       {&quality.profile, &quality.sampled, &quality.looping, &quality.schema_invalid})
    *field = dice.word();
  expect_round_trip(quality);
  auto outcome = random_head<srp_ev_outcome>(dice, SRP_EV_OUTCOME);
  outcome.decision = dice.word();
  outcome.result = dice.below(6);
  expect_round_trip(outcome);
}

TEST(EventJson, BringsEveryEventBackByteForByte) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(seed);
    expect_round_trip(random_candidate(dice));
    expect_round_trip(random_bind(dice));
    expect_round_trip(random_head<srp_ev_unbind>(dice, SRP_EV_UNBIND));
    expect_round_trip(random_window(dice));
    expect_round_trip(random_failover(dice));
    expect_round_trip(random_sampling(dice));
    expect_counts_round_trip(dice);
    expect_round_trip(random_head<srp_ev_tick>(dice, SRP_EV_TICK));
  }
}

TEST(EventJson, SaysAWindowByName) {
  auto window = srp_ev_window{};
  window.h = {.size = sizeof(window),
              .type = SRP_EV_WINDOW,
              .flags = 0,
              .now = 12'250'000'000,
              .seq = 4,
              .pairing = 7};
  window.profile = {.id = 1, .required_v1 = 0xabc, .required_v2 = 0, .reserved = 0};
  window.draft.known = SRP_FP_TOKENIZER | SRP_FP_PARAMS;
  window.draft.provenance = SRP_LIVE;
  window.accepted_at[0] = 9;
  window.positions = 1;
  window.window_flags = SRP_WIN_STALE;
  const JsonValue json = event_to_json(window.h);
  const JsonNode node{.value = &json, .pointer = ""};
  EXPECT_EQ(node.text("type"), "window");
  EXPECT_EQ(write_json(*json.find("now_s"), kLine), "12.25");
  EXPECT_EQ(write_json(*json.find("profile"), kLine),
            R"({"id":1,"required_v1":"0000000000000abc","required_v2":"0000000000000000"})");
  EXPECT_EQ(write_json(*node.at("draft").value->find("known"), kLine), R"(["tokenizer","params"])");
  EXPECT_EQ(node.at("draft").text("provenance"), "live");
  EXPECT_EQ(write_json(*json.find("accepted_at"), kLine), "[9]");
  EXPECT_EQ(write_json(*json.find("window_flags"), kLine), R"(["stale"])");
}

TEST(EventJson, DefaultsToZeros) {
  const auto event = read_event(
      R"({"type":"window","now_s":1.5,"pairing":3,"profile":2,"drafted":100,"accepted":48})");
  ASSERT_TRUE(event.ok()) << format_diagnostics(event.diagnostics());
  srp_ev_window expected{};
  expected.h = {.size = sizeof(expected),
                .type = SRP_EV_WINDOW,
                .flags = 0,
                .now = 1'500'000'000,
                .seq = 0,
                .pairing = 3};
  expected.profile.id = 2;
  expected.drafted = 100;
  expected.accepted = 48;
  EXPECT_EQ(std::memcmp(&event.value().head(), &expected, sizeof(expected)), 0);
}

TEST(EventJson, TakesDatesInSecondsAndInNanoseconds) {
  EXPECT_EQ(read_event(R"({"type":"tick","now_s":3.000000001})").value().head().now,
            3'000'000'001U);
  EXPECT_EQ(read_event(R"({"type":"tick","now":3000000001})").value().head().now, 3'000'000'001U);
  EXPECT_EQ(read_event(R"({"type":"tick","now_s":7})").value().head().now, 7'000'000'000U);
  EXPECT_EQ(read_event(R"({"type":"tick","now_s":"forever"})").value().head().now, SRP_FOREVER);
  EXPECT_EQ(faults_of(R"({"type":"tick","now_s":3,"now":3000000000})"),
            "/now: expected one of \"now_s\" and this, not both, found 3000000000\n");
}

TEST(EventJson, TakesHashesAsDigitsAndAsIntegers) {
  const auto side = [](const std::string& tokenizer) {
    return as<srp_ev_candidate>(
               read_event(
                   R"({"type":"candidate","now_s":0,"role":"replace_draft","available":true,)"
                   R"("profile":1,"side":{"backend":1,"tokenizer":)" +
                   tokenizer + "}}")
                   .value())
        .side.tokenizer;
  };
  EXPECT_EQ(side("\"00000000000000ff\""), 255U);
  EXPECT_EQ(side("\"FF\""), 255U);
  EXPECT_EQ(side("255"), 255U);
  EXPECT_EQ(side("18446744073709551615"), UINT64_MAX);
}

TEST(EventJson, ReportsEveryFaultAtOnceWithTheNearestSpelling) {
  EXPECT_EQ(
      faults_of(R"({"type":"bind","now_s":-1,"pairing":1.5,"profile":{"id":1,"requird_v1":"0"},)"
                R"("draft":{"known":["tokeniser"],"provenance":"alive"},"forward":"logit",)"
                R"("draft_tokens":4294967296})"),
      "/draft/backend: expected an integer in [0, 18446744073709551615], found no such key\n"
      "/draft/known/0: expected one of \"tokenizer\", \"params\", \"kv\", \"mask\", \"model\", "
      "found \"tokeniser\"; did you mean \"tokenizer\"?\n"
      "/draft/provenance: expected one of \"claimed\", \"verified_at_bind\", \"live\", found "
      "\"alive\"; did you mean \"live\"?\n"
      "/draft_tokens: expected an integer in [0, 4294967295], found 4294967296\n"
      "/forward: expected one of \"tokens\", \"logits\", \"probs\", found \"logit\"; did you mean "
      "\"logits\"?\n"
      "/now_s: expected seconds in [0, 18446744073], or \"forever\", found -1\n"
      "/pairing: expected an integer in [0, 18446744073709551615], found 1.5\n"
      "/profile/requird_v1: found an unknown key; did you mean \"required_v1\"?\n"
      "/target: expected an object, found no such key\n");
}

TEST(EventJson, SaysAMissingKeyThatIsMisspeltOnlyOnce) {
  EXPECT_EQ(faults_of(R"({"type":"unbind","now_s":0,"paring":1})"),
            "/paring: found an unknown key; did you mean \"pairing\"?\n");
}

TEST(EventJson, RefusesATypeThatIsNoEvent) {
  EXPECT_EQ(faults_of(R"({"type":"windw"})").substr(0, 20), "/type: expected one ");
  EXPECT_NE(faults_of(R"({"type":"windw"})").find("did you mean \"window\"?"), std::string::npos);
  EXPECT_NE(faults_of(R"({"type":"lock"})"), "");
  EXPECT_EQ(faults_of("[]"), "expected an object, found an array of length 0\n");
}

TEST(EventJson, TakesNoMorePositionsThanTheRecordHolds) {
  std::string row = "1";
  for (int i = 1; i < SRP_MAX_POSITIONS; ++i) row += ",1";
  const auto window = [](const std::string& counts) {
    return R"({"type":"window","now_s":0,"pairing":1,"profile":1,"accepted_at":[)" + counts + "]}";
  };
  EXPECT_EQ(as<srp_ev_window>(read_event(window(row)).value()).positions, 16U);
  EXPECT_EQ(
      faults_of(window(row + ",1")),
      "/accepted_at: expected an array of at most 16 integers, found an array of length 17\n");
}

TEST(EventJson, SaysTypeAndSizeOfWhatItDoesNotKnow) {
  const srp_record odd{.size = 48, .type = 99, .flags = 0, .now = 1, .seq = 2, .pairing = 3};
  EXPECT_EQ(write_json(event_to_json(odd), kLine), R"({"type":99,"size":48})");
  const srp_record cut{.size = sizeof(srp_record),
                       .type = SRP_EV_WINDOW,
                       .flags = 0,
                       .now = 1,
                       .seq = 2,
                       .pairing = 3};
  EXPECT_EQ(write_json(event_to_json(cut), kLine), R"({"type":4,"size":32})");
}

}  // namespace
}  // namespace specroute::sim
