# SPDX-License-Identifier: Apache-2.0
steelyard_library(measure
  SOURCES
    engine.cpp block.cpp
    measurer.cpp timing.cpp global_times.cpp mpi_memory.cpp visit_message.cpp
    rank_spread.cpp failure.cpp verification.cpp usage.cpp
    synchronise.cpp clock_tree.cpp
    probe.cpp line_exchange.cpp kernels.cpp
    wtime.cpp disturbance.cpp noise.cpp
  USES steelyard_measure_core steelyard_mpi steelyard_record steelyard_stats)
