# SPDX-License-Identifier: Apache-2.0
# Sets STEELYARD_PERSISTENT_FORM to how the persistent collectives of the MPI library begin: "MPI_" (MPI-4), "MPIX_" (an
# extension of Open MPI 4 with the same arguments), or nothing; and STEELYARD_PERSISTENT_INCLUDE to what declares them. The
# version that a library reports decides nothing: some have the functions and report MPI 3.1. Sets STEELYARD_HAVE_PARTITIONED
# where the library has messages in parts.
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
               ${form}Reduce_scatter_block_init(&a, &b, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_SELF, MPI_INFO_NULL, &r) +
               ${form}Neighbor_alltoall_init(&a, 1, MPI_DOUBLE, &b, 1, MPI_DOUBLE, MPI_COMM_SELF, MPI_INFO_NULL, &r) +
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
  function(steelyard_has_partitioned variable)
    set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_C)
    set(CMAKE_REQUIRED_DEFINITIONS -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX)
    set(CMAKE_REQUIRED_QUIET ON)
    check_cxx_source_compiles("
      #include <mpi.h>
      int main() {
        char byte = 0;
        int there = 0;
        MPI_Request r;
        return MPI_Psend_init(&byte, 1, 1, MPI_CHAR, 0, 0, MPI_COMM_SELF, MPI_INFO_NULL, &r) +
               MPI_Precv_init(&byte, 1, 1, MPI_CHAR, 0, 0, MPI_COMM_SELF, MPI_INFO_NULL, &r) +
               MPI_Pready(0, r) + MPI_Pready_list(1, &there, r) + MPI_Pready_range(0, 0, r) +
               MPI_Parrived(r, 0, &there);
      }" ${variable})
  endfunction()
  steelyard_has_partitioned(STEELYARD_HAVE_PARTITIONED)
endif()
