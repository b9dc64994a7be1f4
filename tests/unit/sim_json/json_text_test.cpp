#include "sim/json/json_text.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

#include "sim/json/json_pointer.hpp"

namespace specroute::sim {
namespace {

constexpr JsonLayout kLine{.sorted_keys = false, .indentation = 0};

std::string fault_of(const std::string& text) {
  const auto result = parse_json(text, "x.json");
  return result.ok() ? "none" : to_string(result.diagnostics().front());
}

std::string nested(int levels) {
  const auto count = static_cast<std::size_t>(levels);
  return std::string(count, '[') + std::string(count, ']');
}

TEST(ParseJson, KeepsOrderAndSpelling) {
  const std::string text = R"({"b":1.50,"a":[1,-2,1e3,18446744073709551615],"c":"\"\n\u0001"})";
  const auto result = parse_json(text, "x.json");
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(write_json(result.value().root, kLine), text);
}

TEST(ParseJson, PlacesASyntaxErrorAtTheFirstWrongByte) {
  EXPECT_EQ(fault_of("{\n  \"a\": 1\n  \"b\": 2\n}"),
            "x.json: 3:3: expected ',' or '}', found \"b\"");
  EXPECT_EQ(fault_of("[1,]"), "x.json: 1:4: expected a value, found ']'");
  EXPECT_EQ(fault_of("{\"a\": 1,\n"), "x.json: 2:1: expected a key, found the end of the file");
  EXPECT_EQ(fault_of("{} {}"), "x.json: 1:4: expected nothing after the JSON document, found '{'");
}

// The library's own account of a wrong word begins at the last string or number before it.
TEST(ParseJson, QuotesOnlyTheWordThatIsWrong) {
  EXPECT_EQ(fault_of("{\"gate\": \"none\"}\n  trailing words {}"),
            "x.json: 2:3: expected nothing after the JSON document, found 'trailing'");
  EXPECT_EQ(fault_of("[1, tru\n]"), "x.json: 1:5: expected valid JSON, found 'tru'");
  EXPECT_EQ(fault_of("{\"a\": 1, b: 2}"), "x.json: 1:10: expected a key, found 'b'");
  EXPECT_EQ(fault_of("[\"a\\\"b\" true]"), "x.json: 1:9: expected ',' or ']', found true");
  const std::string long_fault = fault_of("{} " + std::string(1000, 'x'));
  EXPECT_LT(long_fault.size(), 140U) << long_fault;
}

TEST(ParseJson, RefusesANumberThatNoDoubleHolds) {
  EXPECT_EQ(fault_of("[1e308, 1e309]"),
            "x.json: 1:9: expected a number that a double can hold, found 1e309");
}

TEST(ParseJson, RefusesBytesThatAreNoText) {
  EXPECT_NE(fault_of("{\"a\": \"\xff\"}"), "none");
  EXPECT_NE(fault_of(std::string("{\"a\0\": 1}", 9)), "none");
}

TEST(ParseJson, TakesSixtyFourLevelsAndNoMore) {
  EXPECT_TRUE(parse_json(nested(kDeepestNesting), "x.json").ok());
  EXPECT_NE(fault_of(nested(kDeepestNesting + 1)).find("at most 64 levels"), std::string::npos);
}

TEST(ParseJson, SurvivesAMillionLevels) {
  EXPECT_NE(fault_of(std::string(1000000, '[')).find("at most 64 levels"), std::string::npos);
}

TEST(ParseJson, PointsAtEachRepeatedKey) {
  const auto result = parse_json(R"({"a":[{"b":1,"b":2},{"c/d":{},"c/d":{}}],"b":3})", "x.json");
  ASSERT_TRUE(result.ok());
  const auto& faults = result.value().duplicate_keys;
  ASSERT_EQ(faults.size(), 2U);
  EXPECT_EQ(to_string(faults[0]),
            "x.json: /a/0/b (1:14): expected each key once, found the key again (first at 1:8)");
  EXPECT_EQ(faults[1].place, "/a/1/c~1d (1:31)");
  EXPECT_NE(faults[1].found.find("first at 1:22"), std::string::npos) << faults[1].found;
}

TEST(ParseJson, PlacesRepeatedKeysWhateverTheirSpelling) {
  const auto result =
      parse_json("\xEF\xBB\xBF{\"a\": {\"b\": 1},\n\"\\u0061\": {\"b\": 2},\n\"a\": 3}", "x.json");
  ASSERT_TRUE(result.ok());
  const auto& faults = result.value().duplicate_keys;
  ASSERT_EQ(faults.size(), 2U);
  EXPECT_EQ(faults[0].place, "/a (2:1)");
  EXPECT_EQ(faults[1].place, "/a (3:1)");
  EXPECT_NE(faults[1].found.find("first at 1:5"), std::string::npos) << faults[1].found;
}

TEST(ParseJson, PlacesARepeatedKeyWithinARepeatedOne) {
  const auto result = parse_json(R"({"a": 1, "a": {"b": 2, "b": 3}})", "x.json");
  ASSERT_TRUE(result.ok());
  const auto& faults = result.value().duplicate_keys;
  ASSERT_EQ(faults.size(), 2U);
  EXPECT_EQ(faults[0].place, "/a/b (1:24)");
  EXPECT_NE(faults[0].found.find("first at 1:16"), std::string::npos) << faults[0].found;
  EXPECT_EQ(faults[1].place, "/a (1:10)");
  EXPECT_NE(faults[1].found.find("first at 1:2)"), std::string::npos) << faults[1].found;
}

TEST(WriteJson, SortsAndIndents) {
  const auto result = parse_json(R"({"b":[1,{}],"a":[]})", "x.json");
  EXPECT_EQ(write_json(result.value().root, {.sorted_keys = true, .indentation = 2}),
            "{\n  \"a\": [],\n  \"b\": [\n    1,\n    {}\n  ]\n}");
}

TEST(WriteJson, GivesTheFewestDigits) {
  const auto shown = [](double real) {
    JsonValue value(JsonValue::Kind::real);
    value.real = real;
    return write_json(value, kLine);
  };
  EXPECT_EQ(shown(620.0), "620");
  EXPECT_EQ(shown(0.1), "0.1");
  EXPECT_EQ(shown(-0.0), "0");
  EXPECT_EQ(shown(3.3e-4), "0.00033");
  EXPECT_EQ(shown(1e300), "1e+300");
}

TEST(WriteJson, IsReadBackToTheSameDouble) {
  constexpr std::uint64_t kSeed = 20261106;
  std::mt19937_64 bits(kSeed);
  for (int i = 0; i < 20000; ++i) {
    const auto real = std::bit_cast<double>(bits());
    if (!std::isfinite(real)) continue;
    JsonValue value(JsonValue::Kind::real);
    value.real = real;
    const auto text = write_json(value, kLine);
    const auto result = parse_json(text, "x.json");
    ASSERT_TRUE(result.ok()) << text;
    ASSERT_EQ(result.value().root.number(), real) << text << ", seed " << kSeed;
  }
}

TEST(PointerLess, CountsAsPeopleDo) {
  EXPECT_TRUE(pointer_less("/a/2", "/a/10"));
  EXPECT_FALSE(pointer_less("/a/10", "/a/2"));
  EXPECT_TRUE(pointer_less("/a", "/a/0"));
  EXPECT_TRUE(pointer_less("/a/9/z", "/b"));
  EXPECT_FALSE(pointer_less("/a", "/a"));
}

TEST(ResolvePointer, LeadsBackToEveryValue) {
  const auto result = parse_json(R"({"a":[10,{"c/~d":30}]})", "x.json");
  const JsonValue& root = result.value().root;
  ASSERT_NE(resolve_pointer(root, "/a/1/c~1~0d"), nullptr);
  EXPECT_EQ(resolve_pointer(root, "/a/1/c~1~0d")->integer, 30);
  EXPECT_EQ(resolve_pointer(root, "")->kind, JsonValue::Kind::object);
  EXPECT_EQ(resolve_pointer(root, "/a/2"), nullptr);
  EXPECT_EQ(resolve_pointer(root, "/a/99999999999999999999"), nullptr);
  EXPECT_EQ(resolve_pointer(root, "a"), nullptr);
}

}  // namespace
}  // namespace specroute::sim
