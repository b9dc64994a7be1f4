# One library per folder: specroute_library(NAME SOURCES ... LINKS ... PRIVATE_LINKS ...) makes target
# `specroute_NAME` with alias `specroute::NAME`, the warnings of the house, and includes from the root.

add_library(specroute_options INTERFACE)
target_compile_features(specroute_options INTERFACE cxx_std_20)
target_compile_options(specroute_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow $<$<COMPILE_LANGUAGE:CXX>:-Wconversion>
  # Clang builds the fuzzers alone; its other opinions do not stop them.
  $<$<CXX_COMPILER_ID:GNU>:-Werror>
  # GCC 12 sees an overlap in `"text" + std::string` at -O2 and above that is not there (bug 105329).
  $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>
  # Contraction of a*b+c into a fused operation changes bits between CPUs.
  -ffp-contract=off)
target_include_directories(specroute_options INTERFACE "${PROJECT_SOURCE_DIR}")

function(specroute_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS;PRIVATE_LINKS" ${ARGN})
  add_library(specroute_${name} STATIC ${ARG_SOURCES})
  add_library(specroute::${name} ALIAS specroute_${name})
  set_target_properties(specroute_${name} PROPERTIES
    CXX_EXTENSIONS OFF CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(specroute_${name}
    PUBLIC specroute_vocab ${ARG_LINKS}
    PRIVATE $<BUILD_INTERFACE:specroute_options> ${ARG_PRIVATE_LINKS})
  # Folders that read, write and compare: the optimiser has nothing to win there, and they are most of
  # what a build takes.
  set(cold
    sim_check sim_cli sim_comparison sim_experiment sim_json sim_plugins sim_policy_test sim_records sim_replay
    sim_report sim_scenario sim_sweep sim_telemetry sim_validation)
  if(name IN_LIST cold)
    target_compile_options(specroute_${name} PRIVATE $<$<CONFIG:Release>:-O1> $<$<CONFIG:Sanitize>:-O0>)
  endif()
  # Third-party headers are not ours to warn about.
  target_include_directories(specroute_${name} PUBLIC "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>")
endfunction()

# One target per label, so that a build can stop at the tests it is going to run.
foreach(label unit property golden sim slow)
  if(NOT TARGET ${label}_tests)
    add_custom_target(${label}_tests)
  endif()
endforeach()

# specroute_test(NAME LABEL SOURCES ... LINKS ... NOT_SANITIZED ...): one GoogleTest program; LABEL is unit, property,
# golden, sim or slow. NOT_SANITIZED names tests whose claim is no sanitizer's (the same bytes twice, a page that is as
# it was) and whose code others of the sanitized tests run: the sanitizers make them an order of magnitude dearer.
function(specroute_test name label)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS;NOT_SANITIZED" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE specroute_options ${ARG_LINKS} GTest::gtest GTest::gmock GTest::gtest_main)
  target_compile_definitions(${name} PRIVATE SPECROUTE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  # What is tested is optimised as shipped; optimising the assertions too only costs time, and under
  # the sanitizers twice as much of it.
  target_compile_options(${name} PRIVATE $<$<OR:$<CONFIG:Release>,$<CONFIG:Sanitize>>:-O0>)
  add_dependencies(${label}_tests ${name})
  # A sanitizer's process takes most of a second to begin, so there four share the tests of a program.
  if(CMAKE_BUILD_TYPE STREQUAL "Sanitize")
    set(filter "")
    if(ARG_NOT_SANITIZED)
      list(JOIN ARG_NOT_SANITIZED ":" left_out)
      set(filter ";GTEST_FILTER=-${left_out}")
    endif()
    foreach(shard RANGE 3)
      add_test(NAME ${label}.${name}.${shard} COMMAND ${name})
      set_tests_properties(${label}.${name}.${shard} PROPERTIES LABELS ${label}
        ENVIRONMENT "GTEST_TOTAL_SHARDS=4;GTEST_SHARD_INDEX=${shard}${filter}")
    endforeach()
  else()
    gtest_discover_tests(${name} TEST_PREFIX "${label}." PROPERTIES LABELS ${label} DISCOVERY_TIMEOUT 60)
  endif()
endfunction()
