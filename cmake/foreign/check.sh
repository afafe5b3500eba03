# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# check --foreign: for each processor named, the libraries of its distribution in a root of their own, the readers and the
# tests without MPI built by the cross compiler, run under emulation. `check` has set log, jobs and install.

# The words of Debian, of compilers and of the emulator for a processor.
foreign_names() {
  case $1 in
    aarch64) echo 'arm64 aarch64-linux-gnu aarch64' ;;
    riscv64) echo 'riscv64 riscv64-linux-gnu riscv64' ;;
    ppc64le) echo 'ppc64el powerpc64le-linux-gnu ppc64le' ;;
    s390x) echo 's390x s390x-linux-gnu s390x' ;;
    armhf) echo 'armhf arm-linux-gnueabihf arm' ;;
    *) wrong_word "--foreign $1" ;;
  esac
}

packages_foreign='libc6-dev libgtest-dev libgmock-dev libhwloc-dev libcli11-dev nlohmann-json3-dev
  libfmt-dev libtomlplusplus-dev zlib1g-dev'

# What apt is told here, so that other processors' packages come from the same place.
package_sources() {
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
    case $file in *.list | *.sources) if [ -s "$file" ]; then echo "$file"; fi ;; esac
  done
}

# foreign_root PROCESSOR: its libraries, unpacked; nothing of them is run.
foreign_root() {
  root=$PWD/build/foreign/$1/root
  [ ! -e "$root/usr/include" ] || return 0
  # shellcheck disable=SC2046,SC2086 # lists of words
  as_root=$(root_command) && mkdir -p "${root%/root}" &&
    $as_root mmdebstrap --variant=extract "--architectures=$debian" \
      "--include=libstdc++-$($triplet-g++ -dumpversion | cut -d. -f1)-dev,$(echo $packages_foreign | tr ' ' ',')" \
      "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$root" $(package_sources) >>"$log" 2>&1 ||
    { rm -rf "$root"; return 1; }
}

foreign_build() {
  logged cmake -S . -B "$tree" -G Ninja ${launcher:+"$launcher"} -DCMAKE_TOOLCHAIN_FILE=cmake/foreign/toolchain.cmake \
    "-DSTEELYARD_FOREIGN=$processor" "-DSTEELYARD_FOREIGN_TRIPLET=$triplet" "-DSTEELYARD_FOREIGN_ROOT=$root" \
    "-DSTEELYARD_FOREIGN_EMULATOR=$emulator" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O1 \
    -DSTEELYARD_WERROR=ON -DSTEELYARD_PRECOMPILE=ON -DSTEELYARD_MPI=OFF -DSTEELYARD_WEB=OFF
  logged cmake --build "$tree" --parallel "$jobs"
}

# check_foreign PROCESSOR: whether it is right there; says what it lacks and goes on.
check_foreign() {
  processor=$1
  names=$(foreign_names "$processor") || exit 2
  read -r debian triplet word <<END
$names
END
  tree=build/foreign/$processor/build
  install_where_possible "$install" "g++-$triplet" qemu-user-static mmdebstrap
  emulator=$(command -v "qemu-$word-static" || command -v "qemu-$word") || emulator=
  if [ -z "$emulator" ] || ! command -v "$triplet-g++" >/dev/null || ! command -v mmdebstrap >/dev/null; then
    say "skipped: $processor; it needs g++-$triplet, qemu-user-static and mmdebstrap"
    return 0
  fi
  say "== $processor: libraries, after $(elapsed) s"
  if ! foreign_root "$processor"; then
    say "skipped: $processor; its libraries are not to be had from the sources of apt"
    return 0
  fi
  say "== $processor: build, after $(elapsed) s"
  foreign_build
  say "== $processor: test, after $(elapsed) s"
  ctest --test-dir "$tree" --output-on-failure --no-tests=error --parallel "$jobs" --label-regex '^unit$'
}
