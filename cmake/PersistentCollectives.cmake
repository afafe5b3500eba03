# SPDX-License-Identifier: Apache-2.0
# Sets STEELYARD_PERSISTENT_FORM to how the persistent collectives of the MPI library begin: "MPI_" (MPI-4), "MPIX_" (an
# extension of Open MPI 4 with the same arguments), or nothing; and STEELYARD_PERSISTENT_INCLUDE to what declares them. The
# version that a library reports decides nothing: some have the functions and report MPI 3.1.
set(STEELYARD_PERSISTENT_FORM "")
set(STEELYARD_PERSISTENT_INCLUDE "")
if(STEELYARD_MPI AND NOT STEELYARD_SIMULATED)
  include(CheckCXXSourceCompiles)
  function(steelyard_has_persistent form include variable)
    set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_C)
    set(CMAKE_REQUIRED_DEFINITIONS -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX)
    set(CMAKE_REQUIRED_QUIET ON)
    check_cxx_source_compiles("
      #include <mpi.h>
      ${include}
      int main() {
        double a = 1, b = 0;
        MPI_Request r;
        return ${form}Allreduce_init(&a, &b, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_SELF, MPI_INFO_NULL, &r) +
               ${form}Barrier_init(MPI_COMM_SELF, MPI_INFO_NULL, &r);
      }" ${variable})
  endfunction()
  set(extensions "#include <mpi-ext.h>")
  steelyard_has_persistent("MPI_" "" STEELYARD_HAVE_MPI_PERSISTENT)
  if(STEELYARD_HAVE_MPI_PERSISTENT)
    set(STEELYARD_PERSISTENT_FORM "MPI_")
  else()
    steelyard_has_persistent("MPIX_" "${extensions}" STEELYARD_HAVE_MPIX_PERSISTENT)
    if(STEELYARD_HAVE_MPIX_PERSISTENT)
      set(STEELYARD_PERSISTENT_FORM "MPIX_")
      set(STEELYARD_PERSISTENT_INCLUDE "${extensions}")
    endif()
  endif()
endif()
