# cmake -D SOURCE=<checkout> -D OUTPUT=<source file> -P commit.cmake
# Writes the commit of a checkout as a source file, and only when it changed, so that a build after
# nothing happened compiles nothing.
set(commit "unknown")
set(dirty "false")
find_program(GIT git)
if(GIT)
  execute_process(COMMAND "${GIT}" -C "${SOURCE}" rev-parse --verify --quiet HEAD
    OUTPUT_VARIABLE head OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE status ERROR_QUIET)
  if(status EQUAL 0)
    set(commit "${head}")
    execute_process(COMMAND "${GIT}" -C "${SOURCE}" status --porcelain
      OUTPUT_VARIABLE changes RESULT_VARIABLE status ERROR_QUIET)
    if(NOT status EQUAL 0 OR NOT changes STREQUAL "")
      set(dirty "true")
    endif()
  endif()
endif()
file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT
"// Written by commit.cmake at every build.
#include \"sim/report/build_info.hpp\"

namespace specroute::sim {

const char* const kBuiltCommit = \"${commit}\";
const bool kBuiltDirty = ${dirty};

}  // namespace specroute::sim
")
