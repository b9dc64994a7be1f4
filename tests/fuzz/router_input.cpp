#include "tests/fuzz/router_input.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "tests/unit/router/all_gates.hpp"

namespace specroute::fuzz {
namespace {

using router::test::AnyEvent;
using router::test::Story;

constexpr std::size_t kMostRecords = 300;

/// `number` written over the record at a multiple of four bytes.
void overwrite(AnyEvent& event, std::size_t at, std::uint64_t number, std::size_t size) {
  at = at * 4 % (event.bytes.size() - size);
  std::memcpy(event.bytes.data() + at, &number, size);
}

/// Numbers on which comparisons and sums turn.
std::uint64_t edge(std::uint64_t choice) {
  constexpr std::array<std::uint64_t, 10> kEdges{0,
                                                 1,
                                                 UINT64_MAX,
                                                 UINT64_MAX - 1,
                                                 std::uint64_t{1} << 40U,
                                                 (std::uint64_t{1} << 40U) - 1,
                                                 UINT32_MAX,
                                                 7,
                                                 0xffff,
                                                 1'000'000'000};
  return kEdges[choice % kEdges.size()];
}

AnyEvent garbage(ByteReader& in) {
  AnyEvent event;
  for (std::size_t at = 0; at < event.bytes.size() && !in.empty(); at += 8)
    overwrite(event, at / 4, in.number(8), 8);
  auto& head = event.as<srp_record>();
  head.type = static_cast<std::uint16_t>(head.type % 12);
  return event;
}

}  // namespace

std::uint64_t ByteReader::number(std::size_t size) {
  std::uint64_t read = 0;
  const std::size_t there = std::min(size, rest_.size());
  if (there != 0) std::memcpy(&read, rest_.data(), there);
  rest_.remove_prefix(there);
  return read;
}

std::string configuration(ByteReader& in) {
  static const std::vector<std::string> gates = router::test::all_gates();
  const std::string& gate = gates[in.number(1) % gates.size()];
  const auto choice = in.number(1);
  std::string json = router::test::small_config(gate, 1 + static_cast<int>(choice % 2));
  json.pop_back();
  if (choice / 2 % 2 != 0) json += R"(, "mode": "shadow")";
  if (choice / 4 % 2 != 0) json += R"(, "min_drafted": )" + std::to_string(1 + in.number(2));
  return json + "}";
}

Story records(ByteReader& in) {
  Story story;
  router::test::RandomHost host(story);
  while (!in.empty() && story.size() < kMostRecords) {
    const auto kind = in.number(1);
    if (kind >= 232) {
      story.push_back(garbage(in));
    } else {
      host.scene(in.number(8));
      if (kind >= 160) overwrite(story.back(), in.number(1), in.number(8), 8);
      if (kind >= 200)
        overwrite(story.back(), in.number(1), edge(in.number(1)), kind % 2 == 0 ? 4 : 8);
    }
  }
  return story;
}

}  // namespace specroute::fuzz
