// Each name of a namespace has one type. Two headers that nobody includes together compile and
// link, and then one type's destructor runs on the other: only the sanitizers said so.
#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <string>
#include <utility>

#include "tests/unit/house/code_text.hpp"
#include "tests/unit/house/source_tree.hpp"

namespace specroute::house {
namespace {

bool is_header(const std::string& path) {
  return path.ends_with(".hpp") || path.ends_with(".h");
}

Violations twice_defined(const std::vector<SourceFile>& files) {
  const std::regex space(R"(^namespace ([\w:]+) \{)");
  const std::regex type(R"(^(?:struct|class|union|enum class|enum) (\w+)(?: final)?(?: :.*)? \{)");
  std::map<std::string, std::string> home;  // by qualified name
  Violations found;
  for (const auto& file : files) {
    if (!is_header(file.path) || lies_in(file.path, "tests")) continue;
    std::string inside;
    std::size_t number = 0;
    for (const auto& line : lines_of(code_only(file.text))) {
      ++number;
      std::smatch match;
      if (std::regex_search(line, match, space)) inside = match.str(1);
      if (!std::regex_search(line, match, type)) continue;
      const std::string name = inside + "::" + match.str(1);
      const auto [first, is_new] = home.emplace(name, file.path);
      if (!is_new) found.push_back({file.path, number, name + " is defined in " + first->second});
    }
  }
  return found;
}

TEST(OneDefinition, EachTypeOfANamespaceIsDefinedOnce) {
  EXPECT_EQ(to_string(twice_defined(source_files())), "");
}

TEST(OneDefinition, CatchesANameOfTwoHeaders) {
  const auto found =
      twice_defined({{"sim/a/x.hpp", "namespace n {\nstruct Play {\n};\n}\n"},
                     {"sim/b/y.hpp", "namespace n {\nclass Play final : X {\n};\n}\n"},
                     {"sim/c/z.hpp", "namespace n::c {\nstruct Play {\n};\n}\n"}});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].path, "sim/b/y.hpp");
  EXPECT_EQ(found[0].line, 2U);
}

}  // namespace
}  // namespace specroute::house
