# SPDX-License-Identifier: Apache-2.0
# The MPI of a simulated machine (-DSTEELYARD_MPI=SMPI): SimGrid's SMPI runs every process of a program within one
# process of this machine and tells simulated times. Programs are shared objects that smpirun loads.

find_program(SMPIRUN_EXECUTABLE smpirun)
find_path(SMPI_INCLUDE_DIR smpi/smpi_helpers.h)
find_library(SIMGRID_LIBRARY simgrid)
foreach(part IN ITEMS SMPIRUN_EXECUTABLE SMPI_INCLUDE_DIR SIMGRID_LIBRARY)
  steelyard_need(${part} "SimGrid 3.32 or later with SMPI for simulated machines" libsimgrid-dev)
endforeach()

# Rooms are compiled as for every other library, so that ccache shares what does not see mpi.h. The program itself is
# given the clocks and pauses of the simulation when it is linked (tests/scale/simulated_clocks.cpp).
set(STEELYARD_POSITION_INDEPENDENT ON)

function(steelyard_simulated_options)
  add_library(steelyard_mpi_c INTERFACE)
  target_include_directories(steelyard_mpi_c SYSTEM INTERFACE ${SMPI_INCLUDE_DIR}/smpi)
  target_link_libraries(steelyard_mpi_c INTERFACE ${SIMGRID_LIBRARY})
endfunction()

# steelyard_simulated_program(name SOURCES ... USES ...): a program for smpirun. Its processes share one image.
function(steelyard_simulated_program name)
  cmake_parse_arguments(arg "" "" "SOURCES;USES" ${ARGN})
  add_library(${name} MODULE ${arg_SOURCES})
  set_target_properties(${name} PROPERTIES PREFIX "" SUFFIX ".so")
  target_link_libraries(${name} PRIVATE ${arg_USES} steelyard_mpi)
  target_link_options(${name} PRIVATE -Wl,-z,defs)
endfunction()
