#include "sim/json/json_places.hpp"

#include <gtest/gtest.h>

#include "sim/json/json_pointer.hpp"
#include "sim/json/json_text.hpp"

namespace specroute::sim {
namespace {

TEST(JsonPlaces, PointToTheKeyOfAMemberAndToAnElement) {
  const std::string text = "{\n  \"a\": [1,\n    {\"b\": \"]}\"}],\n  \"c/~\\\"\": {}}";
  const JsonPlaces places(text);
  EXPECT_EQ(places.of(""), "1:1");
  EXPECT_EQ(places.of("/a"), "2:3");
  EXPECT_EQ(places.of("/a/0"), "2:9");
  EXPECT_EQ(places.of("/a/1"), "3:5");
  EXPECT_EQ(places.of("/a/1/b"), "3:6");
  EXPECT_EQ(places.of("/c~1~0\""), "4:3");
  EXPECT_EQ(places.line_of("/a/1/b"), 3U);
}

TEST(JsonPlaces, OfWhatIsMissingPointToItsNearestAncestor) {
  const JsonPlaces places("{\n\"a\": {\n\"b\": 1}}");
  EXPECT_EQ(places.of("/a/x/y"), "2:1");
  EXPECT_EQ(places.of("/z"), "1:1");
}

// The tree holds the last value of a key, so a fault of the value is there.
TEST(JsonPlaces, OfARepeatedKeyPointToTheLast) {
  EXPECT_EQ(JsonPlaces("{\"a\": 1,\n\"a\": 2}").of("/a"), "2:1");
}

TEST(JsonPlaces, FindAPointerByTheByteOfKeyOrValue) {
  const JsonPlaces places(R"({"a": 1, "b": [2]})");
  EXPECT_EQ(places.at_byte(1), "/a");
  EXPECT_EQ(places.at_byte(6), "/a");
  EXPECT_EQ(places.at_byte(15), "/b/0");
  EXPECT_EQ(places.at_byte(0), "");
  EXPECT_EQ(places.line_column(1000), "1:19");
}

void expect_places(const JsonValue& value, const std::string& pointer, const JsonPlaces& places,
                   std::size_t& found) {
  for (const JsonMember& member : value.members)
    expect_places(member.value, child_pointer(pointer, member.key), places, found);
  for (std::size_t i = 0; i < value.items.size(); ++i)
    expect_places(value.items[i], child_pointer(pointer, i), places, found);
  if (pointer.empty()) return;
  ++found;
  // The scanner's own way back: the pointer at a byte of the value is the value's.
  EXPECT_NE(places.of(pointer), places.of("")) << pointer;
}

TEST(JsonPlaces, KnowEveryValueOfADocument) {
  const std::string text =
      "{ \"a\" : [ true , null, -1.5e3, \"x\\\\\" , [ ] , { } ] ,\n\"b\":{\"c\":\"\\u0041\\\"\"}}";
  const auto parsed = parse_json(text, "x");
  ASSERT_TRUE(parsed.ok());
  std::size_t found = 0;
  expect_places(parsed.value().root, {}, JsonPlaces(text), found);
  EXPECT_EQ(found, 9U);
}

TEST(JsonPlaces, EndWhateverTheText) {
  for (const char* text :
       {"", "{", "[", "{\"a", "{\"a\"", "{\"a\":", "[1,", "}{", "{:", "{1:2}", "\\"})
    EXPECT_NE(JsonPlaces(text).of("/a"), "") << text;
}

TEST(MarkPlaces, NamesFileAndLine) {
  const std::string text = "{\n \"gate\": 1}";
  Diagnostics faults(2);
  faults[0].place = "/gate";
  faults[1].file = "other.json";
  faults[1].place = "/gate";
  mark_places(faults, "c.json", text);
  EXPECT_EQ(to_string(faults[0]), "c.json: /gate (2:2)");
  EXPECT_EQ(to_string(faults[1]), "other.json: /gate");
}

TEST(MarkPlaces, KeepsTheOrderOfPointers) {
  const std::string text = "{\n\"a\": {\"b\": 1}, \"a\": {\"b\": 2},\n\"a_b\": 3}";
  Diagnostics faults(4);
  faults[0].place = "/a_b";
  faults[1].place = "/a/b";
  faults[2] = {.file = "c.json", .place = "/a (2:16)", .expected = {}, .found = {}, .nearest = {}};
  faults[3].place = "/a/b/c";
  mark_places(faults, "c.json", text);
  std::string places;
  for (const Diagnostic& fault : faults) places += fault.place + ' ';
  EXPECT_EQ(places, "/a (2:16) /a/b (2:22) /a/b/c (2:22) /a_b (3:1) ");
}

}  // namespace
}  // namespace specroute::sim
