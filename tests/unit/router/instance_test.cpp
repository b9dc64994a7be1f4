#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <vector>

#include "router/snapshot.hpp"
#include "tests/unit/router/all_gates.hpp"
#include "tests/unit/router/event_stream.hpp"
#include "tests/unit/router/random_host.hpp"

namespace {
/// While set, nothing in this program may take memory.
bool hot = false;
int taken_while_hot = 0;

void* take(std::size_t size) {
  if (hot) ++taken_while_hot;
  void* block = std::malloc(size == 0 ? 1 : size);
  if (block == nullptr) std::abort();
  return block;
}
}  // namespace

void* operator new(std::size_t size) {
  return take(size);
}
void* operator new[](std::size_t size) {
  return take(size);
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return take(size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return take(size);
}
void operator delete(void* block) noexcept {
  std::free(block);
}
void operator delete[](void* block) noexcept {
  std::free(block);
}
void operator delete(void* block, std::size_t) noexcept {
  std::free(block);
}
void operator delete[](void* block, std::size_t) noexcept {
  std::free(block);
}

namespace specroute::router::test {
namespace {

/// Counts what is lent; a call while hot is a failure.
struct CountingHost {
  std::size_t lent = 0;
  std::size_t blocks = 0;
  bool refuses = false;

  srp_host table() {
    srp_host host{};
    host.struct_size = sizeof host;
    host.abi = SRP_ABI_V1;
    host.ctx = this;
    host.alloc = [](void* ctx, std::size_t size, std::size_t align) -> void* {
      auto& self = *static_cast<CountingHost*>(ctx);
      if (hot) std::abort();
      if (self.refuses) return nullptr;
      self.lent += size;
      ++self.blocks;
      return std::aligned_alloc(align, (size + align - 1) / align * align);
    };
    host.free = [](void* ctx, void* block, std::size_t size, std::size_t) {
      if (hot) std::abort();
      static_cast<CountingHost*>(ctx)->lent -= size;
      std::free(block);
    };
    return host;
  }
};

constexpr std::string_view kValidity = R"({"gate": "validity"})";

TEST(Instance, TakesOneBlockFromTheHostAndGivesItBack) {
  CountingHost lender;
  {
    auto policy = Policy::create(linked_module(), kValidity, lender.table());
    ASSERT_TRUE(policy.ok());
    EXPECT_EQ(lender.blocks, 1U);
    EXPECT_GT(lender.lent, 0U);
  }
  EXPECT_EQ(lender.lent, 0U);
  lender.refuses = true;
  EXPECT_FALSE(Policy::create(linked_module(), kValidity, lender.table()).ok());
}

TEST(Instance, RefusesAHostOfAnotherVersion) {
  CountingHost lender;
  auto host = lender.table();
  srp_policy* policy = nullptr;
  const srp_str json{kValidity.data(), kValidity.size()};
  host.abi = 2U << 16U;
  EXPECT_EQ(linked_module().create(&host, json, &policy, nullptr), SRP_E_ABI);
  host.abi = SRP_ABI_V1;
  host.struct_size = 4;
  EXPECT_EQ(linked_module().create(&host, json, &policy, nullptr), SRP_E_ABI);
}

TEST(Instance, TakesNoMemoryWhileHot) {
  CountingHost lender;
  auto policy = Policy::create(linked_module(), kValidity, lender.table()).value();
  taken_while_hot = 0;
  hot = true;
  std::size_t decisions = policy.on_event(bind(0, 1, kDraft, kOldTarget)).decisions.size();
  decisions += policy.on_event(failover(1, 1, 2)).decisions.size();
  decisions += policy.on_event(bind(1, 2, kDraft, kNewTarget)).decisions.size();
  for (int i = 2; i < 100; ++i) {
    auto seen = window(i, 2, 943);
    if (i > 50) seen.draft = side(kDraft, kStale, SRP_LIVE);
    decisions += policy.on_event(seen).decisions.size();
  }
  hot = false;
  EXPECT_EQ(taken_while_hot, 0);
  EXPECT_GT(decisions, 1U);
}

/// Every gate, on stories with events of every type: those that are refused, too.
TEST(Instance, TakesNoMemoryWhileHotWhateverTheGate) {
  for (const std::string& gate : all_gates()) {
    std::size_t decisions = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const Story story = story_of(random_words(seed, 60));
      CountingHost lender;
      auto policy = Policy::create(linked_module(), small_config(gate), lender.table()).value();
      taken_while_hot = 0;
      hot = true;
      for (const AnyEvent& event : story)
        decisions += policy.on_record(event.head()).decisions.size();
      hot = false;
      EXPECT_EQ(taken_while_hot, 0) << gate;
    }
    EXPECT_GT(decisions, 100U) << gate;
  }
}

TEST(Instance, RefusesADateThatNeverComes) {
  auto stream = Stream::of_gate("cooldown_only");
  const auto before = stream.policy.digest();
  for (const srp_ns never : {SRP_FOREVER, SRP_FOREVER - 1}) {
    auto bound = bind(0, 1, kDraft, kNewTarget);
    bound.h.now = never;
    EXPECT_EQ(stream.send(bound), SRP_E_ARG);
    EXPECT_EQ(stream.policy.digest(), before);
  }
  auto bound = bind(0, 1, kDraft, kNewTarget);
  bound.h.now = SRP_FOREVER - 2;
  EXPECT_EQ(stream.send(bound), SRP_OK);
}

TEST(Instance, AnUnbindOfAPairingThatOnlyFailedOverIsNoneThatWasIgnored) {
  auto stream = Stream::of_gate("validity");
  stream.send(failover(1, 1, 2));
  EXPECT_EQ(stream.send(event<srp_ev_unbind>(SRP_EV_UNBIND, 2, 2)), SRP_OK);
  // The fail-over is forgotten: this is a bind like any.
  stream.send(bind(3, 2, kDraft, kNewTarget));
  stream.send(window(4, 2, 413));
  EXPECT_EQ(stream.reason(), "no_failover");
  EXPECT_EQ(stream.send(event<srp_ev_unbind>(SRP_EV_UNBIND, 5, 77)), SRP_IGNORED);
}

TEST(Instance, SurvivesHostileEvents) {
  auto stream = Stream::after_failover("validity");
  const auto before = stream.policy.digest();
  auto liar = window(101, 2, 1001);
  EXPECT_EQ(stream.send(liar), SRP_E_ARG);
  auto backwards = window(101, 2, 1);
  backwards.from = backwards.to + 1;
  EXPECT_EQ(stream.send(backwards), SRP_E_ARG);
  auto future = window(101, 2, 1);
  future.to = seconds(102);
  EXPECT_EQ(stream.send(future), SRP_E_ARG);
  auto huge = window(101, 2, 1);
  huge.drafted = UINT64_MAX;
  EXPECT_EQ(stream.send(huge), SRP_E_ARG);
  auto other = window(101, 2, 1);
  other.draft.backend = 99;
  EXPECT_EQ(stream.send(other), SRP_E_ARG);
  EXPECT_EQ(stream.send(window(99, 2, 1)), SRP_E_TIME);
  auto cut = window(101, 2, 1);
  cut.h.size = 40;
  EXPECT_EQ(stream.send(cut), SRP_E_ARG);
  cut.h.size = 3;
  EXPECT_EQ(stream.send(cut), SRP_E_ARG);
  EXPECT_EQ(stream.send(window(101, 77, 1)), SRP_IGNORED);
  EXPECT_EQ(stream.send(event<srp_ev_tick>(0x7777, 50, 0)), SRP_IGNORED);
  EXPECT_EQ(stream.send(bind(101, 2, kDraft, kNewTarget)), SRP_E_STATE);
  EXPECT_EQ(stream.send(outcome(101, 12345, SRP_DONE)), SRP_IGNORED);
  EXPECT_EQ(stream.policy.digest(), before);
  auto newer = window(101, 2, 413);
  newer.h.size += 64;  // a newer host's longer record
  EXPECT_EQ(stream.send(newer), SRP_OK);
}

TEST(Instance, ChangesNothingWhereTheBufferIsTooSmall) {
  auto policy = Policy::create(linked_module(), kValidity).value();
  const auto before = policy.digest();
  srp_host host = heap_host();
  srp_policy* raw = nullptr;
  ASSERT_EQ(linked_module().create(&host, {kValidity.data(), kValidity.size()}, &raw, nullptr),
            SRP_OK);
  const auto bound = bind(0, 1, kDraft, kNewTarget);
  std::size_t used = 1;
  EXPECT_EQ(linked_module().on_event(raw, &bound.h, nullptr, 0, &used), SRP_E_SPACE);
  EXPECT_EQ(used, 0U);
  EXPECT_EQ(linked_module().state_digest(raw), before);
  linked_module().destroy(raw);
}

TEST(Instance, EvictsThePairingHeardOfLongestAgo) {
  Stream stream(R"({"gate": "none", "max_pairings": 2})");
  stream.send(bind(0, 1, kDraft, kNewTarget));
  stream.send(bind(1, 2, kDraft, kNewTarget));
  stream.send(window(2, 1, 413));
  EXPECT_EQ(stream.send(bind(3, 3, kDraft, kNewTarget)), SRP_E_FULL);
  EXPECT_EQ(stream.send(window(4, 2, 413)), SRP_IGNORED);
  EXPECT_EQ(stream.send(window(4, 1, 413)), SRP_OK);
  EXPECT_EQ(stream.send(window(4, 3, 413)), SRP_OK);
}

TEST(Instance, MakesRoomFromEndedPairingsWithoutAWord) {
  Stream stream(R"({"gate": "none", "max_pairings": 2})");
  for (std::uint64_t pairing = 1; pairing < 50; ++pairing) {
    EXPECT_EQ(stream.send(bind(static_cast<double>(pairing), pairing, kDraft, kNewTarget)), SRP_OK);
    auto ended = event<srp_ev_unbind>(SRP_EV_UNBIND, static_cast<double>(pairing), pairing);
    EXPECT_EQ(stream.send(ended), SRP_OK);
  }
}

TEST(Instance, RestoredHasTheSameFuture) {
  auto lived = Stream::after_failover("validity");
  lived.serve(100.1, 200, 943);
  auto restored = Stream::of_gate("validity");
  ASSERT_EQ(restored.policy.restore(lived.policy.snapshot()), SRP_OK);
  ASSERT_EQ(restored.policy.digest(), lived.policy.digest());
  lived.said.clear();
  for (auto* stream : {&lived, &restored}) {
    stream->serve(201, 420, 943);
    stream->serve(421, 421, 943, kStale);
  }
  EXPECT_EQ(restored.policy.digest(), lived.policy.digest());
  ASSERT_EQ(restored.said.size(), lived.said.size());
  ASSERT_EQ(lived.said.size(), 2U);  // LOCK, REBIND
  EXPECT_EQ(std::memcmp(restored.said.data(), lived.said.data(), 2 * sizeof(srp_decision)), 0);
}

TEST(Instance, RefusesADamagedSnapshotAndKeepsItsState) {
  auto stream = Stream::after_failover("validity");
  auto bytes = stream.policy.snapshot();
  stream.serve(101, 120, 943);
  const auto before = stream.policy.digest();
  for (const std::size_t at : {std::size_t{0}, std::size_t{9}, std::size_t{33}, bytes.size() - 1}) {
    auto damaged = bytes;
    damaged[at] ^= std::byte{64};
    EXPECT_EQ(stream.policy.restore(damaged), SRP_E_STATE) << at;
  }
  EXPECT_EQ(stream.policy.restore(std::span(bytes).first(bytes.size() - 8)), SRP_E_STATE);
  auto other = Stream::of_gate("params_hash");
  EXPECT_EQ(other.policy.restore(bytes), SRP_E_STATE);
  EXPECT_EQ(stream.policy.digest(), before);
}

/// Damage that carries the right digest: what the state says is looked at, too.
TEST(Instance, RefusesASealedSnapshotThatCannotBe) {
  const srp_host host = heap_host();
  srp_policy* policy = nullptr;
  ASSERT_EQ(linked_module().create(&host, {kValidity.data(), kValidity.size()}, &policy, nullptr),
            SRP_OK);
  const auto bound = bind(1, 1, kDraft, kNewTarget);
  alignas(8) std::array<std::byte, 2 * sizeof(srp_decision)> out{};
  std::size_t used = 0;
  ASSERT_EQ(linked_module().on_event(policy, &bound.h, out.data(), out.size(), &used), SRP_OK);
  std::vector<std::byte> bytes(snapshot_bytes(*policy));
  write_snapshot(*policy, bytes.data());
  constexpr std::size_t kHeader = 48;
  const auto refusal = [&](std::size_t at, std::uint64_t value, std::size_t size) {
    auto damaged = bytes;
    std::memcpy(damaged.data() + at, &value, size);
    seal_snapshot(*policy, damaged.data(), damaged.size());
    return std::string(read_snapshot(*policy, damaged.data(), damaged.size()));
  };
  const std::string pairing = "the snapshot has a pairing that cannot be";
  EXPECT_EQ(refusal(16, SRP_FOREVER, 8), "the snapshot's clock or count cannot be");
  EXPECT_EQ(refusal(24, 0, 8), "the snapshot's clock or count cannot be");
  EXPECT_EQ(refusal(kHeader + offsetof(BindRow, baseline), 1, 4), pairing);
  EXPECT_EQ(refusal(kHeader + offsetof(BindRow, n_exclude), 9, 4), pairing);
  EXPECT_EQ(refusal(kHeader + offsetof(BindRow, grade), 4, 4), pairing);
  EXPECT_EQ(refusal(kHeader + offsetof(BindRow, unjudged), std::uint64_t{1} << 60U, 8), pairing);
  EXPECT_EQ(refusal(kHeader + offsetof(BindRow, latest) + 8, 1, 8), pairing);
  EXPECT_EQ(refusal(kHeader + sizeof(BindRow) + offsetof(Baseline, slots) + 16, 7, 8),
            "the snapshot has a baseline that cannot be");
  EXPECT_EQ(refusal(kHeader + offsetof(BindRow, wake_at), 12, 8), "");
  linked_module().destroy(policy);
}

TEST(Instance, ATickThatDoesNotFitIsServedInParts) {
  Stream stream(R"({"gate": "cooldown_only", "cool_down_s": 10})");
  for (std::uint64_t pairing = 1; pairing <= 100; ++pairing) {
    stream.send(bind(0, pairing, kDraft, kNewTarget));
    stream.send(window(0, pairing, 413));
  }
  EXPECT_EQ(stream.send(tick(10)), SRP_E_SPACE);
  EXPECT_EQ(stream.send(tick(10)), SRP_OK);
  EXPECT_EQ(stream.count(SRP_LOCK), 100U);
}

}  // namespace
}  // namespace specroute::router::test
