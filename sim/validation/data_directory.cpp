#include "sim/validation/data_directory.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>

#include <specroute/vocab/check.hpp>

#include "sim/json/nearest.hpp"

namespace specroute::sim::validation {
namespace {

namespace fs = std::filesystem;

constexpr std::array kKinds = {kServingFiles, kGemmFiles, kDecodeAttentionFiles, kAllReduceFiles,
                               kAcceptanceFiles};
constexpr std::string_view kEnding = ".csv";
constexpr std::uintmax_t kLargest = 256U << 20U;

Diagnostic fault(const fs::path& path, std::string expected, std::string found) {
  return {.file = path.string(),
          .place = {},
          .expected = std::move(expected),
          .found = std::move(found),
          .nearest = {}};
}

/// Whether files of that kind stand for one system each.
bool has_variants(std::string_view kind) {
  return kind.ends_with('_') || kind.ends_with('/');
}

/// What stands between kind and ending; none for a file of another kind.
std::optional<std::string> variant_of(std::string_view name, std::string_view kind) {
  if (!name.starts_with(kind) || !name.ends_with(kEnding)) return std::nullopt;
  if (name.size() < kind.size() + kEnding.size()) return std::nullopt;
  const auto variant = name.substr(kind.size(), name.size() - kind.size() - kEnding.size());
  if (has_variants(kind) == variant.empty()) return std::nullopt;
  return std::string(variant);
}

std::optional<std::string> variant_of(std::string_view name) {
  for (const std::string_view kind : kKinds)
    if (auto variant = variant_of(name, kind)) return variant;
  return std::nullopt;
}

/// Names of the CSV files in the directory and the two folders that matter, sorted.
Result<std::vector<std::string>> names_in(const fs::path& directory) {
  std::vector<std::string> names;
  for (const char* folder : {"", "perf", "acceptance"}) {
    const fs::path path = *folder == '\0' ? directory : directory / folder;
    std::error_code failed;
    if (*folder != '\0' && !fs::exists(path, failed)) continue;
    for (fs::directory_iterator entry(path, failed), end; !failed && entry != end;
         entry.increment(failed))
      if (entry->path().extension() == kEnding)
        names.push_back((fs::path(folder) / entry->path().filename()).generic_string());
    if (failed) return fault(path, "a directory of data files", failed.message());
  }
  std::ranges::sort(names);
  return names;
}

Result<std::string> text_of(const fs::path& path) {
  std::error_code failed;
  if (!fs::is_regular_file(path, failed)) return fault(path, "a file", "something else");
  if (fs::file_size(path, failed) > kLargest) return fault(path, "at most 256 MiB", "more");
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file.good() && !file.eof()) return fault(path, "a file that can be read", "an error");
  return text;
}

/// "perf/gemm_bf16_l4.csv" for "perf/gem_bf16_l4.csv": every kind before every ending of the name.
std::string nearest_name(const std::string& name) {
  const std::string last = fs::path(name).filename().string();
  std::vector<std::string> candidates = {std::string(kServingFiles) + std::string(kEnding)};
  for (const std::string_view kind : {kGemmFiles, kDecodeAttentionFiles, kAllReduceFiles})
    for (std::size_t at = last.find('_'); at != std::string::npos; at = last.find('_', at + 1))
      candidates.push_back(std::string(kind) + last.substr(at + 1));
  return nearest_of(name.starts_with("perf/") ? name : "perf/" + name, candidates);
}

/// What to say of a CSV file of no known kind; "" of one in DIR itself that resembles none.
std::string unread_note(const std::string& name) {
  const std::string nearest = nearest_name(name);
  if (!nearest.empty()) return name + " is not read; did you mean \"" + nearest + "\"?";
  return name.find('/') == std::string::npos ? "" : name + " is not read";
}

Result<std::vector<DataFile>> read_files(const fs::path& directory,
                                         const std::vector<std::string>& names) {
  Diagnostics faults;
  std::vector<DataFile> files;
  for (const std::string& name : names) {
    auto text = text_of(directory / name);
    if (text)
      files.push_back({name, {}, std::move(text).value()});
    else
      faults.insert(faults.end(), text.diagnostics().begin(), text.diagnostics().end());
  }
  if (!faults.empty()) return faults;
  return files;
}

}  // namespace

DataDirectory::DataDirectory(std::vector<DataFile> files) : files_(std::move(files)) {
  std::ranges::sort(files_, {}, &DataFile::name);
  for (DataFile& file : files_) {
    const auto variant = variant_of(file.name);
    check(variant.has_value(), "a data file has a name of a known kind");
    file.variant = *variant;
  }
}

Result<DataDirectory> DataDirectory::read(const std::string& path) {
  const fs::path directory(path);
  const auto names = names_in(directory);
  if (!names) return names.diagnostics();
  std::vector<std::string> known;
  std::vector<std::string> notes;
  for (const std::string& name : names.value()) {
    if (variant_of(name))
      known.push_back(name);
    else if (std::string note = unread_note(name); !note.empty())
      notes.push_back(std::move(note));
  }
  if (known.empty())
    return fault(directory,
                 "at least one of perf/serving_measured.csv, perf/gemm_bf16_*.csv, "
                 "perf/decode_attention_*.csv, perf/allreduce_*.csv, acceptance/*.csv",
                 notes.empty() ? "no data file" : notes.front());
  auto files = read_files(directory, known);
  if (!files) return files.diagnostics();
  DataDirectory data(std::move(files).value());
  data.notes_ = std::move(notes);
  return data;
}

std::vector<const DataFile*> DataDirectory::files_of(std::string_view kind) const {
  std::vector<const DataFile*> found;
  for (const DataFile& file : files_)
    if (variant_of(file.name, kind)) found.push_back(&file);
  return found;
}

}  // namespace specroute::sim::validation
