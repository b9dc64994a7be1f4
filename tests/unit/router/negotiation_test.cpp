// A host and a module that do not know the same minor version: what either has more is passed over,
// what either has less is refused or left alone, and an event's type is never an error.
#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "tests/unit/router/event_stream.hpp"

namespace specroute::router::test {
namespace {

constexpr std::string_view kValidity = R"({"gate": "validity"})";
constexpr std::string_view kWrong = R"({"gate": "validty"})";

/// A struct as a newer version may have it: longer by what this one does not know.
template <class Known>
struct Newer {
  Known known{};
  std::array<unsigned char, 24> more{};
};

std::int32_t create_with(const srp_host& host) {
  srp_policy* made = nullptr;
  const auto status =
      linked_module().create(&host, {kValidity.data(), kValidity.size()}, &made, nullptr);
  linked_module().destroy(made);
  return status;
}

TEST(Negotiation, ServesAHostWhoseTableIsLonger) {
  Newer<srp_host> newer{.known = heap_host()};
  newer.more.fill(0xff);
  newer.known.struct_size = sizeof newer;
  newer.known.abi = SRP_ABI_V1 + 3;
  EXPECT_EQ(create_with(newer.known), SRP_OK);
}

TEST(Negotiation, RefusesAHostWhoseTableIsShorterThanVersionOne) {
  auto host = heap_host();
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{8}, sizeof host - 8, sizeof host - 1}) {
    host.struct_size = static_cast<std::uint32_t>(size);
    EXPECT_EQ(create_with(host), SRP_E_ABI) << size;
  }
}

TEST(Negotiation, WritesNothingIntoAnErrorThatIsTooShort) {
  std::array<char, 64> text{};
  srp_error older{};
  older.struct_size = sizeof older - 4;
  older.cap = text.size();
  older.buf = text.data();
  older.len = older.config_offset = 77;
  EXPECT_EQ(linked_module().validate({kWrong.data(), kWrong.size()}, &older), SRP_E_CONFIG);
  EXPECT_EQ(older.len, 77U);
  EXPECT_EQ(older.config_offset, 77U);
  EXPECT_EQ(text[0], '\0');
}

TEST(Negotiation, WritesOnlyWhatItKnowsIntoALongerError) {
  std::array<char, 512> text{};
  Newer<srp_error> newer{};
  newer.more.fill(0xaa);
  newer.known.struct_size = sizeof newer;
  newer.known.cap = text.size();
  newer.known.buf = text.data();
  EXPECT_EQ(linked_module().validate({kWrong.data(), kWrong.size()}, &newer.known), SRP_E_CONFIG);
  EXPECT_EQ(newer.known.config_offset, 9U);
  EXPECT_GT(newer.known.len, 0U);
  for (const auto byte : newer.more) EXPECT_EQ(byte, 0xaa);
}

/// Sends the record as it is, and as a newer host would; both policies must hear the same.
template <class Event>
void expect_served_alike(const Event& event) {
  auto same = Stream::after_failover("validity");
  auto newer = Stream::after_failover("validity");
  Newer<Event> longer{.known = event};
  longer.more.fill(0xff);
  longer.known.h.size = sizeof longer;
  EXPECT_EQ(newer.send(longer.known), same.send(event)) << event.h.type;
  EXPECT_EQ(newer.policy.digest(), same.policy.digest()) << event.h.type;
  ASSERT_EQ(newer.last.size(), same.last.size()) << event.h.type;
  if (!same.last.empty()) {
    EXPECT_EQ(
        std::memcmp(newer.last.data(), same.last.data(), same.last.size() * sizeof(srp_decision)),
        0)
        << event.h.type;
  }
}

TEST(Negotiation, TakesALongerRecordOfEveryTypeForTheOneItKnows) {
  auto candidate = event<srp_ev_candidate>(SRP_EV_CANDIDATE, 101, 0);
  candidate.side = side(20, kWanted, SRP_LIVE);
  candidate.role = SRP_REPLACE_DRAFT;
  candidate.available = 1;
  candidate.profile = kProfile;
  expect_served_alike(candidate);
  expect_served_alike(bind(101, 3, kDraft, kNewTarget));
  expect_served_alike(event<srp_ev_unbind>(SRP_EV_UNBIND, 101, 2));
  auto stale = window(101, 2, 943);
  stale.draft = side(kDraft, kStale, SRP_LIVE);
  expect_served_alike(stale);
  expect_served_alike(failover(101, 2, 3));
  auto changed = event<srp_ev_sampling>(SRP_EV_SAMPLING, 101, 0);
  changed.profile = profile();
  changed.side = side(kDraft, kStale, SRP_LIVE);
  expect_served_alike(changed);
  expect_served_alike(health(101, kNewTarget, 10, 3));
  expect_served_alike(quality(101, 2, 10, 3));
  expect_served_alike(outcome(101, 1, SRP_DONE));
  expect_served_alike(tick(101));
}

TEST(Negotiation, IgnoresEveryTypeItDoesNotKnow) {
  auto stream = Stream::after_failover("validity");
  const auto before = stream.policy.digest();
  for (std::uint32_t type = 0; type <= UINT16_MAX; ++type) {
    if (type >= SRP_EV_CANDIDATE && type <= SRP_EV_TICK) continue;
    // Decisions, which may stand in the same trace, among them; and dates that go back.
    const auto unknown = event<srp_ev_tick>(static_cast<std::uint16_t>(type), 1, 0);
    ASSERT_EQ(stream.send(unknown), SRP_IGNORED) << type;
  }
  EXPECT_EQ(stream.policy.digest(), before);
}

TEST(Negotiation, ExplainsALongerDecisionAndRefusesAShorterOne) {
  auto stream = Stream::after_failover("none");
  stream.serve(100.1, 100.1, 943);
  ASSERT_EQ(stream.said.size(), 1U);
  Newer<srp_decision> newer{.known = stream.said[0]};
  newer.known.h.size = sizeof newer;
  EXPECT_EQ(stream.policy.explain(newer.known), stream.policy.explain(stream.said[0]));
  newer.known.h.size = sizeof(srp_decision) - 8;
  std::size_t need = 0;
  EXPECT_EQ(linked_module().explain(&newer.known, nullptr, 0, &need), SRP_E_ARG);
}

}  // namespace
}  // namespace specroute::router::test
