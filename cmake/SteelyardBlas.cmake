# SPDX-License-Identifier: Apache-2.0
# Any library with the C interface of the BLAS; name one with -DCBLAS_LIBRARY and -DCBLAS_INCLUDE_DIR. Sets CBLAS_FOUND. A
# library that was named and cannot be used is an error; one that CMake came upon is done without.

set(CBLAS_FOUND OFF)
if(STEELYARD_STATIC OR "blas" IN_LIST STEELYARD_WITHOUT)
  return()
endif()

# What stands in the cache from an earlier configuration was not named if CMake had found it.
set(blas_named OFF)
if(CBLAS_LIBRARY AND NOT "${CBLAS_LIBRARY}" STREQUAL "${STEELYARD_CBLAS_FOUND_BY_ITSELF}")
  set(blas_named ON)
endif()
find_path(CBLAS_INCLUDE_DIR cblas.h PATH_SUFFIXES openblas)
find_library(CBLAS_LIBRARY NAMES openblas cblas blas)
if(NOT blas_named)
  set(STEELYARD_CBLAS_FOUND_BY_ITSELF "${CBLAS_LIBRARY}" CACHE INTERNAL "the BLAS that nobody named")
endif()

# The answer for one library is none for another.
if(NOT CBLAS_HAS_DGEMM OR NOT "${CBLAS_LIBRARY}" STREQUAL "${STEELYARD_CBLAS_TRIED}")
  unset(CBLAS_HAS_DGEMM CACHE)
  set(STEELYARD_CBLAS_TRIED "${CBLAS_LIBRARY}" CACHE INTERNAL "the BLAS that CBLAS_HAS_DGEMM is about")
endif()
if(CBLAS_INCLUDE_DIR AND CBLAS_LIBRARY)
  include(CheckLibraryExists)
  check_library_exists("${CBLAS_LIBRARY}" cblas_dgemm "" CBLAS_HAS_DGEMM)
  if(CBLAS_HAS_DGEMM)
    set(CBLAS_FOUND ON)
  endif()
endif()

if(blas_named AND NOT CBLAS_FOUND)
  if(NOT CBLAS_INCLUDE_DIR)
    message(FATAL_ERROR "CBLAS_LIBRARY is named, but no cblas.h was found: name its folder with -DCBLAS_INCLUDE_DIR")
  elseif("${CBLAS_LIBRARY}" MATCHES "^/[^;]*$" AND NOT EXISTS "${CBLAS_LIBRARY}")
    message(FATAL_ERROR "CBLAS_LIBRARY: there is no file ${CBLAS_LIBRARY}")
  endif()
  message(FATAL_ERROR "CBLAS_LIBRARY: no program with cblas_dgemm can be linked with ${CBLAS_LIBRARY}. Name a BLAS with the C "
    "interface, with all that it needs ('libsome.a;-lm'), or leave CBLAS_LIBRARY away (-UCBLAS_LIBRARY)")
endif()
