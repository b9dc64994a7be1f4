/// @file
/// Results reach the disk whole or not at all.
///
/// Files are written into a new directory beside the final one, which then takes its name in one
/// step. Whoever looks, whenever the process is killed, sees the whole result or none. What a kill
/// in that short while may leave is a directory ".NAME.XXXXXX.partial", never one called NAME.
#pragma once

#include <string>
#include <vector>

#include <specroute/vocab/result.hpp>

namespace specroute::sim {

struct ResultFile {
  std::string name;
  std::string text;
};

enum class Existing {
  refuse,
  replace,  ///< only what is empty or holds a result of ours: a slip must not cost a home directory
};

/// Why `path` cannot become a result directory, as far as can be told before the work is done; no
/// diagnostics where it can. Touches nothing.
[[nodiscard]] Diagnostics check_destination(const std::string& path, Existing existing);

/// Why no file can be written at `path`; no diagnostics where one can. Touches nothing.
[[nodiscard]] Diagnostics check_file_destination(const std::string& path);

/// Writes a result directory, missing parents included. On failure nothing is left behind.
[[nodiscard]] Diagnostics write_result(const std::string& path,
                                       const std::vector<ResultFile>& files, Existing existing);

/// Writes or replaces one file, whole or not at all; of a link, the file behind it. A device, a
/// pipe or a descriptor (/dev/stdout) is written into and stays.
[[nodiscard]] Diagnostics write_whole_file(const std::string& path, const std::string& text);

}  // namespace specroute::sim
