#include "sim/sweep/field.hpp"

#include <gtest/gtest.h>

namespace specroute::sim {
namespace {

SweepField range(double from, double to, std::size_t steps) {
  return {.pointer = "/x", .name = "x", .values = {}, .range = {from, to, steps}};
}

std::string text(const JsonValue& value) {
  return write_json(value, {false, 0});
}

TEST(SweepField, WalksARangeWithBothEnds) {
  const SweepField field = range(0.05, 0.60, 12);
  EXPECT_EQ(field.grid_size(), 12U);
  EXPECT_EQ(text(grid_value(field, 0)), "0.05");
  EXPECT_EQ(text(grid_value(field, 2)), "0.15");
  EXPECT_EQ(text(grid_value(field, 4)), "0.25");
  EXPECT_EQ(text(grid_value(field, 11)), "0.6");
}

TEST(SweepField, OfOneStepIsItsBeginning) {
  EXPECT_EQ(text(grid_value(range(3.0, 9.0, 1), 0)), "3");
}

TEST(SweepField, WalksALogarithm) {
  SweepField field = range(1.0, 100.0, 3);
  field.range.logarithmic = true;
  EXPECT_EQ(text(grid_value(field, 1)), "10");
  EXPECT_EQ(text(value_at(field, 0.25)), "3.16227766");
}

TEST(SweepField, RoundsToWholeNumbersWhereAsked) {
  SweepField field = range(1.0, 4.0, 3);
  field.range.whole = true;
  EXPECT_EQ(text(grid_value(field, 1)), "3");  // 2.5, away from zero
}

TEST(SweepField, CutsAListIntoEqualParts) {
  SweepField field = range(0.0, 0.0, 1);
  for (const char* word : {"a", "b", "c"}) {
    field.values.emplace_back(JsonValue::Kind::text);
    field.values.back().text = word;
  }
  EXPECT_EQ(field.grid_size(), 3U);
  EXPECT_EQ(value_at(field, 0.0).text, "a");
  EXPECT_EQ(value_at(field, 0.34).text, "b");
  EXPECT_EQ(value_at(field, 0.999).text, "c");
}

}  // namespace
}  // namespace specroute::sim
