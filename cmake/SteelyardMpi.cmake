# SPDX-License-Identifier: Apache-2.0
# The MPI library of the measuring part.

# steelyard_wrapper_file(variable name): the file behind the name of a compiler wrapper, links followed, where FindMPI looks
# for one; the name where there is none.
function(steelyard_wrapper_file variable name)
  unset(wrapper_found)
  if(IS_ABSOLUTE "${name}")
    set(wrapper_found "${name}")
  else()
    find_program(wrapper_found NAMES "${name}" NO_CACHE HINTS ${MPI_HOME} ENV MPI_HOME ENV I_MPI_ROOT PATH_SUFFIXES bin)
  endif()
  if(EXISTS "${wrapper_found}")
    file(REAL_PATH "${wrapper_found}" name)
  endif()
  set(${variable} "${name}" PARENT_SCOPE)
endfunction()

# FindMPI keeps all that it once asked a compiler wrapper for: with another one, the old library would be linked and the new
# wrapper recorded.
if(MPI_C_COMPILER AND STEELYARD_MPI_C_COMPILER_USED)
  steelyard_wrapper_file(wrapper "${MPI_C_COMPILER}")
  if(NOT wrapper STREQUAL STEELYARD_MPI_C_COMPILER_USED)
    message(FATAL_ERROR "this build folder was configured with the MPI library of ${STEELYARD_MPI_C_COMPILER_NAME} "
      "(${STEELYARD_MPI_C_COMPILER_USED}), and MPI_C_COMPILER=${MPI_C_COMPILER} is another one (${wrapper}). "
      "Configure it anew with all options (cmake --fresh ...), or take another folder")
  endif()
endif()

# Only the C bindings: with the C++ component libraries also bring bindings that MPI-3 removed.
find_package(MPI 3.1 COMPONENTS C QUIET)
if(NOT MPI_C_FOUND)
  message(FATAL_ERROR "steelyard found no MPI library. Load its module, name its compiler wrapper with "
    "-DMPI_C_COMPILER=mpicc, install one (libopenmpi-dev or libmpich-dev), "
    "or build the readers alone with -DSTEELYARD_MPI=OFF")
endif()
steelyard_wrapper_file(wrapper "${MPI_C_COMPILER}")
set(STEELYARD_MPI_C_COMPILER_USED "${wrapper}" CACHE INTERNAL "the compiler wrapper that MPI was found with")
set(STEELYARD_MPI_C_COMPILER_NAME "${MPI_C_COMPILER}" CACHE INTERNAL "what that was called")
