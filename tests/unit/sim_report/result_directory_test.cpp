#include "sim/report/result_directory.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/scratch_folder.hpp"

namespace specroute::sim {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A directory of its own for each test.
class ResultDirectory : public testing::Test {
 protected:
  [[nodiscard]] std::string out() const { return (root_ / "out").string(); }
  [[nodiscard]] std::size_t entries() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(root_), fs::directory_iterator()));
  }

  ScratchFolder scratch_;
  fs::path root_ = scratch_.path();
  std::vector<ResultFile> files_ = {{"summary.json", "{}"}, {"manifest.json", "{1}"}};
};

TEST_F(ResultDirectory, HoldsEveryFileAndNothingBesideIt) {
  EXPECT_TRUE(write_result(out(), files_, Existing::refuse).empty());
  EXPECT_EQ(text_of(root_ / "out" / "manifest.json"), "{1}");
  EXPECT_EQ(text_of(root_ / "out" / "summary.json"), "{}");
  EXPECT_EQ(entries(), 1U);
}

TEST_F(ResultDirectory, MakesMissingParents) {
  EXPECT_TRUE(write_result(out() + "/deep/er/", files_, Existing::refuse).empty());
  EXPECT_TRUE(fs::exists(root_ / "out/deep/er/summary.json"));
}

TEST_F(ResultDirectory, IsRefusedWhereOneExists) {
  ASSERT_TRUE(write_result(out(), files_, Existing::refuse).empty());
  EXPECT_EQ(check_destination(out(), Existing::refuse).size(), 1U);
  EXPECT_EQ(write_result(out(), {{"summary.json", "new"}}, Existing::refuse).size(), 1U);
  EXPECT_EQ(text_of(root_ / "out" / "summary.json"), "{}");
  EXPECT_EQ(entries(), 1U);
}

TEST_F(ResultDirectory, IsReplacedAsAWhole) {
  ASSERT_TRUE(write_result(out(), files_, Existing::refuse).empty());
  EXPECT_TRUE(write_result(out(), {{"summary.json", "new"}}, Existing::replace).empty());
  EXPECT_EQ(text_of(root_ / "out" / "summary.json"), "new");
  EXPECT_FALSE(fs::exists(root_ / "out" / "manifest.json"));
  EXPECT_EQ(entries(), 1U);
}

TEST_F(ResultDirectory, DoesNotReplaceWhatIsNoResult) {
  fs::create_directory(out());
  std::ofstream(root_ / "out" / "thesis.tex") << "years of work";
  EXPECT_EQ(check_destination(out(), Existing::replace).size(), 1U);
  EXPECT_EQ(write_result(out(), files_, Existing::replace).size(), 1U);
  EXPECT_EQ(text_of(root_ / "out" / "thesis.tex"), "years of work");
}

TEST_F(ResultDirectory, ReplacesAnEmptyDirectory) {
  fs::create_directory(out());
  EXPECT_TRUE(write_result(out(), files_, Existing::replace).empty());
  EXPECT_TRUE(fs::exists(root_ / "out" / "summary.json"));
}

TEST_F(ResultDirectory, LeavesNothingBehindWhereAFileCannotBeWritten) {
  files_.push_back({"no/such/folder", "text"});
  EXPECT_EQ(write_result(out(), files_, Existing::refuse).size(), 1U);
  EXPECT_EQ(entries(), 0U);
}

TEST_F(ResultDirectory, CannotLieBelowAFile) {
  std::ofstream(root_ / "file") << "text";
  EXPECT_EQ(check_destination((root_ / "file" / "out").string(), Existing::refuse).size(), 1U);
}

TEST_F(ResultDirectory, NeedsAName) {
  for (const char* path : {"", "/", ".", "..", "a/.."})
    EXPECT_EQ(check_destination(path, Existing::replace).size(), 1U) << path;
}

TEST_F(ResultDirectory, IsCheckedWithoutTouchingTheDisk) {
  EXPECT_TRUE(check_destination(out() + "/deep", Existing::refuse).empty());
  EXPECT_EQ(entries(), 0U);
}

TEST_F(ResultDirectory, WritesASingleFileWhole) {
  const std::string file = (root_ / "a.json").string();
  EXPECT_TRUE(write_whole_file(file, "one").empty());
  EXPECT_TRUE(write_whole_file(file, "two").empty());
  EXPECT_EQ(text_of(file), "two");
  EXPECT_EQ(entries(), 1U);
  EXPECT_EQ(write_whole_file((root_ / "none" / "a.json").string(), "x").size(), 1U);
  EXPECT_EQ(check_file_destination(root_.string()).size(), 1U);
}

TEST_F(ResultDirectory, WritesIntoAPipeWithoutTakingItsPlace) {
  const auto pipe = root_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  ASSERT_GE(reader, 0);
  EXPECT_TRUE(check_file_destination(pipe.string()).empty());
  EXPECT_TRUE(write_whole_file(pipe.string(), "told").empty());
  char text[8] = {};
  EXPECT_EQ(read(reader, text, sizeof text), 4);
  EXPECT_STREQ(text, "told");
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
  close(reader);
}

TEST_F(ResultDirectory, SaysThatADeviceIsFullAndLeavesIt) {
  const auto faults = write_whole_file("/dev/full", "x");
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].file, "/dev/full");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

TEST_F(ResultDirectory, ReplacesTheFileBehindALinkAndKeepsTheLink) {
  const auto file = root_ / "real.json";
  const auto link = root_ / "link.json";
  EXPECT_TRUE(write_whole_file(file.string(), "old").empty());
  std::filesystem::create_symlink(file, link);
  EXPECT_TRUE(write_whole_file(link.string(), "new").empty());
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_EQ(text_of(file), "new");
}

}  // namespace
}  // namespace specroute::sim
