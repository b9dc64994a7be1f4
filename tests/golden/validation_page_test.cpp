// docs/validation.md is what `specroute validate-models` prints on the shared data. UPDATE_GOLDEN=1
// rewrites it. Skipped where the data are absent, or are not the ones that the page lists.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <sys/wait.h>

namespace specroute {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = SPECROUTE_SOURCE_DIR;
const fs::path kData = kRoot / "../shared/data";
const fs::path kPage = kRoot / "docs/validation.md";

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// The page as made now, and the exit code of making it.
struct Making {
  std::string page;
  std::string json;
  int code;
};

Making make_page() {
  const fs::path folder = fs::temp_directory_path() / "specroute-validation-page";
  fs::remove_all(folder);
  fs::create_directories(folder);
  const std::string command = "'" SPECROUTE_BINARY "' validate-models --quiet --data '" +
                              kData.string() + "' --markdown '" + (folder / "v.md").string() +
                              "' --json '" + (folder / "v.json").string() + "' 2> /dev/null";
  const int status = std::system(command.c_str());
  Making made{read(folder / "v.md"), read(folder / "v.json"), WEXITSTATUS(status)};
  fs::remove_all(folder);
  return made;
}

/// The list of data files with their hashes, at the end of a page.
std::string data_files(const std::string& page) {
  const auto at = page.find("\n## Data files\n");
  return at == std::string::npos ? "" : page.substr(at);
}

TEST(ValidationPage, IsWhatTheCommandPrints) {
  if (!fs::exists(kData)) GTEST_SKIP() << "no data: " << kData << " is absent";
  const Making made = make_page();
  ASSERT_NE(made.page, "");
  const bool missed = made.json.find("\"missed_bounds\": 0,") == std::string::npos;
  EXPECT_EQ(made.code, missed ? 1 : 0);
  if (std::getenv("UPDATE_GOLDEN") != nullptr) std::ofstream(kPage, std::ios::binary) << made.page;
  const std::string page = read(kPage);
  if (data_files(page) != data_files(made.page))
    GTEST_SKIP() << "the data are not those that docs/validation.md lists";
  EXPECT_EQ(page, made.page);
}

// What the page of any commit must say, whatever its numbers.
TEST(ValidationPage, NamesItsCommandAndItsLimits) {
  const std::string page = read(kPage);
  EXPECT_NE(page.find("specroute validate-models --data DIR"), std::string::npos);
  EXPECT_NE(page.find("what not to conclude from this simulator"), std::string::npos);
  EXPECT_NE(data_files(page), "");
}

}  // namespace
}  // namespace specroute
