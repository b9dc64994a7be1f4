#include "sim/traces/read_trace.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/digest/sha256.hpp"
#include "tests/unit/sim_traces/trace_text.hpp"

namespace specroute::sim {
namespace {

using testing::ElementsAre;

constexpr const char* kAzure =
    "TIMESTAMP,ContextTokens,GeneratedTokens\r\n"
    "2023-11-16 23:59:59.9799600,4808,10\r\n"
    "2023-11-17 00:00:00.0319600,3180,8\r\n"
    "2023-11-17 00:00:02.0781490,110,27";  // the last line has no end
constexpr const char* kSpecroute =
    "arrival_s,class,prompt_tokens,output_tokens,session,tenant,prefix\n"
    "0,chat,600,10,a,acme,7 8\n"
    "0.5,batch,20,0,,,\n"
    "0.5,chat,700,30,b,globex,7 9\n"
    "9.25,chat,40,5,a,acme,\n";

TEST(AzureTrace, CountsTimeFromItsFirstRowOverMidnight) {
  const auto trace = traced(kAzure, TraceFormat::azure);
  ASSERT_TRUE(trace.ok()) << faults_of(kAzure, TraceFormat::azure);
  EXPECT_THAT(trace.value().arrival_s, ElementsAre(0.0, 0.052, 2.098189));
  EXPECT_THAT(trace.value().prompt_tokens, ElementsAre(4808, 3180, 110));
  EXPECT_THAT(trace.value().output_tokens, ElementsAre(10, 8, 27));
  EXPECT_TRUE(trace.value().session.empty());
  EXPECT_EQ(trace.value().counts.rows, 3U);
  EXPECT_EQ(trace.value().sha256, sha256_hex(kAzure));
}

TEST(MooncakeTrace, BringsMillisecondsAndBlockHashes) {
  const auto trace = traced(
      "{\"timestamp\": 0, \"input_length\": 700, \"output_length\": 6, \"hash_ids\": [0, 1]}\n"
      "{\"hash_ids\":[0,2,3],\"output_length\":4,\"timestamp\":1500,\"input_length\":1025}\n",
      TraceFormat::mooncake);
  ASSERT_TRUE(trace.ok());
  EXPECT_THAT(trace.value().arrival_s, ElementsAre(0.0, 1.5));
  EXPECT_THAT(trace.value().prompt_tokens, ElementsAre(700, 1025));
  EXPECT_THAT(trace.value().prefix(0), ElementsAre(0U, 1U));
  EXPECT_THAT(trace.value().prefix(1), ElementsAre(0U, 2U, 3U));
}

TEST(BurstGptTrace, DropsAndCountsRowsWithoutTokens) {
  const std::string text =
      "Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n"
      "5,ChatGPT,472,18,490,Conversation log\n"
      "45,GPT-4,0,0,0,Conversation log\n"
      "50,GPT-4,417,276,693,API log\n";
  const auto all = traced(text, TraceFormat::burstgpt);
  ASSERT_TRUE(all.ok());
  EXPECT_THAT(all.value().arrival_s, ElementsAre(5.0, 50.0));
  EXPECT_EQ(all.value().counts.zero_tokens, 1U);
  TraceSlice served;
  served.zero_tokens = ZeroTokens::one_token;
  const auto one = traced(text, TraceFormat::burstgpt, served);
  ASSERT_TRUE(one.ok());
  EXPECT_THAT(one.value().prompt_tokens, ElementsAre(472, 1, 417));
  EXPECT_THAT(one.value().output_tokens, ElementsAre(18, 1, 276));
  TraceSlice of_one;
  of_one.rows_of = "GPT-4";
  const auto gpt4 = traced(text, TraceFormat::burstgpt, of_one);
  ASSERT_TRUE(gpt4.ok());
  EXPECT_THAT(gpt4.value().arrival_s, ElementsAre(50.0));
  EXPECT_EQ(gpt4.value().counts.of_others, 1U);
}

TEST(OwnTrace, NamesSessionsTenantsAndPrefixes) {
  const auto trace = traced(kSpecroute, TraceFormat::specroute);
  ASSERT_TRUE(trace.ok());
  EXPECT_THAT(trace.value().session, ElementsAre(1U, 2U, 1U));
  EXPECT_THAT(trace.value().tenants, ElementsAre("acme", "globex"));
  EXPECT_THAT(trace.value().tenant, ElementsAre(0U, 1U, 0U));
  EXPECT_THAT(trace.value().prefix(1), ElementsAre(7U, 9U));
  EXPECT_THAT(trace.value().prefix(2), ElementsAre());
}

TEST(OwnTrace, NeedsThreeColumnsInAnyOrder) {
  const auto trace =
      traced("output_tokens,arrival_s,prompt_tokens\n3,1,2\n", TraceFormat::specroute);
  ASSERT_TRUE(trace.ok());
  EXPECT_THAT(trace.value().output_tokens, ElementsAre(3U));
  EXPECT_TRUE(trace.value().session.empty());
  EXPECT_TRUE(trace.value().prefix(0).empty());
}

// Every row is in exactly one count.
TEST(TraceSlice, CountsWhatItLeavesOut) {
  TraceSlice slice;
  slice.rows_of = "chat";
  slice.from = Seconds{0.5};
  slice.to = Seconds{9.25};
  const auto trace = traced(kSpecroute, TraceFormat::specroute, slice);
  ASSERT_TRUE(trace.ok());
  EXPECT_THAT(trace.value().prompt_tokens, ElementsAre(700U));
  EXPECT_EQ(trace.value().counts.rows, 4U);
  EXPECT_EQ(trace.value().counts.kept, 1U);
  EXPECT_EQ(trace.value().counts.of_others, 1U);
  EXPECT_EQ(trace.value().counts.out_of_slice, 2U);
  slice = {};
  slice.limit = 2;
  const auto first_two = traced(kSpecroute, TraceFormat::specroute, slice);
  ASSERT_TRUE(first_two.ok());
  EXPECT_EQ(first_two.value().counts.kept, 2U);
  EXPECT_EQ(first_two.value().counts.zero_tokens, 1U);
  EXPECT_EQ(first_two.value().counts.out_of_slice, 1U);
}

TEST(TraceSlice, OfNothingIsAFault) {
  TraceSlice slice;
  slice.from = Seconds{10.0};
  EXPECT_EQ(faults_of(kSpecroute, TraceFormat::specroute, slice),
            "t: 1:1: expected a row of the slice, found none in 4 rows (4 out of the slice, 0 of "
            "others, 0 without tokens)\n");
  EXPECT_NE(faults_of("", TraceFormat::mooncake), "");
}

TEST(MalformedTrace, IsToldLineByLineAllAtOnce) {
  EXPECT_EQ(
      faults_of("TIMESTAMP,ContextTokens,GeneratedTokens\r\n"
                "2023-11-16 18:17:03.97,x,10\r\n"
                "2023-02-29 18:17:03.97,1,10\r\n"
                "2023-11-16 18:17:04.97,1\r\n"
                "2023-11-16 18:17:05.97,1,-3\r\n"
                "2023-11-16 18:17:06.97,1,3,4\r\n"
                "\r\n"
                "2023-11-16 18:17:07.97,1,3\r\n"
                "2023-11-16 18:17:06.97,1,3",
                TraceFormat::azure),
      "t: 2:24: expected a whole number of tokens up to 10000000, found \"x\"\n"
      "t: 3:1: expected a time YYYY-MM-DD hh:mm:ss.fffffff, found \"2023-02-29 18:17:03.97\"\n"
      "t: 4:25: expected 3 fields, found 2\n"
      "t: 5:26: expected a whole number of tokens up to 10000000, found \"-3\"\n"
      "t: 6:28: expected 3 fields, found more\n"
      "t: 7:1: expected a time YYYY-MM-DD hh:mm:ss.fffffff, found nothing\n"
      "t: 9:1: expected a time not before the row above (4 s), found 3 s\n");
}

TEST(MalformedTrace, OfJsonLinesPointsIntoTheLine) {
  const auto fault = [](const std::string& line) { return faults_of(line, TraceFormat::mooncake); };
  EXPECT_EQ(fault("[]"), "t: 1:1: expected an object {...}, found \"[]\"\n");
  EXPECT_EQ(fault("{\"timestamp\": 1}"), "t: 1:16: expected a key \"input_length\", found none\n");
  EXPECT_EQ(fault("{\"timestamp\": -1}"),
            "t: 1:15: expected a time of at least 0, in milliseconds, found \"-1}\"\n");
  EXPECT_EQ(fault("{\"timestamp\": 1, \"timestamp\": 1}"),
            "t: 1:18: expected each key once, found \"timestamp\" again\n");
  EXPECT_EQ(fault("{\"time\": 1}"),
            "t: 1:2: expected one of the keys timestamp, input_length, "
            "output_length, hash_ids, found \"time\"\n");
  EXPECT_EQ(fault("{\"input_length\": 1.5}"),
            "t: 1:18: expected a whole number of tokens up to 10000000, found \"1.5}\"\n");
  EXPECT_EQ(fault("{\"hash_ids\": [1, }"),
            "t: 1:18: expected a block hash, a whole number below 2^63, found \"}\"\n");
  EXPECT_EQ(fault("{\"timestamp\": 1,\"input_length\":1,\"output_length\":1,\"hash_ids\":[]} x"),
            "t: 1:67: expected the end of the line, found \"x\"\n");
  EXPECT_EQ(fault("{\"timestamp\": 1"),
            "t: 1:16: expected a comma or }, found the end of the line\n");
}

// A cache would take the second mention of a block for a block of its own, and stop.
TEST(MalformedTrace, NamesABlockTwiceInARow) {
  EXPECT_EQ(faults_of("arrival_s,prompt_tokens,output_tokens,prefix\n"
                      "0,2000,1,7 9 8\n"
                      "1,2000,1,7 9 8 9\n",
                      TraceFormat::specroute),
            "t: 3:1: expected each block hash once in a row, found 9 again\n");
  EXPECT_EQ(faults_of("{\"timestamp\": 0, \"input_length\": 700, \"output_length\": 6, "
                      "\"hash_ids\": [4, 4]}\n",
                      TraceFormat::mooncake),
            "t: 1:1: expected each block hash once in a row, found 4 again\n");
}

// Names go into results, which are UTF-8. The column is that of the first byte that is not.
TEST(MalformedTrace, HasNamesThatAreNoUtf8) {
  const std::string header = "arrival_s,prompt_tokens,output_tokens,tenant\n";
  const auto fault = [&](const std::string& tenant) {
    return faults_of(header + "0,1,1," + tenant + "\n", TraceFormat::specroute);
  };
  EXPECT_EQ(fault("caf\xe9"), "t: 2:10: expected a text in UTF-8, found \"?\"\n");
  for (const char* good : {"caf\xc3\xa9", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xf4\x8f\xbf\xbf"})
    EXPECT_EQ(fault(good), "") << good;
  // Followers alone, forms longer than they need be, a surrogate, beyond U+10FFFF, cut off.
  for (const char* bad : {"\x80", "\xc0\x80", "\xe0\x9f\xbf", "\xf0\x8f\xbf\xbf", "\xed\xa0\x80",
                          "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xe2\x82", "\xe2\x82x"})
    EXPECT_NE(fault(bad), "") << bad;
}

TEST(MalformedTrace, WithAnotherHeaderIsRefusedAtOnce) {
  EXPECT_EQ(
      faults_of("TIMESTAMP,ContextTokens\r\n", TraceFormat::azure),
      "t: 1:1: expected a column GeneratedTokens, found none in \"TIMESTAMP,ContextTokens\"\n");
  EXPECT_EQ(faults_of("arrival_s,arrival_s\n", TraceFormat::specroute),
            "t: 1:11: expected each column once, found \"arrival_s\" again\n");
  EXPECT_EQ(
      faults_of("", TraceFormat::burstgpt),
      "t: 1:1: expected one of the columns Timestamp, Session ID, Elapsed time, Model, Request "
      "tokens, Response tokens, Total tokens, Log Type, found nothing\n");
}

TEST(MalformedTrace, SaysHowManyLinesItLeftOut) {
  std::string text = "arrival_s,prompt_tokens,output_tokens\n";
  for (std::size_t line = 0; line < kMostLineFaults + 5; ++line) text += "?\n";
  const auto trace = traced(text, TraceFormat::specroute);
  ASSERT_FALSE(trace.ok());
  ASSERT_EQ(trace.diagnostics().size(), kMostLineFaults + 1);
  EXPECT_EQ(to_string(trace.diagnostics().back()), "t: expected no malformed line, found 5 more");
}

TEST(LongTrace, ReadsLinesAcrossTheBuffersEdges) {
  std::string text = "arrival_s,prompt_tokens,output_tokens,prefix\n";
  std::string prefix;
  for (int block = 0; block < 9'000; ++block)
    prefix += (block == 0 ? "" : " ") + std::to_string(block);
  for (int row = 0; row < 7; ++row) text += std::to_string(row) + ",100,2," + prefix + "\n";
  const auto trace = traced(text, TraceFormat::specroute);
  ASSERT_TRUE(trace.ok());
  EXPECT_EQ(trace.value().size(), 7U);
  EXPECT_EQ(trace.value().prefix(6).back(), 8'999U);
  EXPECT_EQ(trace.value().sha256, sha256_hex(text));
  EXPECT_EQ(faults_of(std::string(std::size_t{5} << 20U, 'x'), TraceFormat::mooncake),
            "t: 1:1: expected a line of at most 4 MiB, found a longer one\n");
}

}  // namespace
}  // namespace specroute::sim
