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
  # What Go's cgo is given: no more than C, so C compiles and runs it.
  # shellcheck disable=SC2046
  "$CC" -std=c99 -Wall -Wextra -pedantic -Werror -x c "$source/router/examples/cgo_calls.h" -DCGO_CALLS_MAIN -x none \
    -o "$work/cgo" $(pkg-config --cflags --libs specroute-router)
  LD_LIBRARY_PATH=$libraries "$work/cgo" || die "the calls for cgo failed"
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
  "$work/host/endpoint_gate" >"$work/said" || die "endpoint_gate failed: $(cat "$work/said")"
  if command -v nm >/dev/null; then
    found=$(nm -D --defined-only "$work/host/libgate.so" | sed 's/.* //')
    [ "$found" = srp_module_get ] || die "the example gate exports other than srp_module_get: $found"
  fi
}

# Into a root of its own, by dpkg itself, where what the packages need of the rest of the system (libssl3,
# python3) is not there.
# First without the library, which the other two need: dpkg must refuse to configure them. ldconfig would
# write to the machine's own cache: a stand-in says that it was asked.
install_debs() {
  root=$work/root
  mkdir -p "$work/bin"
  printf '#!/bin/sh\necho asked >>"%s"\n' "$work/ldconfig" >"$work/bin/ldconfig"
  chmod +x "$work/bin/ldconfig"
  PATH=$work/bin:$PATH:/usr/sbin:/sbin
  mkdir -p "$root/var/lib/dpkg/updates" "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/triggers"
  : >"$root/var/lib/dpkg/status"
  : >"$root/var/lib/dpkg/available"
  set -- --root="$root" --force-script-chrootless --log="$work/dpkg.log"
  if dpkg "$@" -i "$work"/deb/libspecroute-router-dev_*.deb >"$work/log" 2>&1; then
    die 'dpkg configures the headers without their library'
  fi
  grep -q 'depends on libspecroute-router1 (= ' "$work/log" || die "dpkg refuses for another reason: $(cat "$work/log")"
  dpkg "$@" --force-depends -i "$work"/deb/*.deb >"$work/log" 2>&1 || die "dpkg does not install: $(cat "$work/log")"
  for package in libspecroute-router1 libspecroute-router-dev python3-specroute-router; do
    state=$(dpkg-query --admindir="$root/var/lib/dpkg" -W -f='${db:Status-Status}' "$package")
    [ "$state" = installed ] || die "$package is $state"
  done
  [ -s "$work/ldconfig" ] || die 'the loader does not learn of the library'
  grep -qx 'libspecroute_router 1 libspecroute-router1 (>= .*)' "$root/var/lib/dpkg/info/libspecroute-router1"*.shlibs ||
    die 'programs that link the library would not depend on its package'
  (cd "$root" && md5sum --quiet -c var/lib/dpkg/info/libspecroute-router1*.md5sums) || die 'a file is not what was packed'
  cp -r "$root" "$work/purged"
  dpkg --root="$work/purged" --force-script-chrootless --log="$work/dpkg.log" --force-depends \
    --purge libspecroute-router1 libspecroute-router-dev python3-specroute-router >"$work/log" 2>&1 ||
    die "dpkg does not remove: $(cat "$work/log")"
  left=$(find "$work/purged/usr" ! -type d 2>/dev/null || true)
  [ -z "$left" ] || die "a removal leaves: $left"
}

debian() {
  need dpkg dpkg-deb dpkg-query dpkg-shlibdeps file pkg-config
  (cd "$work" && "$CPACK" --config "$build/CPackConfig.cmake" -G DEB -B "$work/deb" >"$work/log" 2>&1) ||
    die "$(cat "$work/log")"
  if [ "$(id -u)" -eq 0 ]; then
    install_debs
  else
    echo 'not root, to whom the files of a package belong: they are unpacked, not installed'
    for file in "$work"/deb/*.deb; do dpkg-deb --extract "$file" "$work/root"; done
  fi
  for file in "$work"/deb/*.deb; do
    dpkg-deb --field "$file" Package Depends >>"$work/fields"
  done
  for line in 'Package: libspecroute-router1' 'Depends: .*libssl' 'Package: libspecroute-router-dev' \
    'Depends: libspecroute-router1 (= ' 'Package: python3-specroute-router'; do
    grep -q "^$line" "$work/fields" || die "no '$line' in: $(cat "$work/fields")"
  done
  # What each package holds, by name; where the machine's libraries lie differs.
  for path in libspecroute-router1:/libspecroute_router.so.1 libspecroute-router1:/libspecroute_router.so.1.0 \
    libspecroute-router1:/copyright libspecroute-router-dev:/libspecroute_router.so \
    libspecroute-router-dev:/libspecroute_router.a libspecroute-router-dev:/specroute/policy_abi.h \
    libspecroute-router-dev:/specroute/router/policy.hpp libspecroute-router-dev:/specroute-router.pc \
    libspecroute-router-dev:/specroute_router-config.cmake \
    python3-specroute-router:/specroute_router/__init__.py; do
    dpkg-deb --contents "$work/deb/${path%%:*}"_*.deb | grep -q "${path#*:}\( -> .*\)\?$" ||
      die "${path%%:*} does not hold ${path#*:}"
  done
  build_c_host "$work/root/usr"
  if ! command -v python3 >/dev/null; then
    echo 'python3 is missing: the binding was not imported'
    return
  fi
  env -u SPECROUTE_ROUTER_LIBRARY LD_LIBRARY_PATH="$libraries" \
    PYTHONPATH="$work/root/usr/lib/python3/dist-packages" \
    python3 -B -c 'import specroute_router; specroute_router.Policy({"gate": "validity"})' ||
    die "Python does not find the library by its SONAME"
}

# The router part as a project of its own, where nothing else of the simulator's is to be had.
alone() {
  need ninja
  set -- "-DCMAKE_BUILD_TYPE=Debug" -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=16
  for package in SimGrid Boost CLI11 csv valijson Random123 sleef GTest rapidcheck benchmark Eigen3; do
    set -- "$@" "-DCMAKE_DISABLE_FIND_PACKAGE_$package=ON"
  done
  # A second run has nothing new to compile, wherever the directory of the test lies.
  if command -v ccache >/dev/null; then
    export CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR="$work" CCACHE_NOHASHDIR=1
  fi
  "$CMAKE" -S "$source/router" -B "$work/alone" -G Ninja -DCMAKE_CXX_COMPILER="$CXX" -DCMAKE_C_COMPILER="$CC" \
    -DCMAKE_CXX_FLAGS_DEBUG=-O0 "$@" >"$work/log" 2>&1 || die "$(cat "$work/log")"
  "$CMAKE" --build "$work/alone" >"$work/log" 2>&1 || die "$(cat "$work/log")"
  # Their headers may lie in the system's own directory, where nobody has to look for them.
  ninja -C "$work/alone" -t deps >"$work/deps"
  grep -q '/policy_abi\.h$' "$work/deps" || die "the build does not tell what it read"
  if grep -iE '/(simgrid|xbt|boost|CLI|valijson|Random123|gtest|rapidcheck|benchmark|eigen3)/|/(csv|sleef)\.h' "$work/deps"; then
    die "the library reads headers of the simulator's packages"
  fi
  nm -D --defined-only "$work/alone/libspecroute_router.so" | grep -q ' srp_module_get$' || die "no srp_module_get"
}

# The frozen layout for 32 bits: only the compiler's own headers are needed, and nothing is linked.
bits32() {
  set -- -m32 -ffreestanding -std=c99 -pedantic -Wall -Wextra -Werror -fsyntax-only -I"$source" -I"$source/include"
  if ! echo '#include <stdint.h>' | "$CC" "$@" -x c - 2>/dev/null; then
    echo "skipped: $CC does not compile for 32 bits"
    exit 77
  fi
  "$CC" "$@" "$source/tests/unit/router/abi_frozen.c" || die "the layout differs on 32 bits"
  "$CC" "$@" -Wpadded "$source/tests/unit/router/abi_c99.c" || die "a record is padded on 32 bits"
}

# The Rust crate's own tests, against the library of the build tree.
rust() {
  need cargo
  library=$(find "$build" -name libspecroute_router.so.1 -print -quit)
  SPECROUTE_ROUTER_LIB_DIR=$(dirname "$library")
  LD_LIBRARY_PATH=$SPECROUTE_ROUTER_LIB_DIR
  CARGO_TARGET_DIR=$build/cargo
  export SPECROUTE_ROUTER_LIB_DIR LD_LIBRARY_PATH CARGO_TARGET_DIR
  cd "$source/router/bindings/rust"
  cargo test --offline --locked --quiet
  cargo run --offline --locked --quiet --example gateway >"$work/said" || die "the gateway failed: $(cat "$work/said")"
}

# And its example against what is installed, which build.rs finds by pkg-config.
rust_installed() {
  need cargo pkg-config
  install_tree
  PKG_CONFIG_PATH=$(dirname "$(find "$work/tree" -name specroute-router.pc)")
  LD_LIBRARY_PATH=$(PKG_CONFIG_PATH=$PKG_CONFIG_PATH pkg-config --variable=libdir specroute-router)
  CARGO_TARGET_DIR=$work/cargo
  export PKG_CONFIG_PATH LD_LIBRARY_PATH CARGO_TARGET_DIR
  cd "$source/router/bindings/rust"
  cargo run --offline --locked --quiet --example host >"$work/said" || die "the host in Rust failed: $(cat "$work/said")"
  grep -q ' REBIND ' "$work/said" || die "no REBIND: $(cat "$work/said")"
  expect_version "$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml)"
}

case "$1" in
  exports | pkg_config | find_package | debian | alone | bits32 | rust | rust_installed) "$1" ;;
  *) die "no such case: $1" ;;
esac
