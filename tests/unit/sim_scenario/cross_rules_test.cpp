// The invalid suite shows what each rule says; here is where it must be silent, and what must not
// follow from another fault.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/sim_scenario/minimal.hpp"

namespace specroute::sim {
namespace {

std::ptrdiff_t lines(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n');
}

TEST(CrossRules, LetABackendCrashAgainAfterItsRestart) {
  const std::string first = R"("at_s": 4, "restart_after_s": 2})";
  const auto second = [&](const char* at) {
    return edited(first,
                  first + R"(, {"kind": "crash", "backend": "target-1", "at_s": )" + at + "}");
  };
  EXPECT_EQ(faults_of(second("6")), "");
  EXPECT_EQ(lines(faults_of(second("5.9"))), 1);
  EXPECT_EQ(lines(faults_of(second("4"))), 1);
  EXPECT_EQ(faults_of(second("1")),
            "minimal.json: /faults/0/at_s: expected a time at which the "
            "backend is up, found 4, when it is down since /faults/1\n");
}

TEST(CrossRules, LetAnOverrideOutliveOrFollowItsOwner) {
  for (const char* until : {"2", "3", "9", "100"})
    EXPECT_EQ(faults_of(edited("\"owner_gone_s\": 3",
                               std::string("\"owner_gone_s\": 3, \"until_s\": ") + until)),
              "")
        << until;
}

TEST(CrossRules, LetABackendStandByUnpaired) {
  const std::string draft = R"(      {"name": "draft-1", "role")";
  const std::string spare = R"(      {"name": "draft-2", "standby": true, "role": "draft", )"
                            R"("pool": "main", "model": "smollm-135m", "precision": "bf16", )"
                            R"("device": "A10G-24", "tokenizer": "llama-3.1"},)"
                            "\n";
  EXPECT_EQ(faults_of(edited(draft, spare + draft)), "");
}

TEST(CrossRules, LetTheSameFigureStandAtTwoTemperatures) {
  const auto calibrated = [](const char* temperature) {
    return edited(R"("parameters": {"sharpness": 4.5, "noise": 0.12})",
                  std::string(R"("calibrate": [{"figure": "exact_match_rate", "value": 0.41, )"
                              R"("temperature": 0.7, "draft_tokens": 2}, )"
                              R"({"figure": "exact_match_rate", "value": 0.3, "temperature": )") +
                      temperature + R"(, "draft_tokens": 2}])");
  };
  EXPECT_EQ(faults_of(calibrated("1.0")), "");
  EXPECT_EQ(lines(faults_of(calibrated("0.7"))), 1);
}

TEST(CrossRules, LetAReasonPointAtADefault) {
  EXPECT_EQ(faults_of(edited("\"horizon_s\": 10,",
                             "\"horizon_s\": 10, \"why\": {\"/router/max_retries\": \"usual\"},")),
            "");
}

// Each of these once made other rules speak up about what the fault had hidden.
TEST(CrossRules, SayOneThingAboutOneFault) {
  EXPECT_EQ(lines(faults_of(edited("\"role\": \"draft\"", "\"role\": \"drafts\""))), 1);
  EXPECT_EQ(lines(faults_of(edited("\"name\": \"draft-1\"", "\"name\": 1"))), 3)
      << "the name itself, the pairing and the override that use it";
  EXPECT_EQ(lines(faults_of(edited("\"horizon_s\": 10", "\"horizon_s\": -1"))), 1);
  EXPECT_EQ(lines(faults_of(edited("[{\"from_s\": 0, \"content\": \"prose\"}]", "[]"))), 1);
  EXPECT_EQ(lines(faults_of(
                edited("\"model\": \"smollm-135m\", \"prec", "\"model\": \"smollm\", \"prec"))),
            1);
  EXPECT_EQ(lines(faults_of(edited("\"draft\": \"draft-1\"", "\"draft\": \"draft-9\""))), 1);
}

}  // namespace
}  // namespace specroute::sim
