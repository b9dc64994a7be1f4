#include "router/recent.hpp"

#include <algorithm>

namespace specroute::router {
namespace {

constexpr std::uint64_t kSlots = std::tuple_size_v<decltype(RecentTally::slots)>;

std::uint64_t slot_of(std::uint64_t now, std::uint64_t span_ns) {
  return 1 + now / (span_ns / kSlots);
}

}  // namespace

void count_recent(Tally& tally, Outcomes more, std::uint64_t now, std::uint64_t span_ns) {
  auto recent = read_tally<RecentTally>(tally);
  const std::uint64_t slot = slot_of(now, span_ns);
  const std::uint64_t passed = std::min(slot - std::min(recent.newest, slot), kSlots);
  for (std::uint64_t i = 0; i < passed; ++i) recent.slots[(slot - i) % kSlots] = Outcomes{};
  recent.newest = slot;
  Outcomes& held = recent.slots[slot % kSlots];
  held.total += more.total;
  held.bad += more.bad;
  while (held.total >= kMostOfSlot) {
    held.total /= 2;
    held.bad /= 2;
  }
  tally = write_tally(recent);
}

Outcomes recent_outcomes(const Tally& tally, std::uint64_t now, std::uint64_t span_ns) {
  const auto recent = read_tally<RecentTally>(tally);
  const std::uint64_t slot = slot_of(now, span_ns);
  Outcomes sum;
  for (std::uint64_t age = slot - std::min(recent.newest, slot); age < kSlots; ++age) {
    if (age >= slot) break;  // before the first slot
    const Outcomes& held = recent.slots[(slot - age) % kSlots];
    sum.total += held.total;
    sum.bad += held.bad;
  }
  return sum;
}

}  // namespace specroute::router
