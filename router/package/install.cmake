# Installs the router policy library: component `router` is what a program needs to run, `router-dev`
# what it needs to be built, `router-python` the binding. Nothing installed knows the prefix, so a tree
# may be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/specroute_router")

# Exported as specroute_router::shared, ::static and ::headers; the last for a host that only loads.
set_target_properties(specroute_router_shared PROPERTIES EXPORT_NAME shared)
set_target_properties(specroute_router PROPERTIES EXPORT_NAME static)
set_target_properties(specroute_vocab PROPERTIES EXPORT_NAME headers)
install(TARGETS specroute_router_shared specroute_router specroute_vocab EXPORT specroute_router
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT router NAMELINK_COMPONENT router-dev
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT router-dev
  INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(EXPORT specroute_router NAMESPACE specroute_router:: FILE specroute_router-targets.cmake
  DESTINATION "${package_dir}" COMPONENT router-dev)

# The C header, its C++ face, and the two headers of the vocabulary that the face shows.
set(include_dir "${PROJECT_SOURCE_DIR}/include/specroute")
install(FILES "${include_dir}/policy_abi.h"
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/specroute" COMPONENT router-dev)
install(DIRECTORY "${include_dir}/router"
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/specroute" COMPONENT router-dev FILES_MATCHING PATTERN "*.hpp")
install(FILES "${include_dir}/vocab/check.hpp" "${include_dir}/vocab/result.hpp"
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/specroute/vocab" COMPONENT router-dev)
install(DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}/bindings/python/specroute_router"
  DESTINATION lib/python3/dist-packages COMPONENT router-python FILES_MATCHING PATTERN "*.py")

install(FILES "${PROJECT_SOURCE_DIR}/LICENSE"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/libspecroute-router${abi_major}" COMPONENT router RENAME copyright)

# find_package: before 1.0 a minor version may change the C++ face.
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/specroute_router-config.cmake.in"
  "${CMAKE_CURRENT_BINARY_DIR}/specroute_router-config.cmake" INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/specroute_router-config-version.cmake"
  VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/specroute_router-config.cmake"
  "${CMAKE_CURRENT_BINARY_DIR}/specroute_router-config-version.cmake"
  DESTINATION "${package_dir}" COMPONENT router-dev)

# pkg-config: the prefix is found from where the file lies.
set(pkgconfig_dir "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
file(RELATIVE_PATH pc_to_prefix "/prefix/${pkgconfig_dir}" "/prefix")
string(REGEX REPLACE "/$" "" pc_to_prefix "${pc_to_prefix}")
configure_file("${CMAKE_CURRENT_LIST_DIR}/specroute-router.pc.in"
  "${CMAKE_CURRENT_BINARY_DIR}/specroute-router.pc" @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/specroute-router.pc"
  DESTINATION "${pkgconfig_dir}" COMPONENT router-dev)

# A project that takes this one in makes its own packages.
if(CMAKE_SOURCE_DIR STREQUAL PROJECT_SOURCE_DIR OR specroute_router_alone)
  include("${CMAKE_CURRENT_LIST_DIR}/debian.cmake")
endif()
