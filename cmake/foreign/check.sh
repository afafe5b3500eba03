# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# check --foreign: for each processor named, the libraries of its distribution in a root of their own, the readers and the
# tests without MPI built by the cross compiler, run under emulation, and results read on both sides; where Debian's MPICH
# of the processor runs under the emulator, two processes that measure. `check` has set log, jobs and install.

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
packages_measuring='libmpich-dev libopenblas-pthread-dev libfftw3-dev'

# Where two processes are measured too.
measures_there() { [ "$processor" = aarch64 ] && command -v mpiexec.mpich >/dev/null; }

# Processors whose kernels differ, as the emulator calls them.
foreign_kinds() {
  case $processor in
    aarch64) echo 'cortex-a72 max,sve256=on,sve512=off max,sve512=on' ;; # NEON alone, vectors of 256 and 512 bit
  esac
}

# Where its packages come from: as apt here, the release itself. What was repaired after it is not needed to compile
# against its libraries, and of other processors not always whole.
foreign_source() {
  # shellcheck disable=SC2016 # names of apt, not of the shell
  apt-get indextargets --format '$(REPO_URI) $(COMPONENT)' 'Created-By: Packages' "Codename: $release" |
    awk -v release="$release" 'NR == 1 { place = $1 } { components = components " " $2 } END { if (NR) print "deb", place, release components }'
}

# Its libraries, unpacked; nothing of them is run. Made again when others are wanted.
foreign_root() {
  measuring=
  ! measures_there || measuring=$packages_measuring
  # shellcheck disable=SC2086 # lists of words
  included=$(echo "libstdc++-$("$triplet-g++" -dumpversion | cut -d. -f1)-dev" $packages_foreign $measuring | tr ' ' ',')
  [ "$(cat "$place/packages" 2>/dev/null)" != "$included" ] || return 0
  release=$(. /etc/os-release && echo "$VERSION_CODENAME")
  as_root=$(root_command) && rm -rf "$root" && mkdir -p "$place" &&
    $as_root mmdebstrap --variant=extract "--architectures=$debian" "--include=$included" \
      "$release" "$root" "$(foreign_source)" >>"$log" 2>&1 &&
    for folder in lib lib64; do # what linkers and loaders name, where a release has everything below /usr
      [ -e "$root/$folder" ] || [ ! -d "$root/usr/$folder" ] || ln -s "usr/$folder" "$root/$folder"
    done &&
    find "$root"/lib*/ -maxdepth 1 -type l -lname '/*' | while read -r link; do # the loader's would leave the root
      ln -sfn "..$(readlink "$link")" "$link"
    done &&
    echo "$included" >"$place/packages"
}

# GCC notes at every call that the convention of 32-bit ARM changed in its release 7: -Wno-psabi.
foreign_configure() { # FOLDER [words of CMake...]
  folder=$1
  shift
  logged cmake -S . -B "$folder" -G Ninja ${launcher:+"$launcher"} -DCMAKE_TOOLCHAIN_FILE=cmake/foreign/toolchain.cmake \
    "-DSTEELYARD_FOREIGN=$processor" "-DSTEELYARD_FOREIGN_TRIPLET=$triplet" "-DSTEELYARD_FOREIGN_ROOT=$root" \
    "-DSTEELYARD_FOREIGN_EMULATOR=$emulator" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O1 \
    -DCMAKE_CXX_FLAGS=-Wno-psabi \
    -DSTEELYARD_WERROR=ON -DSTEELYARD_WEB=OFF -DSTEELYARD_TEST_TIMEOUT=1200 "$@"
}

here() { build/readers/bin/steelyard "$@"; }
there() { "$emulator" -L "$root" "$place/build/bin/steelyard" "$@"; }

# read_alike RESULT [COMMAND]...: whether the readers of this processor and of the other write the same of a result, byte
# by byte: as exports, and by these commands.
read_alike() {
  result=$1
  shift
  for words in 'export --to csv' 'export --to json' "$@"; do
    for side in here there; do
      # shellcheck disable=SC2086 # a command and its options
      if ! "$side" $words "$result" >"$place/$side.txt" || [ ! -s "$place/$side.txt" ]; then
        say "$result: not read $side by $words"
        return 1
      fi
    done
    cmp "$place/here.txt" "$place/there.txt" || { say "$result: read otherwise by $words"; return 1; }
  done
}

# Records written on one side and read on the other.
foreign_crossing() {
  logged cmake --preset readers ${launcher:+"$launcher"}
  logged cmake --build --preset readers --parallel "$jobs" --target steelyard
  read_alike tests/record/data/examples.jsonl balance || return 1
  printf '%s\n' "STREAM version \$Revision: 5.10 \$" \
    'Function    Best Rate MB/s  Avg time     Min time     Max time' \
    'Copy:           23456.7     0.001365     0.001364     0.001366' \
    'Triad:          21234.5     0.002261     0.002260     0.002265' 'Solution Validates' >"$place/stream.txt"
  for writer in here there; do
    rm -rf "$place/kept-$writer"
    "$writer" import "$place/stream.txt" --date 2026-01-02 -q -o "$place/kept-$writer" || return 1
    read_alike "$place/kept-$writer" || return 1
    here export "$place/kept-$writer" --to csv | cut -d, -f2- >"$place/kept-$writer.csv" # without the name of the run
  done
  cmp "$place/kept-here.csv" "$place/kept-there.csv"
}

# Two processes behind the launcher of this processor: they speak with it in text. Their times are those of an emulator;
# what is asked is that data, products and transforms are right. Scripts of packages have not run in the root: that of
# OpenBLAS would link its library to where loaders look.
launched() { # WORD...
  mpiexec.mpich -n 2 env "QEMU_CPU=$kind" "$emulator" -L "$root" -E "LD_LIBRARY_PATH=/usr/lib/$triplet/openblas-pthread" \
    "$place/measuring/bin/steelyard" "$@" || { say "$kind: $1: exit code $?"; return 1; }
}
# measured RESULT BENCHMARK...: whether all points of each benchmark were measured and their data are right.
measured() {
  result=$1
  shift
  here export "$result" --to csv --metrics primary >"$place/points.csv" || return 1
  for benchmark in "$@"; do
    awk -F, -v benchmark="$benchmark" '
      NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
      $column["benchmark"] == benchmark { points++; if ($column["verified"] != "true" || $column["status"] !~ /^(ok|partial)$/) wrong++ }
      END { exit !(points > 0 && wrong == 0) }' "$place/points.csv" || { say "$kind: $benchmark is missing or not right"; return 1; }
  done
  read_alike "$result" || return 1
  say "$kind: $(($(wc -l <"$place/points.csv") - 1)) points measured and right"
}
foreign_processes() {
  libraries=$root/usr/lib/$triplet
  foreign_configure "$place/measuring" -DSTEELYARD_TESTS=OFF -DMPI_C_LIB_NAMES=mpich "-DMPI_mpich_LIBRARY=$libraries/libmpich.so" \
    "-DMPI_C_COMPILER_INCLUDE_DIRS=$root/usr/include/$triplet/mpich" "-DMPIEXEC_EXECUTABLE=$(command -v mpiexec.mpich)" \
    "-DCBLAS_LIBRARY=$libraries/openblas-pthread/libopenblas.so" "-DCBLAS_INCLUDE_DIR=$root/usr/include/$triplet/openblas-pthread"
  logged cmake --build "$place/measuring" --parallel "$jobs"
  say "== $processor: two processes, after $(elapsed) s"
  for kind in $(foreign_kinds); do
    rm -rf "$place/messages" "$place/computing" "$place/hpccoutf.txt"
    launched run -q --schedule fixed:5 --sizes 0,8,64Ki --out "$place/messages" imb-mpi1/PingPong || return 1
    measured "$place/messages" PingPong || return 1
    launched hpcc -q --hpcc-n 500 --hpcc-nb 80 --hpcc-grid 1x2 --only HPL,DGEMM,STREAM,RandomAccess,FFT --ra-time-bound 5s \
      --output "$place/hpccoutf.txt" --out "$place/computing" || return 1 # exit code 0: every check of the suite has passed
    measured "$place/computing" HPL StarDGEMM StarSTREAM MPIRandomAccess MPIFFT || return 1
  done
}

# check_foreign PROCESSOR: whether it is right there; says what it lacks and goes on.
check_foreign() {
  processor=$1
  names=$(foreign_names "$processor") || exit 2
  read -r debian triplet word <<END
$names
END
  place=$PWD/build/foreign/$processor
  root=$place/root
  install_where_possible "$install" "g++-$triplet" qemu-user-static mmdebstrap
  emulator=$(command -v "qemu-$word-static" || command -v "qemu-$word") || emulator=
  if [ -z "$emulator" ] || ! command -v "$triplet-g++" >/dev/null || ! command -v mmdebstrap >/dev/null; then
    say "skipped: $processor; it needs g++-$triplet, qemu-user-static and mmdebstrap"
    return 0
  fi
  say "== $processor: libraries, after $(elapsed) s"
  if ! foreign_root; then
    say "skipped: $processor; its libraries are not to be had from the sources of apt"
    return 0
  fi
  say "== $processor: build, after $(elapsed) s"
  foreign_configure "$place/build" -DSTEELYARD_PRECOMPILE=ON -DSTEELYARD_MPI=OFF
  logged cmake --build "$place/build" --parallel "$jobs"
  say "== $processor: test, after $(elapsed) s"
  ctest --test-dir "$place/build" --output-on-failure --no-tests=error --parallel "$jobs" --label-regex '^unit$' --label-exclude '^long$' || return 1
  for kind in $(foreign_kinds); do
    QEMU_CPU=$kind ctest --test-dir "$place/build" --output-on-failure --no-tests=error --tests-regex '^hpcc_kernels_test$' || return 1
  done
  say "== $processor: results of both sides, after $(elapsed) s"
  foreign_crossing || return 1
  ! measures_there || foreign_processes
}
