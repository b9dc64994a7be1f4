/// @file
/// The data files that a validation reads, held as text: what sections compute is a pure function
/// of it.
///
/// DIR holds any subset of
///   perf/serving_measured.csv           median TTFT and TPOT of serving engines
///   perf/gemm_bf16_SYSTEM.csv           matrix products
///   perf/decode_attention_SYSTEM.csv    attention of one new token
///   perf/allreduce_SYSTEM.csv           all-reduces
///   acceptance/NAME.csv                 mean acceptance lengths
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <specroute/vocab/result.hpp>

#include "sim/validation/csv.hpp"

namespace specroute::sim::validation {

/// Kinds of files, by how their names begin.
inline constexpr std::string_view kServingFiles = "perf/serving_measured";
inline constexpr std::string_view kGemmFiles = "perf/gemm_bf16_";
inline constexpr std::string_view kDecodeAttentionFiles = "perf/decode_attention_";
inline constexpr std::string_view kAllReduceFiles = "perf/allreduce_";
inline constexpr std::string_view kAcceptanceFiles = "acceptance/";

struct DataFile {
  std::string name;     ///< relative to the directory, with '/'
  std::string variant;  ///< the name between its kind and ".csv": a system, "" for serving
  std::string text;
};

/// Files by name in alphabetical order. Default-constructed it holds none.
class DataDirectory {
 public:
  DataDirectory() = default;
  /// For tests and other sources of text. Names as in the list above; anything else is a bug.
  explicit DataDirectory(std::vector<DataFile> files);

  /// Reads every file of a known kind. Refused: a directory that cannot be read; one without any
  /// such file, since that is more likely a slip than a wish; a file above 256 MiB.
  [[nodiscard]] static Result<DataDirectory> read(const std::string& path);

  [[nodiscard]] const std::vector<DataFile>& files() const { return files_; }
  /// Those of one kind. @param kind one of the constants above.
  [[nodiscard]] std::vector<const DataFile*> files_of(std::string_view kind) const;
  /// CSV files that no section reads, each with the nearest name that one would.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

 private:
  std::vector<DataFile> files_;
  std::vector<std::string> notes_;
};

}  // namespace specroute::sim::validation
