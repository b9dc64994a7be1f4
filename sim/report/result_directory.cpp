#include "sim/report/result_directory.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace specroute::sim {
namespace {

namespace fs = std::filesystem;

/// One operating-system refusal as a diagnostic.
Diagnostics refusal(const fs::path& path, const std::string& expected, int error) {
  return {{.file = path.string(),
           .place = {},
           .expected = expected,
           .found = std::strerror(error),
           .nearest = {}}};
}

Diagnostics fault(const fs::path& path, const std::string& expected, const std::string& found) {
  return {
      {.file = path.string(), .place = {}, .expected = expected, .found = found, .nearest = {}}};
}

/// Without a trailing slash, so that it has a last name and a parent.
fs::path tidy(const std::string& path) {
  fs::path tidied = fs::path(path).lexically_normal();
  return tidied.has_filename() ? tidied : tidied.parent_path();
}

fs::path parent_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

/// Whether entries can be made under `path`, or in the nearest directory above it that exists.
Diagnostics check_parent(const fs::path& path) {
  fs::path parent = parent_of(path);
  std::error_code unread;
  while (!fs::exists(parent, unread) && parent != parent_of(parent)) parent = parent_of(parent);
  if (!fs::is_directory(parent, unread))
    return fault(path, "a path below a directory", parent.string() + ", which is none");
  if (access(parent.c_str(), W_OK | X_OK) != 0)
    return refusal(path, "a directory that can be written to", errno);
  return {};
}

bool is_ours(const fs::path& directory) {
  std::error_code unread;
  return fs::is_empty(directory, unread) || (fs::exists(directory / "manifest.json", unread) &&
                                             fs::exists(directory / "summary.json", unread));
}

/// Writes and syncs a new file. 0, or the error.
int write_all(int file, const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t part = write(file, text.data() + done, text.size() - done);
    if (part < 0 && errno != EINTR) return errno;
    if (part > 0) done += static_cast<std::size_t>(part);
  }
  return 0;
}

int write_file(const fs::path& path, const std::string& text) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) return errno;
  int error = write_all(file, text);
  if (error == 0 && fsync(file) != 0) error = errno;
  if (close(file) != 0 && error == 0) error = errno;
  return error;
}

/// Whether the name stands for what is written into as it is: a device, a pipe, a descriptor. No
/// file may take its place.
bool is_stream(const fs::path& path) {
  const std::string name = path.string();
  if (name == "/dev/stdout" || name == "/dev/stderr" || name.starts_with("/dev/fd/")) return true;
  std::error_code unread;
  const fs::file_status status = fs::status(path, unread);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

int write_stream(const fs::path& path, const std::string& text) {
  const int file = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return errno;
  int error = write_all(file, text);
  if (close(file) != 0 && error == 0) error = errno;
  return error;
}

/// The file behind a link: the link stays what it is.
fs::path behind(const fs::path& path) {
  std::error_code failed;
  const fs::path real = fs::canonical(path, failed);
  return failed ? path : real;
}

/// A new directory beside `path`; removed with all it holds unless it was given its name.
class PartialDirectory {
 public:
  explicit PartialDirectory(const fs::path& path) {
    std::string name = (parent_of(path) / ('.' + path.filename().string() + ".XXXXXX.partial"));
    if (mkdtemp_suffix(name)) path_ = name;
  }
  ~PartialDirectory() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  PartialDirectory(const PartialDirectory&) = delete;
  PartialDirectory& operator=(const PartialDirectory&) = delete;

  [[nodiscard]] bool exists() const { return !path_.empty(); }
  [[nodiscard]] const fs::path& path() const { return path_; }

  /// Takes the final name. Replacing swaps the two, and what was there goes with this object.
  /// 0, or the error.
  int become(const fs::path& final, Existing existing) {
    const bool swap = existing == Existing::replace && fs::exists(fs::symlink_status(final));
    const unsigned flags = swap ? RENAME_EXCHANGE : RENAME_NOREPLACE;
    if (renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, final.c_str(), flags) == 0) {
      if (!swap) path_.clear();
      return 0;
    }
    if (errno != EINVAL && errno != ENOSYS) return errno;
    return become_in_steps(final, swap);
  }

 private:
  /// mkdtemp wants its X's at the end; ours stand before a suffix.
  static bool mkdtemp_suffix(std::string& name) {
    const std::size_t place = name.rfind("XXXXXX");
    std::string stem = name.substr(0, place + 6);
    if (mkdtemp(stem.data()) == nullptr) return false;
    name.replace(0, stem.size(), stem);
    // Readable by whoever could read a directory made the usual way.
    const mode_t mask = umask(0);
    umask(mask);
    if (chmod(stem.c_str(), 0777 & ~mask) == 0 && std::rename(stem.c_str(), name.c_str()) == 0)
      return true;
    rmdir(stem.c_str());
    return false;
  }

  /// For file systems that know no flags of rename: between two steps there is no result at all,
  /// but never half a one.
  int become_in_steps(const fs::path& final, bool swap) {
    const fs::path old = path_.string() + ".old";
    if (swap && std::rename(final.c_str(), old.c_str()) != 0) return errno;
    if (!swap && fs::exists(fs::symlink_status(final))) return EEXIST;
    if (std::rename(path_.c_str(), final.c_str()) != 0) {
      const int error = errno;
      if (swap) std::rename(old.c_str(), final.c_str());
      return error;
    }
    path_ = swap ? old : fs::path();
    return 0;
  }

  fs::path path_;
};

}  // namespace

Diagnostics check_destination(const std::string& path, Existing existing) {
  const fs::path final = tidy(path);
  if (final.empty() || !final.has_filename() || final == "." || final == "..")
    return fault(path, "the name of a new directory", "none");
  std::error_code unread;
  const bool taken = fs::exists(fs::symlink_status(final, unread));
  if (taken && existing == Existing::refuse)
    return fault(path, "a new directory (--force replaces a result)", "one that exists");
  if (taken && !fs::is_directory(fs::symlink_status(final, unread)))
    return fault(path, "a directory to replace", "something else of that name");
  if (taken && !is_ours(final))
    return fault(path, "an empty directory or a result to replace",
                 "a directory with other contents");
  return check_parent(final);
}

Diagnostics check_file_destination(const std::string& path) {
  const fs::path final = tidy(path);
  if (is_stream(final)) return {};
  std::error_code unread;
  if (final.empty() || fs::is_directory(final, unread))
    return fault(path, "the name of a file", "a directory");
  if (!fs::exists(parent_of(final), unread))
    return fault(path, "a file in a directory that exists", "none");
  return check_parent(final);
}

Diagnostics write_result(const std::string& path, const std::vector<ResultFile>& files,
                         Existing existing) {
  // Time has passed since the destination was looked at first.
  if (auto faults = check_destination(path, existing); !faults.empty()) return faults;
  const fs::path final = tidy(path);
  std::error_code failed;
  fs::create_directories(parent_of(final), failed);
  if (failed) return fault(path, "a parent directory that can be made", failed.message());
  PartialDirectory partial(final);
  if (!partial.exists()) return refusal(path, "a directory that can be written to", errno);
  for (const ResultFile& file : files)
    if (const int error = write_file(partial.path() / file.name, file.text); error != 0)
      return refusal(path, "room for " + file.name, error);
  if (const int error = partial.become(final, existing); error != 0)
    return refusal(path, "a name that can be taken", error);
  return {};
}

Diagnostics write_whole_file(const std::string& path, const std::string& text) {
  const fs::path named = tidy(path);
  if (is_stream(named)) {
    const int error = write_stream(named, text);
    return error == 0 ? Diagnostics{} : refusal(path, "a device or pipe with room", error);
  }
  const fs::path final = behind(named);
  const fs::path partial = parent_of(final) / ('.' + final.filename().string() + '.' +
                                               std::to_string(getpid()) + ".partial");
  int error = write_file(partial, text);
  if (error == 0 && std::rename(partial.c_str(), final.c_str()) != 0) error = errno;
  if (error == 0) return {};
  unlink(partial.c_str());
  return refusal(path, "a file that can be written", error);
}

}  // namespace specroute::sim
