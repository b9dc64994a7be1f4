# `cpack -G DEB`: three packages, named as Debian's policy names libraries.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME specroute-router)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "The specroute authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Routing policies for speculative decoding")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL router router-dev router-python)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)

set(library_package libspecroute-router${abi_major})
set(CPACK_DEBIAN_ROUTER_PACKAGE_NAME ${library_package})
set(CPACK_DEBIAN_ROUTER_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_ROUTER_DESCRIPTION "The shared library. It decides from counts and fingerprints whether a
 draft's acceptance rate may be rewarded.")
set(CPACK_DEBIAN_ROUTER-DEV_PACKAGE_NAME libspecroute-router-dev)
set(CPACK_DEBIAN_ROUTER-DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_ROUTER-DEV_PACKAGE_DEPENDS "${library_package} (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_ROUTER-DEV_PACKAGE_RECOMMENDS libssl-dev)
set(CPACK_DEBIAN_ROUTER-DEV_DESCRIPTION "Headers, static library, CMake package and pkg-config file.")
set(CPACK_DEBIAN_ROUTER-PYTHON_PACKAGE_NAME python3-specroute-router)
set(CPACK_DEBIAN_ROUTER-PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_ROUTER-PYTHON_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_ROUTER-PYTHON_PACKAGE_DEPENDS "python3, ${library_package}")
set(CPACK_DEBIAN_ROUTER-PYTHON_DESCRIPTION "The rule for acceptance after a fail-over, from Python.")

# What the library itself depends on is read off it.
find_program(SPECROUTE_SHLIBDEPS dpkg-shlibdeps)
mark_as_advanced(SPECROUTE_SHLIBDEPS)
if(SPECROUTE_SHLIBDEPS)
  set(CPACK_DEBIAN_ROUTER_PACKAGE_SHLIBDEPS ON)
endif()
# What links the library gets its package as a dependency; within one SONAME a later version serves. CPack knows
# these two for all packages alone: of one component, they do nothing and say nothing.
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
include(CPack)
