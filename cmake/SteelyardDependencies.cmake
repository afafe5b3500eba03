# SPDX-License-Identifier: Apache-2.0
# Finds what is used instead of written. What is optional leaves a HAVE variable behind;
# what is missing and needed ends with one message that says what to set or install.

find_package(Threads REQUIRED)

if(STEELYARD_STATIC)
  if(STEELYARD_MPI)
    message(FATAL_ERROR "STEELYARD_STATIC is for the readers alone: add -DSTEELYARD_MPI=OFF")
  endif()
  set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
endif()

function(steelyard_need found what package)
  if(NOT ${found})
    message(FATAL_ERROR "steelyard needs ${what}. On Debian or Ubuntu: apt-get install ${package}; "
      "docs/install.md has the names elsewhere")
  endif()
endfunction()

find_package(nlohmann_json 3.11 QUIET)
steelyard_need(nlohmann_json_FOUND "nlohmann-json 3.11 or later" nlohmann-json3-dev)
find_package(fmt 9 QUIET)
steelyard_need(fmt_FOUND "fmt 9 or later" libfmt-dev)
set(STEELYARD_FMT fmt::fmt)
if(STEELYARD_STATIC)  # distributions have the library as a shared one alone
  set(STEELYARD_FMT fmt::fmt-header-only)
endif()
find_package(CLI11 2 QUIET)
steelyard_need(CLI11_FOUND "CLI11 2 or later" libcli11-dev)
find_path(TOMLPLUSPLUS_INCLUDE_DIR toml++/toml.h)
steelyard_need(TOMLPLUSPLUS_INCLUDE_DIR "toml++ 3 or later" libtomlplusplus-dev)

find_package(ZLIB QUIET)
set(simdjson_FOUND OFF)
if(NOT STEELYARD_STATIC)  # as with fmt
  find_package(simdjson QUIET)
endif()
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND AND NOT STEELYARD_STATIC)
  pkg_check_modules(HWLOC QUIET IMPORTED_TARGET hwloc)
  pkg_check_modules(FFTW3 QUIET IMPORTED_TARGET fftw3)
endif()

include(SteelyardBlas)

# Threads of the compute kernels; without it every process computes with one.
find_package(OpenMP COMPONENTS CXX QUIET)

include(SteelyardOptional)

set(STEELYARD_SIMULATED OFF)
if(STEELYARD_MPI STREQUAL "SMPI")
  set(STEELYARD_SIMULATED ON)
  include(SteelyardSimulated)
elseif(STEELYARD_MPI)
  include(SteelyardMpi)
endif()
include(PersistentCollectives)

if(STEELYARD_TESTS)
  find_package(GTest QUIET)
  if(NOT GTest_FOUND)
    message(STATUS "GoogleTest not found (libgtest-dev libgmock-dev): building without tests")
    set(STEELYARD_TESTS OFF)
  endif()
endif()
