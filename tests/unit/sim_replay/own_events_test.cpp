#include "sim/replay/own_events.hpp"

#include <gtest/gtest.h>

#include "tests/unit/sim_replay/replay_text.hpp"

namespace specroute::sim {
namespace {

/// The events of a script, as a router would have recorded them.
std::string recorded(const Script& script) {
  std::string text;
  for (const ScriptEvent& event : script.events)
    text +=
        write_json(event_to_json(event.record.head()), {.sorted_keys = false, .indentation = 0}) +
        "\n";
  return text;
}

TEST(OwnEvents, SayWhatTheirTelemetrySaid) {
  const auto script = write_script(mapping_of(mapping_text()),
                                   telemetry_of(scrape(100, 0, 0, 0) + scrape(115, 300, 600, 240)));
  ASSERT_TRUE(script.ok());
  Telemetry telemetry;
  const auto again = read_event_files({{"e.jsonl", recorded(script.value())}}, telemetry);
  ASSERT_TRUE(again.ok()) << to_string(again.diagnostics().front());
  ASSERT_EQ(again.value().events.size(), script.value().events.size());
  for (std::size_t i = 0; i < script.value().events.size(); ++i)
    EXPECT_EQ(again.value().events[i].record.storage, script.value().events[i].record.storage) << i;
  EXPECT_EQ(telemetry.files[0].used, 2U);
}

TEST(OwnEvents, CountBadLinesAndLeaveOutWhatAnswersAnotherPolicy) {
  const auto script = write_script(mapping_of(mapping_text()),
                                   telemetry_of(scrape(100, 0, 0, 0) + scrape(115, 300, 600, 240)));
  const std::string good = recorded(script.value());
  Telemetry telemetry;
  const auto read = read_event_files(
      {{"e.jsonl",
        good + "{\"type\": \"tick\", \"now_s\": 120}\n{\"type\": \"windw\"}\n\n{\n" + good}},
      telemetry);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read.value().dropped_ticks_and_outcomes, 1U);
  const FileReport& file = telemetry.files[0];
  EXPECT_EQ(file.used, 3U);
  EXPECT_EQ(file.other, 1U);
  EXPECT_EQ(file.bad, 4U) << "a name, a syntax, and two that go back in time";
  EXPECT_NE(file.first_bad[0].expected.find("/type"), std::string::npos);
}

TEST(OwnEvents, FailWithoutAWindow) {
  Telemetry telemetry;
  const auto read =
      read_event_files({{"e.jsonl", "{\"type\": \"tick\", \"now_s\": 1}\n"}}, telemetry);
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(to_string(read.diagnostics()[0]),
            "e.jsonl: expected events with at least one window, found 0 events without one");
}

}  // namespace
}  // namespace specroute::sim
