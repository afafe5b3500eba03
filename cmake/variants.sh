# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# check --variants: the program by other compilers, with other options, and without what it can do without; warnings are
# errors. Each variant runs every benchmark once with two processes, and tests. They are built one after the other; what
# two have in common is compiled once (ccache). `check` has set jobs and launcher.

# Those that this machine can build.
variants_here() {
  if command -v clang++ >/dev/null; then echo clang; fi
  default=$(g++ -dumpversion | cut -d. -f1)
  for compiler in /usr/bin/g++-[0-9]*; do
    release=${compiler##*-}
    if [ -x "$compiler" ] && [ "$release" != "$default" ] && [ "$release" -ge 11 ]; then echo "gcc-$release"; fi
  done
  echo without-hwloc without-zlib without-simdjson without-fftw without-blas without-openmp without-node assertions native lto
}

# The package of a compiler that a variant is built by.
variant_package() {
  case $1 in
    clang) echo clang ;;
    gcc-*) echo "g++-${1#gcc-}" ;;
  esac
}

# Words of CMake of a variant.
variant_words() {
  case $1 in
    clang) echo '-DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++' ;;
    gcc-*) echo "-DCMAKE_C_COMPILER=$1 -DCMAKE_CXX_COMPILER=g++-${1#gcc-}" ;;
    assertions) echo '-DCMAKE_CXX_FLAGS=-D_GLIBCXX_ASSERTIONS' ;;
    native) echo '-DCMAKE_CXX_FLAGS=-march=native -DCMAKE_CXX_FLAGS_RELEASE=-O2' ;;
    lto) echo '-DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON -DCMAKE_CXX_FLAGS_RELEASE=-O2' ;;
    without-node) echo '-DSTEELYARD_WEB=AUTO -DSTEELYARD_NODE=OFF' ;;
    without-*) echo "-DSTEELYARD_WITHOUT=${1#without-}" ;;
    *) wrong_word "--variants $1" ;;
  esac
}

# What is built and run of a variant beside the program: all tests without MPI where the whole is compiled otherwise, else
# those that know the libraries.
variant_tests() {
  case $1 in
    clang | gcc-* | assertions) echo all ;;
    *) echo 'hpcc_kernels_test hpcc_blas_test test_machine fourier_test record_test' ;;
  esac
}

# try_variant NAME: whether it is built without a warning, its tests pass and every benchmark runs.
try_variant() {
  tree=build/variants/$1
  tests=$(variant_tests "$1")
  case $tests in
    all) targets=all chosen='.' ;;
    *) targets="steelyard $tests" chosen="^($(echo "$tests" | tr ' ' '|'))\$" ;;
  esac
  # shellcheck disable=SC2046,SC2086 # lists of words
  {
    cmake --fresh --preset dev-openmpi -B "$tree" ${launcher:+"$launcher"} -DSTEELYARD_WEB=OFF $(variant_words "$1") &&
      cmake --build "$tree" --parallel "$jobs" --target $targets &&
      ctest --test-dir "$tree" --output-on-failure --no-tests=error --parallel "$jobs" --label-regex '^unit$' --tests-regex "$chosen" &&
      "$tree/bin/steelyard" selftest -n 2 ${root_option:+"$root_option"}
  } >"$tree.log" 2>&1
}

check_variants() { # all, or NAME,...
  mkdir -p build/variants
  names=$(if [ "$1" = all ]; then variants_here; else echo "$1" | tr ',' ' '; fi)
  wrong=
  for name in $names; do variant_words "$name" >/dev/null || exit 2; done
  for name in $names; do
    # shellcheck disable=SC2046 # a word or none
    install_where_possible "$install" $(variant_package "$name")
    since=$(elapsed)
    if try_variant "$name"; then
      said="$(sed -n 's/.* tests passed.* out of \([0-9]*\)$/\1 tests and every benchmark passed/p' "build/variants/$name.log")"
    else
      said="FAILED, build/variants/$name.log"
      wrong="$wrong $name"
    fi
    printf '%-16s %5d s  %s\n' "$name" $(($(elapsed) - since)) "$said"
  done
  [ -z "$wrong" ] || { say "failed:$wrong"; exit 1; }
}
