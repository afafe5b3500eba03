# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# What quickstart and check share: packages, logging, words.
# Callers set `log` before they call logged.
export PATH # a shell that was given none has one of its own, which CMake is to see too

packages_build='g++ cmake ninja-build pkg-config make git ca-certificates
  libhwloc-dev libcli11-dev nlohmann-json3-dev libfmt-dev libtomlplusplus-dev zlib1g-dev libsimdjson-dev
  libopenblas-dev libfftw3-dev'
# shellcheck disable=SC2034 # used by check
packages_check='ccache libgtest-dev libgmock-dev libbenchmark-dev python3 python3-jsonschema shellcheck clang-format groff jq procps
  iproute2 util-linux slurmctld slurmd slurm-client munge'

# What only --all asks for.
# shellcheck disable=SC2034 # used by check
packages_all='clang-tidy doxygen r-base-core
  fish zsh environment-modules rpm'

# The search for texts that readers fail on; the library is not apart in every release.
# shellcheck disable=SC2034 # used by check
packages_fuzz='clang libclang-rt-dev'

# Whether clang is there with the library that searches: Debian has that in a package of its own for each version.
has_libfuzzer() {
  command -v clang++ >/dev/null || return 1
  for library in "$(clang++ -print-resource-dir)"/lib/*/libclang_rt.fuzzer*.a; do
    if [ -e "$library" ]; then return 0; fi
  done
  return 1
}
# shellcheck disable=SC2034 # used by check
packages_simulation='libsimgrid-dev' # simulated machines

# Whether the charts of the report came with the sources, as in a release.
has_built_charts() { [ -e web/built/template.html ]; }

# What the report's charts are built with, where it is not there in another way.
packages_report() {
  if has_built_charts; then return 0; fi
  major=$(node --version 2>/dev/null | sed -n 's/^v\([0-9]*\).*/\1/p')
  if [ "${major:-0}" -lt 18 ] || ! command -v npm >/dev/null; then echo 'nodejs npm'; fi
}

root_option=

packages_of() {
  case $1 in
    openmpi) echo 'libopenmpi-dev openmpi-bin' ;;
    mpich) echo 'libmpich-dev mpich' ;;
  esac
}

say() { printf '%s\n' "$*"; }

# fail CODE: the last lines of the log, and out.
fail() {
  say "--- last lines of $log"
  tail -n 20 "$log"
  exit "$1"
}

logged() {
  "$@" >>"$log" 2>&1 || { say "failed: $*"; fail 1; }
}

wrong_word() {
  say "$(basename "$0"): error: '$1' is not understood; try ./$(basename "$0") --help" >&2
  exit 2
}

need_value() { [ $# -gt 1 ] || wrong_word "$1"; }

is_number() {
  case $1 in '' | *[!0-9]* | 0) return 1 ;; esac
}

cores() { nproc 2>/dev/null || echo 2; }

missing_packages() {
  for package in "$@"; do
    dpkg-query -W -f='${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || printf '%s ' "$package"
  done
}

# needs COMMAND ALTERNATIVE...: notes the first as absent if none of them is there.
absent=
needs() {
  for command in "$@"; do
    if command -v "$command" >/dev/null; then return 0; fi
  done
  absent="$absent $1"
}

# What nothing is built without, in one line. Libraries are for CMake to look for, which names the one that it misses.
need_tools() {
  needs cmake
  needs ninja ninja-build samu
  needs "${CC:-cc}" gcc clang
  needs "${CXX:-c++}" g++ clang++
  version=$(cmake --version 2>/dev/null | sed -n 's/^cmake version //p')
  if [ -n "$version" ] && [ "$(printf '%s\n' 3.25 "$version" | sort -V | head -n 1)" != 3.25 ]; then
    absent="$absent cmake 3.25 (this one is $version)"
  fi
  [ -z "$absent" ] || { say "not found:$absent; docs/install.md names the packages"; exit 4; }
}

# preset_of openmpi|mpich: Debian has a compiler wrapper for each library, elsewhere CMake takes the one that is loaded.
preset_of() {
  if command -v "mpicc.$1" >/dev/null; then echo "release-$1"; else echo release; fi
}

# install_packages yes|no PACKAGE...: installs the missing ones, or says which they are and goes on.
install_packages() {
  wanted=$1
  shift
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    say "not a Debian system: make sure that there is the equivalent of: $*"
    say "docs/install.md has the names for Fedora, openSUSE, Arch, Spack and conda"
    return
  fi
  missing=$(missing_packages "$@")
  [ -n "$missing" ] || return 0
  if [ "$wanted" = no ]; then
    say "not installed: $missing"
    return
  fi
  as_root=$(root_command) || { say "no root rights; please install: $missing(or go on without: --no-install)"; exit 4; }
  say "installing: $missing"
  update_packages
  # shellcheck disable=SC2086 # a list of words
  logged $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing
}

# install_where_possible yes|no PACKAGE...: installs of the missing ones those that the system's sources have. What
# does without them says so itself.
install_where_possible() {
  [ "$1" = yes ] && command -v apt-get >/dev/null && as_root=$(root_command) || return 0
  shift
  missing=$(missing_packages "$@")
  [ -n "$missing" ] || return 0
  update_packages
  known=
  for package in $missing; do
    if apt-cache show "$package" >/dev/null 2>&1; then known="$known $package"; fi
  done
  [ -n "$known" ] || return 0
  say "installing:$known"
  # shellcheck disable=SC2086 # a list of words
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $known >>"$log" 2>&1 ||
    say "that failed; $log says why"
}

# What a command needs before it to have root rights, if that can be had.
root_command() {
  [ "$(id -u)" = 0 ] && return 0
  command -v sudo >/dev/null && echo sudo
}

updated=no
update_packages() {
  if [ "$updated" = no ]; then $as_root apt-get update >>"$log" 2>&1 || say "the lists of packages could not be fetched"; fi
  updated=yes
}

# Open MPI refuses root unless told; only for our own children.
allow_root() {
  if [ "$(id -u)" = 0 ]; then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    # shellcheck disable=SC2034 # used by quickstart
    root_option=--allow-root
    say 'running as root: OMPI_ALLOW_RUN_AS_ROOT is set for the processes started here'
  fi
}

# summarise: from the CSV of primary metrics on standard input, a few figures of merit.
summarise() {
  awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
    $column["status"] != "ok" && $column["status"] != "partial" { next }
    {
      name = $column["benchmark"]; size = $column["message_byte"]; t = $column["median"]; np = $column["processes"]
      if (name == "PingPong" && (size == 0 || size == 8)) latency[size] = t
      if (name == "PingPong" && size > 0 && size / t > best) { best = size / t; at = size }
      if (name == "Allreduce" && size == 8) { allreduce = t; allreduce_np = np }
      if (name == "Alltoall" && size == 65536) { alltoall = t; alltoall_np = np }
      if (name == "Barrier") { barrier = t; barrier_np = np }
    }
    END {
      if (0 in latency) printf "ping-pong latency, 0 byte      %10.2f us\n", latency[0] * 1e6
      if (best) printf "ping-pong bandwidth, best      %10.2f GB/s at %d byte\n", best / 1e9, at
      if (barrier) printf "barrier, %3d processes         %10.2f us\n", barrier_np, barrier * 1e6
      if (allreduce) printf "allreduce 8 byte, %3d          %10.2f us\n", allreduce_np, allreduce * 1e6
      if (alltoall) printf "alltoall 64 KiB, %3d           %10.2f us\n", alltoall_np, alltoall * 1e6
    }'
}
