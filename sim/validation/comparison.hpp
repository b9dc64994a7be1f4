/// @file
/// What a comparison of the models with measurement consists of. Plain data: sections fill it,
/// sim/report renders it.
#pragma once

#include <compare>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace specroute::sim::validation {

/// How far a figure of ours knew the one it is held against.
enum class Standing {
  fitted,     ///< a constant of the model was fitted on these very rows
  held_out,   ///< computed with constants that were fitted again without this group
  predicted,  ///< no constant of the model ever saw these rows
};

/// "fitted", "held out", "predicted".
[[nodiscard]] const char* to_string(Standing standing);

/// What is compared with what: rows are grouped by it. Parts that do not apply are empty.
struct Group {
  std::string system = {};     ///< as the data spell it: "h100_sxm"
  std::string engine = {};     ///< "vllm"
  std::string model = {};      ///< "Qwen3-32B"
  std::string precision = {};  ///< "bf16", "fp8"

  auto operator<=>(const Group&) const = default;
};

/// "h100_sxm vllm Llama-3.1-70B fp8": the parts that apply, one space between; "all" where none do.
[[nodiscard]] std::string to_string(const Group& group);

/// One figure of ours beside one of theirs.
struct Comparison {
  Group group = {};
  std::string quantity;        ///< "TPOT"; with the group, what errors are averaged over
  std::string condition = {};  ///< what tells this row from the others: "k = 5", "batch 16"
  std::string unit = {};       ///< "ms"; empty for pure numbers
  double ours = 0.0;           ///< in `unit`, finite
  double theirs = 0.0;         ///< in `unit`, finite, not 0
  std::string place;  ///< where theirs stands: "perf/serving_measured.csv:17", a paper's table
  Standing standing = Standing::predicted;
};

/// (ours - theirs) / theirs. theirs must not be 0.
[[nodiscard]] double relative_error(const Comparison& comparison);

/// Errors of one quantity in one group, fractions of the measured value.
struct GroupError {
  Group group;
  std::string quantity;
  std::string unit;
  Standing standing = Standing::predicted;
  std::size_t count = 0;
  double mean_absolute = 0.0;     ///< MAPE: mean |relative error|
  double bias = 0.0;              ///< mean relative error
  double worst = 0.0;             ///< the relative error of largest magnitude, with its sign
  std::string worst_place;        ///< where that one stands, its condition added
  double worst_difference = 0.0;  ///< largest |ours - theirs|, in `unit`
};

/// One entry per (group, quantity, standing), in that order. Ties for the worst: the first row.
[[nodiscard]] std::vector<GroupError> group_errors(std::span<const Comparison> comparisons);

/// All rows of `quantity` with that standing together, as one entry of an empty group; none without
/// such rows.
[[nodiscard]] std::optional<GroupError> overall_error(std::span<const Comparison> comparisons,
                                                      const std::string& quantity,
                                                      Standing standing);

enum class Direction { at_most, at_least };

/// What a limit promises.
enum class Pledge {
  stated,      ///< a requirement that stood before anything was measured
  guard,       ///< set with the figure in view: it holds what is there, and promises nothing more
  known_miss,  ///< a requirement that the models do not reach: shown as missed, no error of a run
};

/// "stated", "guard", "known miss".
[[nodiscard]] const char* to_string(Pledge pledge);

/// A limit on a figure. A missed one makes the command exit with 1, unless the miss is known.
struct Bound {
  std::string name;       ///< "TPOT, vLLM"
  std::string statistic;  ///< "MAPE, in sample"
  double measured = 0.0;  ///< of our models, as a fraction where `percent`
  double limit = 0.0;
  Direction direction = Direction::at_most;
  bool percent = false;  ///< shown times 100
  Pledge pledge = Pledge::stated;

  /// Not a number never meets a bound.
  [[nodiscard]] bool met() const {
    return direction == Direction::at_most ? measured <= limit : measured >= limit;
  }
};

/// One cell of a table: text, or a number shown with so many decimals.
struct Cell {
  Cell(std::string words) : text(std::move(words)) {}
  Cell(const char* words) : text(words) {}
  Cell(double value, int shown_decimals) : number(value), decimals(shown_decimals) {}

  std::string text = {};
  std::optional<double> number = std::nullopt;
  int decimals = 0;
};

/// Every row has as many cells as the header.
struct Table {
  std::string caption;
  std::vector<std::string> header;
  std::vector<std::vector<Cell>> rows;
};

/// Against what a section stands.
enum class Evidence {
  measurement,  ///< figures that others measured or published
  own_check,    ///< our own models against our own expectations: a check, never a validation
};

/// How comparisons are listed for people. JSON always has each of them.
enum class Listing { groups_alone, groups_and_rows };

/// One question put to the models, and the answer.
struct Section {
  std::string id;  ///< "leviathan": key in JSON
  std::string title;
  std::string question;  ///< one paragraph: what is asked, and how it is answered
  Evidence evidence = Evidence::measurement;
  Listing listing = Listing::groups_alone;
  std::vector<Comparison> comparisons = {};
  std::vector<Table> tables = {};
  std::vector<Bound> bounds = {};
  std::vector<std::string> notes = {};  ///< rows that were skipped and why; reservations
};

}  // namespace specroute::sim::validation
