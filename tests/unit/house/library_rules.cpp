// Each third-party library has one named place, and stays out of our headers: SimGrid, nlohmann,
// Boost.Graph and CLI11 cost 3 to 4 s of compile time each.
#include <algorithm>
#include <array>

#include "tests/unit/house/include_lines.hpp"
#include "tests/unit/house/include_rules.hpp"

namespace specroute::house {
namespace {

struct Library {
  std::string prefix;
  std::vector<std::string> places;
  bool of_the_system = false;  ///< cheap, and there anyway: a header of ours may include it
};

const std::vector<Library>& libraries() {
  static const std::vector<std::string> json = {"sim/json", "sim/report", "router", "tests"};
  static const std::vector<std::string> system = {"sim/engine", "sim/plugins", "sim/experiment",
                                                  "sim/report", "sim/cli",     "tests"};
  static const std::vector<Library> table = {
      {"simgrid/", {"sim/engine", "tests"}},
      {"xbt", {"sim/engine", "tests"}},
      {"boost/graph/", {"sim/topology"}},
      {"boost/property_map/", {"sim/topology"}},
      {"boost/random/", {"models/random"}},
      // In tests, the reference that ours is held against.
      {"boost/math/", {"sim/comparison", "tests"}},
      {"nlohmann/", json},
      {"CLI/", {"sim/cli"}},
      {"csv.h", {"sim/validation"}},
      {"valijson/", {"sim/json"}},
      {"unsupported/Eigen/", {"tests/fit"}},
      {"openssl/", {"router", "sim/digest", "tests"}},
      // Vector units of x86: the random draws of whole batches.
      {"immintrin.h", {"models/random"}, true},
      {"Random123/", {"models/random", "tests"}},
      {"sleef.h", {"models/random", "tests"}},
      {"benchmark/", {"tests/bench"}},
      {"gtest/", {"tests"}},
      {"gmock/", {"tests"}},
      {"rapidcheck", {"tests"}},
      // Large pages for large tables.
      {"sys/mman.h", {"models/speculation", "sim/experiment"}, true},
      // The operating system: processes, files and terminals.
      {"sys/", system, true},
      {"unistd.h", system, true},
      {"fcntl.h", system, true},
      {"poll.h", system, true},
      {"signal.h", system, true},
      {"dlfcn.h", system, true},
  };
  return table;
}

constexpr std::array kStandardC = {"assert.h", "ctype.h",  "errno.h",  "float.h",  "inttypes.h",
                                   "limits.h", "stdarg.h", "stdint.h", "stddef.h", "stdbool.h",
                                   "stdio.h",  "stdlib.h", "string.h", "locale.h", "math.h"};

bool standard(const std::string& spelling) {
  if (spelling.find_first_of("./") == std::string::npos) return true;
  return std::ranges::find(kStandardC, spelling) != kStandardC.end();
}

const Library* library_of(const std::string& spelling) {
  const auto library = std::ranges::find_if(
      libraries(), [&](const Library& one) { return spelling.starts_with(one.prefix); });
  return library == libraries().end() ? nullptr : &*library;
}

// What is wrong with this third-party include in this file; "" where nothing is.
std::string fault_of(const std::string& path, const std::string& spelling) {
  const auto* library = library_of(spelling);
  if (library == nullptr) {
    return "<" + spelling + "> belongs to no known library; give it a place in library_rules.cpp";
  }
  const bool placed =
      std::ranges::any_of(library->places, [&](const auto& place) { return lies_in(path, place); });
  if (!placed) return "<" + spelling + "> is included outside its place, " + library->places[0];
  const bool header = path.ends_with(".hpp") || path.ends_with(".h");
  if (header && !lies_in(path, "tests") && !library->of_the_system) {
    return "<" + spelling + "> is in a header; third-party headers stay in .cpp files";
  }
  return "";
}

// JSON is read in one file of the router alone.
Violations router_json_violations(const std::vector<SourceFile>& files) {
  Violations readers;
  for (const auto& file : files) {
    if (!lies_in(file.path, "router")) continue;
    for (const auto& include : include_lines(file.text)) {
      if (!include.spelling.starts_with("nlohmann/")) continue;
      readers.push_back({file.path, include.line, "the router reads JSON in more than one file"});
    }
  }
  const bool one_file = std::ranges::all_of(
      readers, [&](const Violation& reader) { return reader.path == readers.front().path; });
  return one_file ? Violations{} : readers;
}

}  // namespace

Violations library_violations(const std::vector<SourceFile>& files) {
  Violations found = router_json_violations(files);
  for (const auto& file : files) {
    for (const auto& include : include_lines(file.text)) {
      if (!repository_path(include).empty() || standard(include.spelling)) continue;
      const auto fault = fault_of(file.path, include.spelling);
      if (!fault.empty()) found.push_back({file.path, include.line, fault});
    }
  }
  return found;
}

}  // namespace specroute::house
