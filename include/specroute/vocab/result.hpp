/// @file
/// `Result<T>`: a value, or every diagnostic that input deserves, all at once.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <specroute/vocab/check.hpp>

namespace specroute {

/// One fault of an input. `place` is a JSON pointer, or "line:column" where there is no tree yet.
/// Empty parts are left out when printed.
struct Diagnostic {
  std::string file;
  std::string place;
  std::string expected;
  std::string found;
  std::string nearest;  ///< the nearest valid spelling, for a key or a name that is unknown
};

/// "file: place: expected X, found Y; did you mean "Z"?"
inline std::string to_string(const Diagnostic& fault) {
  std::string text = fault.file;
  const auto append = [&text](const char* separator, const std::string& part) {
    if (part.empty()) return;
    text += text.empty() ? "" : separator;
    text += part;
  };
  append(": ", fault.place);
  append(": ", fault.expected.empty() ? std::string{} : "expected " + fault.expected);
  append(fault.expected.empty() ? ": " : ", ",
         fault.found.empty() ? std::string{} : "found " + fault.found);
  append("; ", fault.nearest.empty() ? std::string{} : "did you mean \"" + fault.nearest + "\"?");
  return text;
}

using Diagnostics = std::vector<Diagnostic>;

/// Holds a T, or a non-empty list of diagnostics.
template <class T>
class Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Diagnostic fault) : Result(Diagnostics{std::move(fault)}) {}
  Result(Diagnostics faults) : state_(std::in_place_index<1>, std::move(faults)) {
    check(!diagnostics().empty(), "a failed Result carries at least one diagnostic");
  }

  [[nodiscard]] bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  [[nodiscard]] const T& value() const& {
    check(ok(), "value() is asked of a Result that holds one");
    return *std::get_if<0>(&state_);
  }
  [[nodiscard]] T&& value() && {
    check(ok(), "value() is asked of a Result that holds one");
    return std::move(*std::get_if<0>(&state_));
  }
  [[nodiscard]] const Diagnostics& diagnostics() const {
    check(!ok(), "diagnostics() is asked of a Result that failed");
    return *std::get_if<1>(&state_);
  }

 private:
  std::variant<T, Diagnostics> state_;
};

}  // namespace specroute
