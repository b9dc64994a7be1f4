#include "sim/world/class_record.hpp"

#include <gtest/gtest.h>

#include "sim/world/totals.hpp"

namespace specroute::sim {
namespace {

struct Facts {
  double ttft_s;
  double end_to_end_s;
  std::uint32_t tokens;
  bool degraded = false;
  EndState state = EndState::completed;
  ClassId request_class{0};
};

/// Two classes of which the first wants a token within 1 s and then one in 0.1 s.
Scenario two_classes() {
  Scenario scenario{};
  scenario.horizon = Seconds{10.0};
  scenario.classes.resize(2);
  scenario.classes[0].name = "chat";
  scenario.classes[0].ttft_slo = Seconds{1.0};
  scenario.classes[0].tpot_slo = Seconds{0.1};
  scenario.classes[1].name = "batch";
  scenario.classes[1].ttft_slo = Seconds{100.0};
  scenario.classes[1].tpot_slo = Seconds{100.0};
  return scenario;
}

void end(Totals& totals, const Facts& facts) {
  Sequence sequence;
  sequence.emitted = facts.tokens;
  if (facts.degraded) sequence.schema_pairing = PairingId{0};
  totals.ended({.sequence = sequence,
                .request_class = facts.request_class,
                .state = facts.state,
                .left = Seconds{facts.end_to_end_s},
                .at = Seconds{facts.end_to_end_s},
                .first_token = Seconds{facts.ttft_s},
                .retries = 0});
}

std::optional<double> recorded(const Metrics& metrics, const std::string& name) {
  for (const auto& [path, found] : metrics)
    if (path == name) return found;
  ADD_FAILURE() << "no metric " << name;
  return std::nullopt;
}

// Five of class chat: good; late first token (TPOT met); slow tokens (TTFT met); good but degraded;
// rejected. So TTFT 3/5, TPOT 3/5, both 2/5, of which one is healthy. Class batch: one, good.
TEST(ClassRecord, TellsWhichObjectiveWasMissed) {
  const Scenario scenario = two_classes();
  Totals totals(scenario);
  for (int i = 0; i < 5; ++i) totals.arrived(ClassId{0}, Seconds{0.0});
  totals.arrived(ClassId{1}, Seconds{0.0});
  end(totals, {.ttft_s = 0.5, .end_to_end_s = 0.9, .tokens = 5});
  end(totals, {.ttft_s = 1.5, .end_to_end_s = 1.9, .tokens = 5});
  end(totals, {.ttft_s = 0.5, .end_to_end_s = 2.5, .tokens = 5});
  end(totals, {.ttft_s = 0.5, .end_to_end_s = 2.6, .tokens = 22, .degraded = true});
  end(totals, {.ttft_s = 0.0, .end_to_end_s = 2.7, .tokens = 0, .state = EndState::rejected});
  end(totals, {.ttft_s = 50.0, .end_to_end_s = 60.0, .tokens = 2, .request_class = ClassId{1}});
  Metrics metrics;
  totals.report(metrics);
  totals.report_classes(metrics);
  EXPECT_EQ(recorded(metrics, "class.chat.slo_attainment_ttft"), 3.0 / 5.0);
  EXPECT_EQ(recorded(metrics, "class.chat.slo_attainment_tpot"), 3.0 / 5.0);
  EXPECT_EQ(recorded(metrics, "class.chat.slo_attainment"), 2.0 / 5.0);
  EXPECT_EQ(recorded(metrics, "class.chat.goodput_rps"), 0.2);
  EXPECT_EQ(recorded(metrics, "class.chat.healthy_goodput_rps"), 0.1);
  EXPECT_EQ(recorded(metrics, "class.chat.rejected"), 1.0);
  EXPECT_EQ(recorded(metrics, "class.chat.degraded"), 1.0);
  EXPECT_EQ(recorded(metrics, "class.batch.slo_attainment"), 1.0);
  EXPECT_EQ(recorded(metrics, "class.batch.ttft_p50_ms"), 50'000.0);
  EXPECT_EQ(recorded(metrics, "slo_attainment"), 3.0 / 6.0) << "over both classes";
  EXPECT_EQ(recorded(metrics, "requests.completed"), 5.0);
}

// "Does not apply" is null: a class without arrivals has no attainment and no latency.
TEST(ClassRecord, HasNothingToSayOfAClassThatNeverCame) {
  Metrics metrics;
  report_class(metrics, "idle", ClassRecord{}, Seconds{1.0});
  EXPECT_EQ(recorded(metrics, "class.idle.arrived"), 0.0);
  EXPECT_EQ(recorded(metrics, "class.idle.slo_attainment"), std::nullopt);
  EXPECT_EQ(recorded(metrics, "class.idle.slo_attainment_ttft"), std::nullopt);
  EXPECT_EQ(recorded(metrics, "class.idle.ttft_p99_ms"), std::nullopt);
  EXPECT_EQ(recorded(metrics, "class.idle.itl_p50_ms"), std::nullopt);
}

}  // namespace
}  // namespace specroute::sim
