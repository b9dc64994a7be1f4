#!/bin/sh
# The router library as others get it: installed from the build tree (nothing of it is built again),
# then used by a project that knows only the installed files.
#   package_test.sh CASE SOURCE_DIR BUILD_DIR
# with CMAKE, CPACK, CC, CXX, GENERATOR in the environment. Status 77: a tool is missing.
set -eu
source=$2
build=$3

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

die() {
  printf 'package_test: %s\n' "$*" >&2
  exit 1
}
need() {
  for tool in "$@"; do
    command -v "$tool" >/dev/null && continue
    echo "skipped: $tool is missing"
    exit 77
  done
}

# Installs, and moves what was installed: nothing in it may know where it was meant to lie.
install_tree() {
  for component in router router-dev; do
    "$CMAKE" --install "$build" --prefix "$work/first" --component "$component" >/dev/null
  done
  mv "$work/first" "$work/tree"
}

# The version that the library gives itself must be that of the package.
expect_version() {
  [ "$(head -n 1 "$work/said")" = "specroute $1" ] ||
    die "the library says '$(head -n 1 "$work/said")', the package $1"
}

# build_c_host PREFIX: compiles the host in C by pkg-config alone, and runs it.
build_c_host() {
  PKG_CONFIG_PATH=$(dirname "$(find "$1" -name specroute-router.pc)")
  export PKG_CONFIG_PATH
  # shellcheck disable=SC2046  # one word per flag
  "$CC" -std=c99 -Wall -Wextra -pedantic -Werror "$source/router/examples/host.c" -o "$work/host" \
    $(pkg-config --cflags --libs specroute-router)
  libraries=$(pkg-config --variable=libdir specroute-router)
  LD_LIBRARY_PATH=$libraries "$work/host" >"$work/said" || die "the host in C failed: $(cat "$work/said")"
  grep -q ' REBIND ' "$work/said" || die "no REBIND: $(cat "$work/said")"
  expect_version "$(pkg-config --modversion specroute-router)"
}

exports() {
  need nm readelf
  install_tree
  library=$(find "$work/tree" -type f -name 'libspecroute_router.so.*')
  found=$(nm -D --defined-only "$library" | sed 's/.* //')
  [ "$found" = srp_module_get ] || die "exports other than srp_module_get: $found"
  readelf -d "$library" | grep -qF 'soname: [libspecroute_router.so.1]' || die "another SONAME"
  if readelf -d "$library" | grep -qE 'RPATH|RUNPATH'; then die "it looks for libraries in a build tree"; fi
}

pkg_config() {
  need pkg-config
  install_tree
  build_c_host "$work/tree"
}

find_package() {
  install_tree
  "$CMAKE" -S "$source/router/examples" -B "$work/host" -G "$GENERATOR" -DCMAKE_C_COMPILER="$CC" -DCMAKE_CXX_COMPILER="$CXX" \
    -DCMAKE_PREFIX_PATH="$work/tree" >/dev/null
  "$CMAKE" --build "$work/host" >"$work/log" || die "$(cat "$work/log")"
  for kind in shared static; do
    "$work/host/host_$kind" | grep -q '^REBIND: ' || die "host_$kind failed"
  done
  if command -v nm >/dev/null; then
    found=$(nm -D --defined-only "$work/host/libgate.so" | sed 's/.* //')
    [ "$found" = srp_module_get ] || die "the example gate exports other than srp_module_get: $found"
  fi
}

debian() {
  need dpkg-deb dpkg-shlibdeps file pkg-config
  (cd "$work" && "$CPACK" --config "$build/CPackConfig.cmake" -G DEB -B "$work/deb" >"$work/log" 2>&1) ||
    die "$(cat "$work/log")"
  for file in "$work"/deb/*.deb; do
    dpkg-deb --extract "$file" "$work/root"
    dpkg-deb --field "$file" Package Depends >>"$work/fields"
  done
  for line in 'Package: libspecroute-router1' 'Depends: .*libssl' 'Package: libspecroute-router-dev' \
    'Depends: libspecroute-router1 (= ' 'Package: python3-specroute-router'; do
    grep -q "^$line" "$work/fields" || die "no '$line' in: $(cat "$work/fields")"
  done
  build_c_host "$work/root/usr"
  if ! command -v python3 >/dev/null; then
    echo 'python3 is missing: the binding was not imported'
    return
  fi
  env -u SPECROUTE_ROUTER_LIBRARY LD_LIBRARY_PATH="$libraries" \
    PYTHONPATH="$work/root/usr/lib/python3/dist-packages" \
    python3 -B -c 'import specroute_router' || die "Python does not find the library by its SONAME"
}

case "$1" in
  exports | pkg_config | find_package | debian) "$1" ;;
  *) die "no such case: $1" ;;
esac
