#include "tests/fuzz/router_promises.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <specroute/router/acceptance.hpp>
#include <specroute/vocab/check.hpp>

namespace specroute::fuzz {
namespace {

using router::test::AnyEvent;

constexpr std::size_t kRoom = 2 * sizeof(srp_decision);

bool changes_nothing(std::int32_t status) {
  return status == SRP_IGNORED || status == SRP_E_ARG || status == SRP_E_TIME ||
         status == SRP_E_STATE;
}

void check_dates(const srp_record& event, const srp_decision& said) {
  const bool lasts =
      said.h.type == SRP_LOCK || said.h.type == SRP_NO_DRAFT || said.h.type == SRP_QUARANTINE;
  check(lasts ? said.valid_until > event.now : said.valid_until == 0,
        "LOCK, NO_DRAFT and QUARANTINE end, and only they have a date");
  check(said.valid_until != SRP_FOREVER ||
            (said.h.type == SRP_NO_DRAFT && said.gate == SRP_GATE_LOW_THRESHOLD),
        "nothing but low_threshold's NO_DRAFT is permanent");
  check(said.wake_at == 0 || said.wake_at > event.now, "a tick is asked for in the future");
}

void check_constraint(const srp_decision& said) {
  const srp_constraint& to = said.to;
  if (said.h.type != SRP_REBIND) {
    const srp_constraint none{};
    check(std::memcmp(&to, &none, sizeof to) == 0, "only a REBIND has a constraint");
    return;
  }
  check(to.replace == SRP_REPLACE_DRAFT || to.replace == SRP_REPLACE_TARGET,
        "a REBIND says which side goes");
  check(to.n_exclude >= 1 && to.n_exclude <= SRP_MAX_EXCLUDE, "the side that goes is excluded");
  check(to.match < 2 * SRP_FP_MODEL, "a match is of known bits");
  check(to.params_version <= 2, "hashes have two versions");
  check(((to.match & SRP_FP_PARAMS) != 0) == (to.params_version != 0), "a required hash has one");
}

}  // namespace

srp_host Lender::table() {
  srp_host host{};
  host.struct_size = sizeof host;
  host.abi = SRP_ABI_V1;
  host.ctx = this;
  host.alloc = [](void* ctx, std::size_t size, std::size_t align) -> void* {
    auto& self = *static_cast<Lender*>(ctx);
    check(!self.hot, "no memory is asked for while an event is served");
    if (size > self.most) return nullptr;
    return std::aligned_alloc(align, (size + align - 1) / align * align);
  };
  host.free = [](void* ctx, void* block, std::size_t, std::size_t) {
    check(!static_cast<Lender*>(ctx)->hot, "no memory is given back while an event is served");
    std::free(block);
  };
  return host;
}

bool Reply::same_as(const Reply& other) const {
  return status == other.status && decisions.size() == other.decisions.size() &&
         (decisions.empty() || std::memcmp(decisions.data(), other.decisions.data(),
                                           decisions.size() * sizeof(srp_decision)) == 0);
}

PromisedPolicy::PromisedPolicy(const std::string& config)
    : module_(&router::linked_module()), next_id_(1) {
  const srp_host host = lender_.table();
  check(module_->create(&host, {config.data(), config.size()}, &policy_, nullptr) == SRP_OK,
        "a valid configuration makes an instance");
  digest_ = digest();
}

PromisedPolicy::~PromisedPolicy() {
  module_->destroy(policy_);
}

void PromisedPolicy::check_decision(const srp_record& event, const srp_decision& said) {
  check(said.h.size == sizeof said && said.h.type >= SRP_HOLD && said.h.type <= SRP_QUARANTINE &&
            said.h.flags == 0 && said.reserved == 0,
        "a decision is a record of this ABI");
  check(said.h.now == event.now && said.h.seq == event.seq, "a decision is its event's");
  check(next_id_ == 0 || said.id == next_id_, "decisions are counted one by one");
  next_id_ = said.id + 1;
  check(module_->reason_code(said.reason).len != 0, "a reason has a name");
  check(said.dry_run <= 1, "a dry run or not");
  const bool locks = said.h.type == SRP_LOCK;
  check(locks ? said.reward_ppm >= 0 && said.reward_ppm <= 1'000'000 : said.reward_ppm == 0,
        "a reward is a rate, of a LOCK alone");
  check(said.prefer_pairing == (locks ? said.h.pairing : 0), "a LOCK prefers its own pairing");
  check_dates(event, said);
  check_constraint(said);
  std::array<char, 2048> text{};
  check(module_->explain(&said, text.data(), text.size(), nullptr) == SRP_OK,
        "a decision can be explained");
}

Reply PromisedPolicy::send_once(const AnyEvent& event, std::size_t room) {
  alignas(8) std::array<std::byte, kRoom> out{};
  std::size_t used = SIZE_MAX;
  lender_.hot = true;
  Reply reply;
  reply.status = module_->on_event(policy_, &event.head(), out.data(), room, &used);
  lender_.hot = false;
  check(used <= room && used % sizeof(srp_decision) == 0, "decisions are whole, and within room");
  reply.decisions.resize(used / sizeof(srp_decision));
  if (used != 0) std::memcpy(reply.decisions.data(), out.data(), used);
  return reply;
}

void PromisedPolicy::check_small_room(const AnyEvent& event) {
  const Reply reply = send_once(event, kRoom - 1);
  check(reply.decisions.empty() && digest() == digest_, "too small a buffer changes nothing");
  check(reply.status == SRP_E_SPACE || changes_nothing(reply.status), "which is said");
}

Reply PromisedPolicy::send(const AnyEvent& event) {
  if (event.head().seq % 16 == 0) check_small_room(event);
  Reply reply = send_once(event, kRoom);
  while (reply.status == SRP_E_SPACE) {
    check(event.head().type == SRP_EV_TICK, "only a tick is served in parts");
    const Reply more = send_once(event, kRoom);
    check(!more.decisions.empty() || more.status != SRP_E_SPACE, "a tick comes to its end");
    reply.status = more.status;
    reply.decisions.insert(reply.decisions.end(), more.decisions.begin(), more.decisions.end());
    if (more.status == SRP_IGNORED) reply.status = SRP_OK;
  }
  check(reply.status == SRP_OK || reply.status == SRP_E_FULL || changes_nothing(reply.status),
        "a code is one that the ABI has for events");
  const std::uint64_t before = std::exchange(digest_, digest());
  if (changes_nothing(reply.status))
    check(reply.decisions.empty() && digest_ == before, "what is refused changes nothing");
  for (const srp_decision& said : reply.decisions) check_decision(event.head(), said);
  return reply;
}

std::uint64_t PromisedPolicy::digest() const {
  return module_->state_digest(policy_);
}

std::vector<std::byte> PromisedPolicy::snapshot() const {
  std::size_t need = 0;
  check(module_->snapshot(policy_, nullptr, 0, &need) == SRP_E_SPACE, "a snapshot needs room");
  std::vector<std::byte> bytes(need);
  check(module_->snapshot(policy_, bytes.data(), need, nullptr) == SRP_OK, "which it asked for");
  return bytes;
}

bool PromisedPolicy::restore(const std::vector<std::byte>& bytes) {
  const std::uint64_t before = digest();
  std::array<char, 256> text{};
  srp_error error{sizeof error, static_cast<std::uint32_t>(text.size()), text.data(), 0, 0};
  const auto code = module_->restore(policy_, bytes.data(), bytes.size(), &error);
  if (code == SRP_OK) {
    next_id_ = 0;
    digest_ = digest();
    check(snapshot() == bytes, "what was restored is what a snapshot would say");
    return true;
  }
  check(code == SRP_E_STATE || (code == SRP_E_ARG && bytes.empty()), "a refusal has its code");
  check(error.len != 0 && error.len < text.size(), "and its words");
  check(digest() == before, "a refused snapshot changes nothing");
  return false;
}

}  // namespace specroute::fuzz
