#include "tests/unit/sim_telemetry/telemetry_text.hpp"

namespace specroute::sim {
namespace {

Telemetry answer(const std::string& result, const std::string& type = "matrix") {
  return read_as(TelemetryFormat::query_range, R"({"status":"success","data":{"resultType":")" +
                                                   type + R"(","result":[)" + result + "]}}");
}

TEST(QueryRange, ReadsEverySeriesOfAMatrix) {
  const auto told = answer(
      R"({"metric":{"__name__":"vllm:spec_decode_num_drafts_total","instance":"a:8000","engine":"0"},
          "values":[[1000000000,"5"],[1000000015.5,"9"]]},
         {"metric":{"__name__":"vllm:spec_decode_num_accepted_tokens_per_pos_total","instance":"a:8000",
          "engine":"0","position":"2"},"values":[[1000000000,"3"]]})");
  EXPECT_EQ(value_at(told, Metric::drafts, 1'000'000'000), 5.0);
  EXPECT_EQ(told.scraped[1].at, 1'000'000'015'500'000'000ULL);
  EXPECT_EQ(value_at(told, Metric::accepted_at, 1'000'000'000, 2), 3.0);
  ASSERT_EQ(told.sources.size(), 1U);
  EXPECT_EQ(told.sources[0].at("instance"), "a:8000");
  EXPECT_EQ(told.files[0].used, 3U);
}

TEST(QueryRange, ReadsAVectorToo) {
  const auto told =
      answer(R"({"metric":{"__name__":"vllm:spec_decode_num_drafts"},"value":[1000000000,"5"]})",
             "vector");
  EXPECT_EQ(value_at(told, Metric::drafts, 1'000'000'000), 5.0);
}

TEST(QueryRange, CountsValuesThatAreNone) {
  const auto told = answer(
      R"({"metric":{"__name__":"vllm:spec_decode_num_drafts_total"},
          "values":[[1,"NaN"],[2,"0.25"],["3","4"],[4],[5,6]]},
         {"metric":{"job":"vllm"},"values":[[1,"1"]]})");
  EXPECT_TRUE(told.scraped.empty());
  const FileReport& file = told.files[0];
  EXPECT_EQ(file.bad, 6U);
  EXPECT_EQ(place_text(file, file.first_bad[1].origin), "/data/result/0/values/1");
  EXPECT_EQ(file.first_bad[1].expected, "a whole count, not a rate");
}

TEST(QueryRange, RefusesWhatIsNoAnswer) {
  const auto refused = [](const std::string& text) {
    Telemetry telemetry;
    const auto faults =
        read_telemetry({"q.json", text, TelemetryFormat::query_range, {}}, telemetry);
    return faults.empty() ? "" : to_string(faults.front());
  };
  EXPECT_EQ(refused(R"({"status":"error","error":"query timed out"})"),
            "q.json: /data/resultType: expected an answer with status \"success\" and a \"matrix\" "
            "or a \"vector\", found none");
  EXPECT_NE(refused(R"({"status":"success","data":{"resultType":"scalar","result":[1,"2"]}})")
                .find("found \"scalar\""),
            std::string::npos);
  EXPECT_NE(refused("{").find("q.json: 1:"), std::string::npos);
}

}  // namespace
}  // namespace specroute::sim
