// Code that the integration guides show is code that is built: each block of a language that the
// tests build names its file, and stands in it line by line.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "tests/unit/house/source_tree.hpp"

namespace specroute::house {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

struct Block {
  std::size_t line = 0;  ///< of its fence
  std::string language;
  std::string file;  ///< of the comment just before it; empty where there is none
  Lines code;
};

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// "router/examples/a.py" of "<!-- from router/examples/a.py -->", else nothing.
std::string named_file(const std::string& line) {
  const std::string open = "<!-- from ";
  const std::string close = " -->";
  if (!line.starts_with(open) || !line.ends_with(close)) return "";
  return line.substr(open.size(), line.size() - open.size() - close.size());
}

std::vector<Block> blocks_of(const Lines& page) {
  std::vector<Block> blocks;
  bool inside = false;
  for (std::size_t at = 0; at < page.size(); ++at) {
    if (page[at].starts_with("```")) {
      inside = !inside;
      if (inside)
        blocks.push_back({at + 1, page[at].substr(3), named_file(at == 0 ? "" : page[at - 1]), {}});
    } else if (inside) {
      blocks.back().code.push_back(page[at]);
    }
  }
  return blocks;
}

bool stands_in(const Lines& code, const Lines& file) {
  return !code.empty() && std::ranges::search(file, code).size() == code.size();
}

/// `text_of` gives a file's text by its path.
template <class TextOf>
Violations quotation_violations(const SourceFile& page, TextOf text_of) {
  static const std::set<std::string> built = {"c", "cpp", "rust", "python"};
  Violations found;
  for (const auto& block : blocks_of(lines_of(page.text))) {
    if (!built.contains(block.language)) continue;
    if (block.file.empty())
      found.push_back({page.path, block.line, "this code names no file that it is from"});
    else if (!stands_in(block.code, lines_of(text_of(block.file))))
      found.push_back({page.path, block.line, "this code does not stand so in " + block.file});
  }
  return found;
}

std::vector<SourceFile> guides() {
  std::vector<SourceFile> pages;
  const fs::path root = SPECROUTE_SOURCE_DIR;
  for (const auto& entry : fs::directory_iterator(root / "docs/integration"))
    pages.push_back({entry.path().lexically_relative(root).string(), read(entry.path())});
  return pages;
}

TEST(Quotations, StandInTheirFiles) {
  const auto pages = guides();
  EXPECT_GE(pages.size(), 4U);
  Violations found;
  for (const auto& page : pages) {
    const auto here = quotation_violations(
        page, [](const std::string& path) { return read(fs::path(SPECROUTE_SOURCE_DIR) / path); });
    found.insert(found.end(), here.begin(), here.end());
  }
  EXPECT_EQ(to_string(found), "");
}

TEST(Quotations, OfAGuideAreFew) {
  constexpr std::size_t kGuideLines = 120;
  for (const auto& page : guides()) EXPECT_LE(lines_of(page.text).size(), kGuideLines) << page.path;
}

TEST(QuotationRules, CatchCodeThatIsNotThatOfItsFile) {
  const auto verdict = [](const std::string& text) {
    const auto text_of = [](const std::string& path) {
      return path == "a.py" ? std::string("one\n  two\nthree\n") : std::string();
    };
    return quotation_violations({"docs/integration/a.md", text}, text_of).size();
  };
  EXPECT_EQ(verdict("<!-- from a.py -->\n```python\n  two\nthree\n```\n"), 0U);
  EXPECT_EQ(verdict("<!-- from a.py -->\n```python\ntwo\nthree\n```\n"), 1U);
  EXPECT_EQ(verdict("<!-- from b.py -->\n```python\none\n```\n"), 1U);
  EXPECT_EQ(verdict("```python\none\n```\n"), 1U);
  EXPECT_EQ(verdict("```go\nfour\n```\n"), 0U);
  EXPECT_EQ(verdict("<!-- from a.py -->\n```python\n```\n"), 1U);
}

}  // namespace
}  // namespace specroute::house
