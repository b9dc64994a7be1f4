// Instances know nothing of each other, and nothing that one says lasts for ever unless it says so.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/unit/router/all_gates.hpp"
#include "tests/unit/router/event_stream.hpp"
#include "tests/unit/router/random_host.hpp"

namespace specroute::router::test {
namespace {

/// The digest after an event: it counts the decisions too.
std::uint64_t state_after(Stream& stream, const AnyEvent& event) {
  static_cast<void>(stream.policy.on_record(event.head()));
  return stream.policy.digest();
}

std::vector<std::uint64_t> states_alone(const std::string& gate, const Story& story) {
  Stream stream(small_config(gate));
  std::vector<std::uint64_t> states;
  for (const AnyEvent& event : story) states.push_back(state_after(stream, event));
  return states;
}

/// Two of one gate, and the next gate between them, each with a story of its own.
TEST(Instances, AreIndependentWhereTheirEventsInterleave) {
  const auto gates = all_gates();
  for (std::size_t at = 0; at < gates.size(); ++at) {
    const std::vector<std::string> names{gates[at], gates[(at + 1) % gates.size()], gates[at]};
    std::vector<Story> stories;
    std::vector<Stream> together;
    for (std::uint64_t i = 0; i < names.size(); ++i) {
      stories.push_back(story_of(random_words(100 * at + i, 30)));
      together.emplace_back(small_config(names[i]));
    }
    std::vector<std::vector<std::uint64_t>> states(names.size());
    for (std::size_t step = 0; step < 400; ++step)
      for (std::size_t i = 0; i < names.size(); ++i)
        if (step < stories[i].size())
          states[i].push_back(state_after(together[i], stories[i][step]));
    for (std::size_t i = 0; i < names.size(); ++i) {
      ASSERT_LT(stories[i].size(), 400U);
      EXPECT_EQ(states[i], states_alone(names[i], stories[i])) << names[i];
    }
  }
}

/// No one-way trap: what is said until a date is said until one that comes. `low_threshold` copies
/// a public gate that is one, and says so with SRP_FOREVER.
TEST(Decisions, EndByThemselvesButForLowThresholdsNoDraft) {
  std::size_t dated = 0;
  std::size_t permanent = 0;
  for (const std::string& gate : all_gates()) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      Stream stream(small_config(gate));
      for (const AnyEvent& event : story_of(random_words(seed, 40))) {
        for (const srp_decision& said : stream.policy.on_record(event.head()).decisions) {
          if (said.h.type == SRP_HOLD || said.h.type == SRP_REBIND) continue;
          EXPECT_GT(said.valid_until, said.h.now) << gate;
          const bool trap = gate == "low_threshold" && said.h.type == SRP_NO_DRAFT;
          EXPECT_EQ(said.valid_until == SRP_FOREVER, trap) << gate;
          ++(trap ? permanent : dated);
        }
      }
    }
  }
  EXPECT_GT(dated, 1000U);
  EXPECT_GT(permanent, 0U);
}

}  // namespace
}  // namespace specroute::router::test
