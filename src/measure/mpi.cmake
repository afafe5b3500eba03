# SPDX-License-Identifier: Apache-2.0
steelyard_library(measure
  SOURCES block.cpp engine.cpp failure.cpp measurer.cpp probe.cpp synchronise.cpp
          wtime.cpp
  USES steelyard_measure_core steelyard_mpi steelyard_record steelyard_stats)
