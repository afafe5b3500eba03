# SPDX-License-Identifier: Apache-2.0
# One program: one link, and one start of the launcher for each number of ranks.
steelyard_mpi_test(measure_mpi_test
  SOURCES engine_classic_mpi_test.cpp engine_failure_mpi_test.cpp engine_groups_mpi_test.cpp
    engine_rounds_mpi_test.cpp probe_mpi_test.cpp
  USES steelyard_measure
  RANKS 1 2 3 4 5)
# Not in it: on a busy machine the clocks and windows alone may take most of the time that a test has.
steelyard_mpi_test(measure_synchronise_mpi_test
  SOURCES synchronise_mpi_test.cpp
  USES steelyard_measure
  RANKS 1 2 3 4 5)
