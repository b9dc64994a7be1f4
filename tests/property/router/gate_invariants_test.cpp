// The invariants of `validity`, held against every gate. docs/gate-invariants.md says what each
// breaks and how; UPDATE_GOLDEN=1 rewrites it.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/property/router/witness.hpp"
#include "tests/unit/router/all_gates.hpp"
#include "tests/unit/router/event_stream.hpp"

namespace specroute::router::test {
namespace {

constexpr std::uint64_t kStories = 240;
constexpr std::size_t kScenes = 60;

struct Column {
  const char* title;
  Invariant invariant;
};
constexpr std::array<Column, 3> kColumns{{
    {"rewards only what is attributed", rewards_only_attributed},
    {"discards invalid windows", discards_invalid_windows},
    {"ignores latency", ignores_latency},
}};

Subject subject_of(const std::string& gate, int version = 1) {
  return {small_config(gate, version), version, seconds(3)};
}

/// One cell of the table.
struct Outcome {
  std::map<std::string, std::uint64_t> faults;  ///< and how many stories showed each
  std::size_t rank = SIZE_MAX;
  std::string gravest;
  Story shown;  ///< the first that showed the gravest
  std::size_t locks = 0;
  std::size_t invalid_windows = 0;
  std::size_t off_profile = 0;
  std::size_t tempted = 0;
  std::size_t comparisons = 0;
  std::size_t abandoned = 0;
};

/// The stories of the page, made once.
const std::vector<Story>& stories() {
  static const std::vector<Story> made = [] {
    std::vector<Story> all;
    for (std::uint64_t seed = 1; seed <= kStories; ++seed)
      all.push_back(story_of(random_words(seed, kScenes)));
    return all;
  }();
  return made;
}

Outcome held_to(Invariant invariant, const Subject& subject) {
  Outcome outcome;
  for (const Story& story : stories()) {
    const Finding finding = invariant(subject, story);
    outcome.locks += finding.locks;
    outcome.invalid_windows += finding.invalid_windows;
    outcome.off_profile += finding.off_profile;
    outcome.tempted += finding.tempted;
    outcome.comparisons += finding.comparisons;
    outcome.abandoned += finding.abandoned;
    if (finding.fault.empty()) continue;
    if (finding.rank < outcome.rank) {
      outcome.rank = finding.rank;
      outcome.gravest = finding.fault;
      outcome.shown = story;
    }
    ++outcome.faults[finding.fault];
  }
  return outcome;
}

std::string cell(const Outcome& outcome) {
  std::string text;
  for (const auto& [fault, stories] : outcome.faults)
    text += (text.empty() ? "**broken**: " : "; ") + fault + " (" + std::to_string(stories) + ")";
  return text.empty() ? "holds" : text;
}

/// How much of what was to be compared was not; empty where all was.
std::string abandoned(const Outcome& outcome) {
  if (outcome.abandoned == 0) return {};
  return "; *abandoned*: " + std::to_string(outcome.abandoned) + " of " +
         std::to_string(outcome.comparisons);
}

std::string heading() {
  return "# What each gate rewards, remembers and reads\n\n"
         "Written by `router_property_test` (UPDATE_GOLDEN=1). Each gate is fed the same " +
         std::to_string(kStories) + " random stories of " + std::to_string(kScenes) +
         " scenes\n(`tests/unit/router/random_host.hpp`), and is held to three invariants "
         "(`tests/property/router/invariants.hpp`):\n\n"
         "- **rewards only what is attributed**: each LOCK is for acceptance of a pair whose "
         "fingerprints the engines reported\n  since they started, and which were equal, and those "
         "of the profile, in every window of one full cool-down, in which\n  there was no bind, "
         "fail-over, restart or time without drafts;\n"
         "- **discards invalid windows**: what is accepted while a pair is known to differ, from "
         "each other or from its profile,\n  or in a window that began before the pair was "
         "verified, changes nothing that is said at any other event;\n"
         "- **ignores latency**: stories that differ in latencies alone have the same decisions, "
         "byte for byte.\n\n"
         "Each story with invalid windows is compared with three that differ in them. A comparison "
         "is "
         "*abandoned* at the first of\nthese windows at which the gate acts otherwise, as it may: "
         "what follows it there was not compared.\n\n"
         "A number in brackets counts the stories whose gravest fault this was. `validity` and "
         "`validity_safe` hold all three;\nbelow the table is a story that shows each other gate "
         "at its gravest fault, made from the first that did by leaving\nout events until none "
         "could be spared.\n\n";
}

struct Page {
  std::ostringstream table;
  std::ostringstream witnesses;
};

void add_gate(const std::string& gate, Page& page) {
  const Subject subject = subject_of(gate);
  page.table << "| `" << gate << "` |";
  for (const Column& column : kColumns) {
    const Outcome outcome = held_to(column.invariant, subject);
    page.table << ' ' << cell(outcome) << abandoned(outcome) << " |";
    if (outcome.faults.empty()) continue;
    const Story story = shortest(column.invariant, subject, outcome.shown, outcome.gravest);
    page.witnesses << "\n### `" << gate << "` " << outcome.gravest << "\n\n```\n"
                   << tell_with_answers(subject, story) << "```\n";
  }
  page.table << '\n';
}

std::string make_page() {
  Page page;
  for (const std::string& gate : all_gates()) add_gate(gate, page);
  std::string text = heading() + "| gate |";
  for (const Column& column : kColumns) text += ' ' + std::string(column.title) + " |";
  return text + "\n|---|---|---|---|\n" + page.table.str() + "\n## Witnesses\n" +
         page.witnesses.str();
}

TEST(GateInvariants, AreThoseOfThePage) {
  const std::string path = std::string(SPECROUTE_SOURCE_DIR) + "/docs/gate-invariants.md";
  const std::string made = make_page();
  if (std::getenv("UPDATE_GOLDEN") != nullptr) std::ofstream(path, std::ios::binary) << made;
  std::ifstream in(path, std::ios::binary);
  std::ostringstream page;
  page << in.rdbuf();
  EXPECT_EQ(page.str(), made) << "UPDATE_GOLDEN=1 rewrites the page";
}

class Validity : public testing::TestWithParam<std::tuple<const char*, int>> {
 protected:
  [[nodiscard]] Subject subject() const {
    return subject_of(std::get<0>(GetParam()), std::get<1>(GetParam()));
  }
  /// `validity_safe` lets no pair off its profile rise: it serves without a draft.
  [[nodiscard]] static bool holds_what_rose() {
    return std::string_view(std::get<0>(GetParam())) == "validity";
  }
};

INSTANTIATE_TEST_SUITE_P(Gates, Validity,
                         testing::Combine(testing::Values("validity", "validity_safe"),
                                          testing::Values(1, 2)));

/// The fixed stories of the page: they hold, and they are not empty of what they are about.
TEST_P(Validity, HoldsEveryInvariantOnStoriesThatTryIt) {
  const Outcome rewards = held_to(rewards_only_attributed, subject());
  EXPECT_EQ(cell(rewards), "holds") << tell_with_answers(
      subject(), shortest(rewards_only_attributed, subject(), rewards.shown, rewards.gravest));
  EXPECT_GE(rewards.locks, 50U);
  std::cout << rewards.locks << " locks, " << rewards.off_profile << " windows off their profile, "
            << rewards.tempted << " rises there that were held\n";
  // Two sides that agree on the wrong parameters, and the rise that would have been rewarded.
  EXPECT_GE(rewards.off_profile, 500U);
  if (holds_what_rose()) {
    EXPECT_GE(rewards.tempted, 20U);
  }
  const Outcome discards = held_to(discards_invalid_windows, subject());
  EXPECT_EQ(cell(discards), "holds") << tell_with_answers(
      subject(), shortest(discards_invalid_windows, subject(), discards.shown, discards.gravest));
  EXPECT_GE(discards.invalid_windows, 1000U);
  EXPECT_EQ(cell(held_to(ignores_latency, subject())), "holds");
}

/// A LOCK says by how much acceptance rose over the baseline: by more than the threshold of 0.25,
/// to the reward.
TEST_P(Validity, RewardsNothingButARiseBeyondItsThreshold) {
  std::size_t locks = 0;
  for (const Story& story : stories()) {
    auto policy = Policy::create(linked_module(), subject().config).value();
    for (const AnyEvent& event : story) {
      for (const srp_decision& said : policy.on_record(event.head()).decisions) {
        if (said.h.type != SRP_LOCK) continue;
        ++locks;
        EXPECT_EQ(said.reward_ppm, said.arg[1]);
        EXPECT_EQ(said.arg[2], said.arg[3]);  // the params hashes
        EXPECT_GE(said.arg[0], 249'999);      // both rates are rounded down
      }
    }
  }
  EXPECT_GE(locks, 50U);
}

/// Stories that no one has seen before: RapidCheck prints the seed and the shrunk words.
TEST_P(Validity, HoldsEveryInvariantOnAnyStory) {
  const Subject held = subject();
  Finding seen;
  // Words of all sizes from the first: small ones, which RapidCheck begins with, are dull scenes.
  const auto any_word = rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint64_t>());
  EXPECT_TRUE(rc::check("no story breaks an invariant", [&held, &seen, &any_word] {
    const auto words = *rc::gen::container<std::vector<std::uint64_t>>(kScenes, any_word);
    const Story story = story_of(words);
    for (const Column& column : kColumns) {
      const Finding finding = column.invariant(held, story);
      seen.locks += finding.locks;
      seen.off_profile += finding.off_profile;
      seen.tempted += finding.tempted;
      RC_ASSERT(finding.fault == "");
    }
  }));
  // A property that never gets there proves nothing.
  std::cout << seen.locks << " locks, " << seen.off_profile << " windows off their profile, "
            << seen.tempted << " rises there that were held\n";
  EXPECT_GT(seen.locks, 0U);
  EXPECT_GT(seen.off_profile, 0U);
  if (holds_what_rose()) {
    EXPECT_GT(seen.tempted, 0U);
  }
}

/// Every type of event occurs, and every code with which one can be refused.
TEST(RandomHost, LeavesNoTypeOfEventOut) {
  std::set<int> types;
  std::set<std::int32_t> codes;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Stream fresh(small_config("validity"));
    for (const AnyEvent& event : story_of(random_words(seed, kScenes))) {
      types.insert(event.head().type);
      codes.insert(fresh.policy.on_record(event.head()).status);
    }
  }
  for (int type = SRP_EV_CANDIDATE; type <= SRP_EV_TICK; ++type)
    EXPECT_TRUE(types.contains(type)) << type;
  EXPECT_GT(types.size(), 10U);
  for (const std::int32_t code :
       {SRP_OK, SRP_IGNORED, SRP_E_ARG, SRP_E_TIME, SRP_E_STATE, SRP_E_FULL})
    EXPECT_TRUE(codes.contains(code)) << code;
}

}  // namespace
}  // namespace specroute::router::test
