// The incident of 2026-11-06 as its engines' metrics told it: the sample of docs/replay.md.
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>

#include <specroute/router/decision_name.hpp>

#include "tests/unit/sim_replay/replay_text.hpp"

namespace specroute::sim {
namespace {

std::string sample(const std::string& name) {
  std::ifstream stream(SPECROUTE_SOURCE_DIR "/scenarios/telemetry/" + name);
  return {std::istreambuf_iterator<char>(stream), {}};
}

Replay played(const std::vector<std::string>& names, const std::string& mapping_text) {
  const Mapping mapping = mapping_of(mapping_text);
  ReplayInput input;
  for (const std::string& name : names) input.files.push_back({name, sample(name)});
  input.mapping = &mapping;
  input.gates = {gate_of("none"), gate_of("validity")};
  auto done = replay(std::move(input));
  EXPECT_TRUE(done.ok()) << (done.ok() ? "" : to_string(done.diagnostics().front()));
  return std::move(done).value();
}

/// The first decision of a gate after the fail-over.
const srp_decision& first_after(const Replay& replay, std::size_t gate) {
  return replay.summaries[gate].first_after.at(0)->decision;
}

// The fail-over is at 08:15:07; the scrape of 08:15:15 began before it, so 08:15:30 is the first
// window of the new pairing. It drafted 3,000 tokens and more: enough to be judged.
TEST(IncidentReplay, LocksUnderNoneAndRebindsUnderValidity) {
  const Replay replay = played({"h100-03.prom", "h100-07.prom"}, sample("mapping.json"));
  ASSERT_EQ(replay.script.handovers.size(), 1U);
  const UnixTime judged = parse_date("2026-11-06T08:15:30Z").value();
  EXPECT_EQ(router::decision_name(first_after(replay, 0).h.type), "LOCK");
  EXPECT_EQ(first_after(replay, 0).h.now, judged);
  EXPECT_EQ(router::decision_name(first_after(replay, 1).h.type), "REBIND");
  EXPECT_EQ(first_after(replay, 1).h.now, judged);
  EXPECT_EQ(replay.summaries[1].locks, 0U);
  EXPECT_EQ(first_after(replay, 1).to.replace, SRP_REPLACE_DRAFT) << "the stale side";
  EXPECT_EQ(replay.script.windows.straddling, 1U);
}

TEST(IncidentReplay, ShowsAcceptanceRiseFrom41To94PerCent) {
  const Replay replay = played({"h100-03.prom", "h100-07.prom"}, sample("mapping.json"));
  ASSERT_EQ(replay.differences.size(), 2U);
  const auto rate = [](const Difference& one) {
    return static_cast<double>(one.accepted) / static_cast<double>(one.drafted);
  };
  EXPECT_NEAR(rate(replay.differences[0]), 0.41, 0.005);
  EXPECT_NEAR(rate(replay.differences[1]), 0.94, 0.005);
  EXPECT_EQ(format_date(replay.differences[1].from), "2026-11-06T08:15:30Z");
  EXPECT_EQ(format_date(replay.differences[1].to), "2026-11-06T08:23:00Z");
  EXPECT_EQ(replay.differences[1].windows, 31U);
}

// Fingerprints that were only claimed can reject too; what they cannot do is earn a lock.
TEST(IncidentReplay, HoldsWhereNobodyKnowsWhatTheDraftApplies) {
  std::string mapping = sample("mapping.json");
  const std::string stale = "\"sampling\": {\"temperature\": 0.0";
  const auto begin = mapping.find(",\n     " + stale);
  ASSERT_NE(begin, std::string::npos);
  mapping.erase(begin, mapping.find('}', begin) - begin + 1);
  const Replay replay = played({"h100-03.prom", "h100-07.prom"}, mapping);
  EXPECT_EQ(replay.summaries[1].locks, 0U);
  EXPECT_EQ(router::decision_name(first_after(replay, 1).h.type), "HOLD");
}

TEST(IncidentReplay, CountsTheLogsBadLineAndItsRestart) {
  const Replay replay = played({"h100-11.log"}, [] {
    std::string mapping = sample("mapping.json");
    const auto begin = mapping.find("  \"failovers\"");
    return mapping.erase(begin, mapping.find('\n', begin) - begin);
  }());
  const FileReport& file = replay.telemetry.files[0];
  EXPECT_EQ(file.bad, 1U);
  EXPECT_EQ(file.first_bad[0].origin.item, 18U);
  EXPECT_EQ(file.used, 61U);
  ASSERT_EQ(replay.script.epochs.size(), 1U);
  EXPECT_EQ(format_date(replay.script.epochs[0].at), "2026-11-06T08:18:03Z");
}

}  // namespace
}  // namespace specroute::sim
