#include "sim/validation/data_directory.hpp"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "tests/unit/scratch_folder.hpp"

namespace specroute::sim::validation {
namespace {

namespace fs = std::filesystem;

class Directory : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name) << text;
  }
  [[nodiscard]] std::string fault() const {
    const auto data = DataDirectory::read(root_.string());
    return data ? "" : to_string(data.diagnostics().front());
  }

  ScratchFolder scratch_;
  fs::path root_ = scratch_.path();
};

TEST_F(Directory, HoldsAnySubsetOfTheKnownFiles) {
  write("perf/gemm_bf16_l4.csv", "a\n");
  write("perf/gemm_bf16_a100_sxm.csv", "b\n");
  write("acceptance/any.csv", "c\n");
  write("traces/other.csv", "d\n");
  const auto data = DataDirectory::read(root_.string());
  ASSERT_TRUE(data.ok());
  const auto gemm = data.value().files_of(kGemmFiles);
  ASSERT_EQ(gemm.size(), 2U);
  EXPECT_EQ(gemm[0]->variant, "a100_sxm");
  EXPECT_EQ(gemm[0]->text, "b\n");
  EXPECT_EQ(gemm[1]->variant, "l4");
  EXPECT_EQ(data.value().files_of(kAcceptanceFiles).size(), 1U);
  EXPECT_TRUE(data.value().files_of(kServingFiles).empty());
  EXPECT_TRUE(data.value().notes().empty());
}

TEST_F(Directory, NamesWhatItDoesNotRead) {
  write("perf/serving_measured.csv", "a\n");
  write("perf/gem_bf16_l4.csv", "a\n");
  write("allreduce_l40s.csv", "a\n");
  write("devices.csv", "a\n");
  write("perf/readme.txt", "a\n");
  const auto data = DataDirectory::read(root_.string());
  ASSERT_TRUE(data.ok());
  EXPECT_EQ(data.value().notes(),
            (std::vector<std::string>{
                "allreduce_l40s.csv is not read; did you mean \"perf/allreduce_l40s.csv\"?",
                "perf/gem_bf16_l4.csv is not read; did you mean \"perf/gemm_bf16_l4.csv\"?"}));
}

TEST_F(Directory, RefusesOneWithoutAKnownFile) {
  EXPECT_NE(fault().find("expected at least one of perf/serving_measured.csv"), std::string::npos);
  write("serving_measured.csv", "a\n");
  EXPECT_NE(fault().find("found serving_measured.csv is not read; did you mean "
                         "\"perf/serving_measured.csv\"?"),
            std::string::npos)
      << fault();
}

TEST_F(Directory, RefusesWhatIsNoDirectory) {
  write("file", "a\n");
  root_ /= "file";
  EXPECT_NE(fault().find("expected a directory of data files"), std::string::npos) << fault();
  root_ = root_.parent_path();
  fs::create_directories(root_ / "perf" / "serving_measured.csv");
  EXPECT_NE(fault().find("expected a file, found something else"), std::string::npos) << fault();
}

}  // namespace
}  // namespace specroute::sim::validation
