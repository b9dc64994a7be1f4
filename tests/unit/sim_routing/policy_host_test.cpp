#include "sim/routing/policy_host.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/unit/sim_routing/small_fleet.hpp"

namespace specroute::sim {
namespace {

TEST(PolicyHost, RoundsDatesToTheNearestNanosecond) {
  EXPECT_EQ(to_nanoseconds(Seconds{0.0}), 0U);
  EXPECT_EQ(to_nanoseconds(Seconds{1.4e-9}), 1U);
  EXPECT_EQ(to_nanoseconds(Seconds{1.5e-9}), 2U);
  EXPECT_TRUE(std::isinf(to_seconds(SRP_FOREVER).count()));
}

// There and back takes three roundings of 2^-53 each (the factor 1e-9 and two
// products), less than half a nanosecond in all up to 2^53 / 6 ns, 17 days:
// until then no wake-up is early.
TEST(PolicyHost, DatesComeBackAsTheyWent) {
  constexpr srp_ns kSeventeenDays = 17ULL * 86'400 * 1'000'000'000;
  for (srp_ns start = 1; start < 100; ++start)
    for (srp_ns date = start; date < kSeventeenDays; date = date * 3 + 7)
      EXPECT_EQ(to_nanoseconds(to_seconds(date)), date);
}

TEST(PolicyHost, RefusesAConfigurationWithTheModulesWords) {
  const auto host = PolicyHost::create(module(), "mine", R"({"gate": "nonne"})");
  ASSERT_FALSE(host.ok());
  EXPECT_EQ(host.diagnostics()[0].place, "/gates/mine");
  EXPECT_NE(host.diagnostics()[0].found, "");
  EXPECT_FALSE(validate_policy(module(), "/gates/mine", R"({"gate": "nonne"})").empty());
  EXPECT_TRUE(validate_policy(module(), "/gates/mine", R"({"gate": "none"})").empty());
}

srp_side known_side(std::uint64_t backend) {
  srp_side side{};
  side.backend = backend;
  side.tokenizer = side.params_v1 = side.params_v2 = side.model = 1;
  side.kv_block_tokens = 16;
  side.known = 31;
  side.provenance = SRP_LIVE;
  return side;
}

/// Binds `count` pairings at one date and shows each one window: all wait for
/// one cool-down.
void bind_many(PolicyHost& host, std::uint64_t count, std::vector<srp_decision>& out) {
  for (std::uint64_t p = 1; p <= count; ++p) {
    srp_ev_bind bind{};
    bind.profile.id = 1;
    bind.draft = known_side(2 * p);
    bind.target = known_side(2 * p + 1);
    host.send(bind, SRP_EV_BIND, Seconds{1.0}, p, out);
  }
  for (std::uint64_t p = 1; p <= count; ++p) {
    srp_ev_window window{};
    window.profile.id = 1;
    window.draft = known_side(2 * p);
    window.target = known_side(2 * p + 1);
    window.drafted = 1000;
    window.accepted = 400;
    window.from = window.to = to_nanoseconds(Seconds{2.0});
    host.send(window, SRP_EV_WINDOW, Seconds{2.0}, p, out);
  }
}

// 200 rows wake at once and every one has something to say: more than one
// buffer holds.
TEST(PolicyHost, SendsATickAgainUntilAllIsSaid) {
  auto host = PolicyHost::create(module(), "g", R"({"gate": "cooldown_only", "cool_down_s": 3})");
  ASSERT_TRUE(host.ok());
  PolicyHost policy = std::move(host).value();
  std::vector<srp_decision> decisions;
  bind_many(policy, 200, decisions);
  ASSERT_EQ(decisions.size(), 200U);  // HOLD, each with a wake-up at 1 + 3 s
  EXPECT_EQ(decisions[0].wake_at, to_nanoseconds(Seconds{4.0}));
  decisions.clear();
  srp_ev_tick tick{};
  policy.send(tick, SRP_EV_TICK, Seconds{4.0}, 0, decisions);
  ASSERT_EQ(decisions.size(), 200U);
  for (const srp_decision& d : decisions) EXPECT_EQ(d.h.type, SRP_LOCK);
  EXPECT_EQ(policy.reason(decisions[0]), "cool_down_over");
  EXPECT_FALSE(policy.explain(decisions[0]).empty());
}

}  // namespace
}  // namespace specroute::sim
