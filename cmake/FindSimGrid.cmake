# Finds SimGrid, which Debian ships with a .pc file but without a CMake package. Defines SimGrid::SimGrid and SimGrid_VERSION.
# The target is imported, hence its headers are system headers and cannot fail our warnings; it is global because a static
# library of ours that uses it privately still hands it to the link of every program.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(PC_SimGrid QUIET simgrid)
endif()

find_path(SimGrid_INCLUDE_DIR simgrid/s4u.hpp HINTS ${PC_SimGrid_INCLUDE_DIRS} PATH_SUFFIXES include)
find_library(SimGrid_LIBRARY simgrid HINTS ${PC_SimGrid_LIBRARY_DIRS} PATH_SUFFIXES lib)
mark_as_advanced(SimGrid_INCLUDE_DIR SimGrid_LIBRARY)

if(SimGrid_INCLUDE_DIR AND EXISTS "${SimGrid_INCLUDE_DIR}/simgrid/version.h")
  file(STRINGS "${SimGrid_INCLUDE_DIR}/simgrid/version.h" _simgrid_version_lines
    REGEX "#define SIMGRID_VERSION_(MAJOR|MINOR|PATCH) ")
  string(REGEX REPLACE "[^0-9;]" "" _simgrid_version "${_simgrid_version_lines}")
  string(REPLACE ";" "." SimGrid_VERSION "${_simgrid_version}")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SimGrid
  REQUIRED_VARS SimGrid_LIBRARY SimGrid_INCLUDE_DIR
  VERSION_VAR SimGrid_VERSION)

if(SimGrid_FOUND AND NOT TARGET SimGrid::SimGrid)
  add_library(SimGrid::SimGrid UNKNOWN IMPORTED GLOBAL)
  set_target_properties(SimGrid::SimGrid PROPERTIES
    IMPORTED_LOCATION "${SimGrid_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${SimGrid_INCLUDE_DIR}")
endif()
