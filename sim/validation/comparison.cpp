#include "sim/validation/comparison.hpp"

#include <cmath>
#include <map>
#include <tuple>

#include <specroute/vocab/check.hpp>

namespace specroute::sim::validation {
namespace {

void add(GroupError& error, const Comparison& row) {
  const double relative = relative_error(row);
  ++error.count;
  error.mean_absolute += std::abs(relative);
  error.bias += relative;
  if (error.count == 1 || std::abs(relative) > std::abs(error.worst)) {
    error.worst = relative;
    error.worst_place = row.condition.empty() ? row.place : row.place + " (" + row.condition + ')';
  }
  error.worst_difference = std::max(error.worst_difference, std::abs(row.ours - row.theirs));
}

void divide(GroupError& error) {
  const auto count = static_cast<double>(error.count);
  error.mean_absolute /= count;
  error.bias /= count;
}

GroupError empty_error(const Comparison& row) {
  GroupError error;
  error.quantity = row.quantity;
  error.unit = row.unit;
  error.standing = row.standing;
  return error;
}

}  // namespace

const char* to_string(Pledge pledge) {
  constexpr const char* kNames[] = {"stated", "guard", "known miss"};
  return kNames[static_cast<std::size_t>(pledge)];
}

const char* to_string(Standing standing) {
  switch (standing) {
    case Standing::fitted:
      return "fitted";
    case Standing::held_out:
      return "held out";
    case Standing::predicted:
      break;
  }
  return "predicted";
}

std::string to_string(const Group& group) {
  std::string text;
  for (const std::string* part : {&group.system, &group.engine, &group.model, &group.precision}) {
    if (part->empty()) continue;
    if (!text.empty()) text += ' ';
    text += *part;
  }
  return text.empty() ? "all" : text;
}

double relative_error(const Comparison& comparison) {
  check(comparison.theirs != 0.0, "a relative error has a measured value other than 0");
  return (comparison.ours - comparison.theirs) / comparison.theirs;
}

std::vector<GroupError> group_errors(std::span<const Comparison> comparisons) {
  std::map<std::tuple<Group, std::string, Standing>, GroupError> groups;
  for (const Comparison& row : comparisons) {
    auto& error =
        groups.try_emplace({row.group, row.quantity, row.standing}, empty_error(row)).first->second;
    error.group = row.group;
    add(error, row);
  }
  std::vector<GroupError> errors;
  for (auto& [key, error] : groups) {
    divide(error);
    errors.push_back(std::move(error));
  }
  return errors;
}

std::optional<GroupError> overall_error(std::span<const Comparison> comparisons,
                                        const std::string& quantity, Standing standing) {
  std::optional<GroupError> error;
  for (const Comparison& row : comparisons) {
    if (row.quantity != quantity || row.standing != standing) continue;
    if (!error) error = empty_error(row);
    add(*error, row);
  }
  if (error) divide(*error);
  return error;
}

}  // namespace specroute::sim::validation
