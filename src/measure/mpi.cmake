# SPDX-License-Identifier: Apache-2.0
steelyard_library(measure
  SOURCES
    engine.cpp block.cpp
    measurer.cpp synchronise.cpp
    rank_spread.cpp failure.cpp
    probe.cpp
    wtime.cpp disturbance.cpp
  USES steelyard_measure_core steelyard_mpi steelyard_record steelyard_stats)
