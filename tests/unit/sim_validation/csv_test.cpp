#include "sim/validation/csv.hpp"

#include <gtest/gtest.h>

namespace specroute::sim::validation {
namespace {

std::string text_of(const Diagnostics& faults) {
  std::string text;
  for (const Diagnostic& fault : faults) text += to_string(fault) + '\n';
  return text;
}

/// The faults of parsing alone.
std::string parse_faults(std::string_view text) {
  const auto table = CsvTable::parse("a.csv", text);
  return table ? "" : text_of(table.diagnostics());
}

CsvTable parsed(std::string_view text) {
  auto table = CsvTable::parse("a.csv", text);
  EXPECT_TRUE(table.ok()) << parse_faults(text);
  return std::move(table).value();
}

TEST(Csv, ReadsColumnsInAnyOrderAndIgnoresOthers) {
  const auto table = parsed("b,extra,a\n2,x,1\n4,y,3\n");
  ColumnReader read(table);
  EXPECT_EQ(read.number("a"), (std::vector<double>{1.0, 3.0}));
  EXPECT_EQ(read.integer("b"), (std::vector<std::int64_t>{2, 4}));
  EXPECT_EQ(text_of(read.faults()), "");
}

TEST(Csv, TakesEveryLineEndAndALastLineWithoutOne) {
  const std::string marked = std::string("\xEF\xBB\xBF") + "a,b\n1,2\n3,4\n";
  const std::vector<std::string> texts = {"a,b\n1,2\n3,4\n",       "a,b\r\n1,2\r\n3,4\r\n",
                                          "a,b\n1,2\n3,4",         "a,b\r\n1,2\r\n3,4",
                                          "a,b\n\n1,2\n\n3,4\n\n", marked};
  for (const std::string& text : texts) {
    const auto table = parsed(text);
    ColumnReader read(table);
    EXPECT_EQ(read.number("a"), (std::vector<double>{1.0, 3.0})) << text;
    EXPECT_EQ(read.number("b"), (std::vector<double>{2.0, 4.0})) << text;
  }
}

TEST(Csv, KnowsTheLineOfEachRow) {
  const auto table = parsed("a,b\r\n1,2\r\n\r\n3,\"4\r\n5\"\r\n6,7");
  ASSERT_EQ(table.rows(), 3U);
  EXPECT_EQ(table.place(0), "a.csv:2");
  EXPECT_EQ(table.place(1), "a.csv:5");
  EXPECT_EQ(table.place(2), "a.csv:6");
  EXPECT_EQ(table.field(1, 1), "4\r\n5");
}

TEST(Csv, ReadsQuotedCommasAndQuotes) {
  const auto table = parsed("a,b\n\"x, y\",\"say \"\"hi\"\"\"\n");
  EXPECT_EQ(table.field(0, 0), "x, y");
  EXPECT_EQ(table.field(0, 1), "say \"hi\"");
}

TEST(Csv, TellsEmptyFromMissing) {
  const auto table = parsed("a,b\n,x\n1,\n");
  ColumnReader read(table);
  const auto numbers = read.number_or_empty("a");
  EXPECT_FALSE(numbers[0].has_value());
  EXPECT_EQ(numbers[1], 1.0);
  EXPECT_EQ(read.text_or_empty("b"), (std::vector<std::string>{"x", ""}));
  EXPECT_EQ(text_of(read.faults()), "");
  EXPECT_EQ(read.number("a"), (std::vector<double>{0.0, 1.0}));
  EXPECT_EQ(read.text("b").size(), 2U);
  EXPECT_EQ(text_of(read.faults()),
            "a.csv:2: a: expected a number, found nothing\n"
            "a.csv:3: b: expected a name, found nothing\n");
}

TEST(Csv, NamesAMissingColumnAndItsNearestSpelling) {
  const auto table = parsed("model,tpot_s\nx,1\n");
  ColumnReader read(table);
  EXPECT_EQ(read.number("tpot_ms").size(), 1U);
  EXPECT_EQ(text_of(read.faults()),
            "a.csv: header: expected a column \"tpot_ms\", found none of that name; did you mean "
            "\"tpot_s\"?\n");
}

TEST(Csv, SaysWhereANumberIsMalformed) {
  const auto table = parsed("a\n1e3\n-2\nnan\ninf\n12ms\n0\n");
  ColumnReader read(table);
  EXPECT_EQ(read.number("a", kPositive)[0], 1000.0);
  EXPECT_EQ(text_of(read.faults()),
            "a.csv:3: a: expected a number > 0, found \"-2\"\n"
            "a.csv:4: a: expected a number > 0, found \"nan\"\n"
            "a.csv:5: a: expected a number > 0, found \"inf\"\n"
            "a.csv:6: a: expected a number > 0, found \"12ms\"\n"
            "a.csv:7: a: expected a number > 0, found \"0\"\n");
}

TEST(Csv, SaysWhereAWholeNumberIsMalformed) {
  const auto table = parsed("a\n1.5\n0\n99999999999999999999\n8\n");
  ColumnReader read(table);
  EXPECT_EQ(read.integer("a", 1, 16).back(), 8);
  EXPECT_EQ(text_of(read.faults()),
            "a.csv:2: a: expected a whole number from 1 to 16, found \"1.5\"\n"
            "a.csv:3: a: expected a whole number from 1 to 16, found \"0\"\n"
            "a.csv:4: a: expected a whole number from 1 to 16, found \"99999999999999999999\"\n");
}

TEST(Csv, CountsFaultsBeyondTwenty) {
  std::string text = "a\n";
  for (int row = 0; row < 25; ++row) text += "x\n";
  const auto table = parsed(text);
  ColumnReader read(table);
  EXPECT_EQ(read.number("a").size(), 25U);
  ASSERT_EQ(read.faults().size(), 21U);
  EXPECT_EQ(to_string(read.faults().back()), "a.csv: found 5 more faults like these");
}

TEST(Csv, RefusesATableThatIsNone) {
  EXPECT_EQ(parse_faults(""),
            "a.csv:1: expected a header with the names of the columns, found nothing\n");
  EXPECT_EQ(parse_faults("a,,a\n"),
            "a.csv:1: expected a name for every column, found one without\n"
            "a.csv:1: expected every column once, found \"a\" a second time\n");
  EXPECT_EQ(parse_faults("a,b\n1\n1,2,3\n"),
            "a.csv:2: expected 2 fields, found 1\n"
            "a.csv:3: expected 2 fields, found 3\n");
  EXPECT_EQ(parse_faults("a,b\n1,2\n1,x\"y\n"),
            "a.csv:3: expected a quoted field that its quotes enclose whole, found a quote inside "
            "a field\n");
  EXPECT_EQ(parse_faults("a\n\"open\n"),
            "a.csv:2: expected the quote that ends a field, found the end of the file\n");
}

}  // namespace
}  // namespace specroute::sim::validation
