#include "tests/unit/house/source_tree.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

namespace specroute::house {
namespace {

namespace fs = std::filesystem;

constexpr std::array kCodeFolders = {"cmake", "include", "models", "router", "sim", "tests"};
constexpr std::array kSourceEndings = {".c", ".cpp", ".h", ".hpp"};

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

std::vector<std::string> code_folder_paths() {
  const fs::path root = SPECROUTE_SOURCE_DIR;
  std::vector<std::string> paths;
  for (const char* folder : kCodeFolders) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      if (entry.is_regular_file()) paths.push_back(entry.path().lexically_relative(root).string());
    }
  }
  std::ranges::sort(paths);
  return paths;
}

std::vector<SourceFile> source_files() {
  std::vector<SourceFile> files;
  for (const auto& path : code_folder_paths()) {
    const auto ending = fs::path(path).extension().string();
    if (std::ranges::find(kSourceEndings, ending) == kSourceEndings.end()) continue;
    files.push_back({path, text_of(fs::path(SPECROUTE_SOURCE_DIR) / path)});
  }
  return files;
}

bool lies_in(const std::string& path, const std::string& folder) {
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string to_string(const Violations& violations) {
  std::string text;
  for (const auto& violation : violations) {
    text += violation.path + ":" + std::to_string(violation.line) + ": " + violation.what + "\n";
  }
  return text;
}

}  // namespace specroute::house
