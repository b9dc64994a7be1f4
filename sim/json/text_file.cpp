#include "sim/json/text_file.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

namespace specroute::sim {

Result<std::string> text_of_file(const std::string& path) {
  std::error_code error;
  const bool regular = std::filesystem::is_regular_file(path, error);
  std::ifstream stream(path, std::ios::binary);
  if (regular && stream) return std::string{std::istreambuf_iterator<char>(stream), {}};
  return Diagnostic{
      .file = path,
      .place = {},
      .expected = "a file that can be read",
      .found = std::filesystem::exists(path, error) ? "none that can" : "no such file",
      .nearest = {}};
}

}  // namespace specroute::sim
