/// @file
/// A folder that no other test has, of this build or of one beside it, gone when its owner is.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

#include <stdlib.h>

#include <gtest/gtest.h>

namespace specroute {

class ScratchFolder {
 public:
  ScratchFolder() : path_(testing::TempDir() + "specroute_XXXXXX") {
    if (mkdtemp(path_.data()) == nullptr) throw std::runtime_error("no folder " + path_);
  }
  ~ScratchFolder() { std::filesystem::remove_all(path_); }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  [[nodiscard]] std::filesystem::path path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace specroute
