# SPDX-License-Identifier: Apache-2.0
steelyard_library(measure
  SOURCES
    engine.cpp block.cpp block_classic.cpp block_rounds.cpp block_finish.cpp decide.cpp
    ledger.cpp ledger_outcome.cpp
    measurer.cpp measurer_window.cpp timing.cpp global_times.cpp mpi_memory.cpp extremes.cpp
    rank_spread.cpp host_rates.cpp failure.cpp verification.cpp usage.cpp
    synchronise.cpp synchronise_window.cpp clock_exchange.cpp clock_tree.cpp
    probe.cpp line_exchange.cpp kernels.cpp
    wtime.cpp calibrate_ranks.cpp disturbance.cpp noise.cpp
  USES steelyard_measure_core steelyard_mpi steelyard_record steelyard_stats)
