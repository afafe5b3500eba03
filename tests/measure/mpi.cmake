# SPDX-License-Identifier: Apache-2.0
foreach(name IN ITEMS engine_classic engine_rounds engine_failure engine_groups synchronise probe)
  steelyard_mpi_test(measure_${name}_mpi_test SOURCES ${name}_mpi_test.cpp USES steelyard_measure RANKS 1 2 3 4 5)
endforeach()
