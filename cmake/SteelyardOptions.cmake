# SPDX-License-Identifier: Apache-2.0
# What can be chosen of the whole, and a check of the words; options of one part stand there.

# steelyard_word(option [WORD...]): ends with a sentence unless the option is on or off, in any word that CMake has for these,
# or one of the words; leaves ON or OFF of the former.
function(steelyard_word option)
  set(word "${${option}}")
  string(TOUPPER "${word}" upper)
  if(word IN_LIST ARGN)
    return()
  elseif(upper MATCHES "^(ON|YES|TRUE|Y|1)$")
    set(${option} ON PARENT_SCOPE)
  elseif(upper MATCHES "^(OFF|NO|FALSE|N|0)$")
    set(${option} OFF PARENT_SCOPE)
  else()
    list(JOIN ARGN ", " words)
    string(REGEX REPLACE "(.+)" ", \\1" words "${words}")
    message(FATAL_ERROR "${option} is one of ON, OFF${words}; got '${word}'")
  endif()
endfunction()

# steelyard_option(name sentence default): option(), with its word checked.
function(steelyard_option name sentence default)
  option(${name} "${sentence}" ${default})
  steelyard_word(${name})
  set(${name} ${${name}} PARENT_SCOPE)
endfunction()

set(STEELYARD_MPI ON CACHE STRING
    "The measuring part: ON (needs an MPI library), OFF, or SMPI (what a simulated machine can run; needs SimGrid)")
steelyard_word(STEELYARD_MPI SMPI)
steelyard_option(STEELYARD_TESTS "Build the tests (needs GoogleTest)" ON)
steelyard_option(STEELYARD_BENCH "Build the programs of bench/ (needs Google Benchmark and MPI)" OFF)
steelyard_option(STEELYARD_WERROR "Treat warnings as errors (developer presets)" OFF)
steelyard_option(STEELYARD_FUZZ "Build the search for texts that readers fail on (needs clang and its libFuzzer)" OFF)
steelyard_option(STEELYARD_STATIC "Readers in one file that needs no library of the system (with -DSTEELYARD_MPI=OFF)" OFF)
set(STEELYARD_WEB AUTO CACHE STRING
    "Charts of the report: ON, OFF, or AUTO (in a released archive, or where Node.js 18 and npm are found and can fetch packages)")
steelyard_word(STEELYARD_WEB AUTO)
set(STEELYARD_WITHOUT "" CACHE STRING "What to do without although it is there: some of hwloc;zlib;simdjson;fftw;blas;openmp")
set(STEELYARD_SANITIZE "" CACHE STRING "Sanitizers to build with, e.g. address,undefined")
set(STEELYARD_INSTALL_LINKS "libdir" CACHE STRING
    "Where links with the classic programs' names go: libdir (<libdir>/steelyard/bin) or bin (<bindir>)")
if(NOT STEELYARD_INSTALL_LINKS MATCHES "^(libdir|bin)$")
  message(FATAL_ERROR "STEELYARD_INSTALL_LINKS is one of libdir, bin; got '${STEELYARD_INSTALL_LINKS}'")
endif()
