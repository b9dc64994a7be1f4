# specroute_embed(FILE HEADER FUNCTION OUT): makes the source OUT, which defines the function that HEADER
# declares and returns the text of FILE. A text travels inside the library that reads it: an installed
# program needs no path to it. One literal per line, since a compiler need not take a single one of any length.
function(specroute_embed file header function out)
  set(path "${PROJECT_SOURCE_DIR}/${file}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${path}")
  file(READ "${path}" literals)
  string(REGEX REPLACE "\n$" "" literals "${literals}")
  string(REPLACE "\\" "\\\\" literals "${literals}")
  string(REPLACE "\"" "\\\"" literals "${literals}")
  string(REPLACE "\n" "\\n\"\n\"" literals "${literals}")
  set(EMBEDDED_FILE "${file}")
  set(EMBEDDED_HEADER "${header}")
  set(EMBEDDED_FUNCTION "${function}")
  set(EMBEDDED_LITERALS "\"${literals}\\n\"")
  configure_file("${PROJECT_SOURCE_DIR}/cmake/embedded_text.cpp.in" "${out}" @ONLY)
endfunction()
