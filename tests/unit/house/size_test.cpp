// Ratchets of size: files 400 lines (tests 600), functions 60 lines and five parameters.
#include <gtest/gtest.h>

#include "tests/unit/house/code_text.hpp"
#include "tests/unit/house/function_scan.hpp"

namespace specroute::house {
namespace {

constexpr std::size_t kFileLines = 400;
constexpr std::size_t kTestFileLines = 600;
constexpr std::size_t kFunctionLines = 60;
constexpr std::size_t kParameters = 5;

std::string over(const std::string& what, std::size_t count, std::size_t limit) {
  return what + ": " + std::to_string(count) + ", at most " + std::to_string(limit);
}

Violations file_violations(const std::vector<SourceFile>& files) {
  Violations found;
  for (const auto& file : files) {
    const auto limit = lies_in(file.path, "tests") ? kTestFileLines : kFileLines;
    const auto lines = lines_of(file.text).size();
    if (lines > limit) found.push_back({file.path, limit + 1, over("lines", lines, limit)});
  }
  return found;
}

Violations function_violations(const std::vector<SourceFile>& files) {
  Violations found;
  for (const auto& file : files) {
    for (const auto& one : functions_of(file.text)) {
      const auto report = [&](const std::string& what, std::size_t count, std::size_t limit) {
        if (count <= limit) return;
        found.push_back({file.path, one.line, over(what + " of " + one.name, count, limit)});
      };
      report("lines", one.lines, kFunctionLines);
      report("parameters", one.parameters, kParameters);
    }
  }
  return found;
}

// A function of `lines` lines.
std::string function_of(std::size_t lines) {
  std::string text = "int f() {\n";
  for (std::size_t line = 2; line < lines; ++line) text += "  g();\n";
  return text + "}\n";
}

TEST(FileSize, StaysWithinTheLimit) {
  EXPECT_EQ(to_string(file_violations(source_files())), "");
}

TEST(FunctionSize, StaysWithinTheLimits) {
  EXPECT_EQ(to_string(function_violations(source_files())), "");
}

TEST(SizeRules, CatchALongFile) {
  EXPECT_EQ(file_violations({{"sim/a.cpp", std::string(400, '\n')}}).size(), 0U);
  EXPECT_EQ(to_string(file_violations({{"sim/a.cpp", std::string(401, '\n')}})),
            "sim/a.cpp:401: lines: 401, at most 400\n");
  EXPECT_EQ(file_violations({{"tests/a.cpp", std::string(600, '\n')}}).size(), 0U);
}

TEST(SizeRules, CatchALongFunction) {
  EXPECT_EQ(to_string(function_violations({{"sim/a.cpp", function_of(60)}})), "");
  EXPECT_EQ(to_string(function_violations({{"sim/a.cpp", function_of(61)}})),
            "sim/a.cpp:1: lines of f: 61, at most 60\n");
}

TEST(SizeRules, CatchTooManyParameters) {
  const std::string five = "void f(int a, std::map<int, int> b, int c, int d, int e) {}\n";
  const std::string six = "void f(int a, int b, int c, int d, int e, int f = g(1, 2)) {}\n";
  EXPECT_EQ(to_string(function_violations({{"sim/a.cpp", five}})), "");
  EXPECT_EQ(to_string(function_violations({{"sim/a.cpp", six}})),
            "sim/a.cpp:1: parameters of f: 6, at most 5\n");
}

TEST(FunctionScan, FindsEveryKindOfDefinition) {
  const auto found = functions_of(
      "namespace a {\n"
      "enum class Colour { red, blue };\n"
      "const std::vector<int> kTable = {1, 2};\n"
      "int plain(int x) { return x; }\n"
      "extern \"C\" {\n"
      "int linked(void) { return 1; }\n"
      "}\n"
      "template <class T>\n"
      "struct Box : Base<T> {\n"
      " public:\n"
      "  explicit Box(int a, int b) : a_(a), b_{b} {}\n"
      "  [[nodiscard]] auto get() const -> std::optional<int> {\n"
      "    return a_;\n"
      "  }\n"
      "  bool operator()(int x) const noexcept { return x == '{'; }\n"
      "  bool operator==(const Box&) const = default;\n"
      "  int a_{0};\n"
      "  int big_ = 1'000;\n"
      "};\n"
      "}\n");
  std::string names;
  for (const auto& one : found) names += one.name + " ";
  EXPECT_EQ(names, "plain linked Box get operator() ");
  EXPECT_EQ(found[2].parameters, 2U);
  EXPECT_EQ(found[2].line, 11U);
  EXPECT_EQ(found[3].lines, 3U);
  EXPECT_EQ(found[4].parameters, 1U);
}

TEST(FunctionScan, SeesFunctionsOfTheTree) {
  std::size_t seen = 0;
  for (const auto& file : source_files()) {
    if (file.path == "include/specroute/vocab/result.hpp") seen = functions_of(file.text).size();
  }
  // to_string, three constructors, ok, operator bool, value twice, diagnostics.
  EXPECT_EQ(seen, 9U);
}

TEST(CodeText, BlanksWhatIsNotCode) {
  EXPECT_EQ(code_only("a // {\nb"), "a     \nb");
  EXPECT_EQ(code_only("a /* {\n} */ b"), "a     \n     b");
  EXPECT_EQ(code_only("f(\"{\\\"\", '{');"), "f(     ,    );");
  EXPECT_EQ(code_only("R\"x({)x\";"), "R       ;");
  EXPECT_EQ(code_only("#define A { \\\n  {\nint b;"), std::string(13, ' ') + "\n   \nint b;");
  EXPECT_EQ(code_only("1'000'000{"), "1'000'000{");
}

}  // namespace
}  // namespace specroute::house
