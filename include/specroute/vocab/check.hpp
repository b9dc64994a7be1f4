/// @file
/// `check` guards what only a bug of ours can break. It is on in every build, and it aborts:
/// a simulation that has lost an invariant must not go on to print a number.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <source_location>

namespace specroute {

/// Aborts with place and sentence unless `condition` holds. `must_hold` states the invariant.
/// Bad input is not a bug: it is reported through `Result`.
inline void check(bool condition, const char* must_hold,
                  std::source_location where = std::source_location::current()) {
  if (condition) [[likely]]
    return;
  std::fprintf(stderr, "specroute: bug: %s:%u: must hold: %s\n", where.file_name(), where.line(),
               must_hold);
  std::abort();
}

}  // namespace specroute
