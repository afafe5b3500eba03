// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "machine/environment.hpp"
#include "machine/topology.hpp"
#include "measure/buffers.hpp"
#include "options/values.hpp"
#include "suites/hpcc/settings.hpp"
#include "suites/suite.hpp"
#include "survey/rates_store.hpp"

namespace steelyard::mpi {
class Communicator;
}

namespace steelyard::cli {

/// The machine that options meet, as seen by one process: known after MPI_Init, assumed for --plan.
struct Place {
  int processes = 1;
  std::int64_t memory_byte = 0;       // per process, the least over all; 0 = unknown
  measure::OffCache cache;            // last-level cache and its line, the largest over all
  std::int64_t node_share_byte = 0;   // a process's equal share of all memory of its node, the least over all
  hpcc::CacheShare cache_share = {};  // of a process alone, and while its node works: the largest over all
  int domains = 1;               // NUMA domains that processes of a node are bound to, the most on any node
  int spread = 1;                // NUMA domains that a process may run on, the most of any process
  int nodes = 1;                 // by the memory that processes share
  survey::Surveyed survey = {};  // rates by which sizes and times are chosen
  [[nodiscard]] suites::World world() const { return {processes, survey.rates}; }
  std::shared_ptr<const hpcc::BlasInUse> blas = {};  // BLAS that computes; nullptr: the linked one
  machine::Switches switch_of = {};                  // on rank 0: switches of --topology
  std::int64_t nodes_memory_byte = 0;  // of all nodes together; 0: not looked at, or unknown on one
};

/// Memory of all nodes together; where only equal nodes were looked at, the shares of all processes. 0 = unknown.
[[nodiscard]] std::int64_t memory_of_all(const Place& place);

inline constexpr std::int64_t tenths_of_memory = 8;  // the rest is for the MPI library and the system

/// Memory and cache of this node shared by `processes` of so many threads each.
[[nodiscard]] Place node_place(int processes, int threads, const machine::Roots& roots = {});

/// Place of `processes`, of which `on_node` share a node like this one, with the rates of the last survey of so many
/// processes here, if there was one.
[[nodiscard]] Place place_here(const Values& values, int processes, int on_node);

/// The place of these processes, of so many threads each, as all of them find it on their nodes: the least memory, the
/// largest caches. The same on all ranks; collective over the world. Throws mpi::Error.
[[nodiscard]] Place world_place(const mpi::Communicator& world, int threads,
                                const machine::Roots& roots = {});

/// Share of the last-level caches with so many processes of so many threads on the node. Every thread may use another
/// of them: alone, a process has as many as it has threads.
[[nodiscard]] hpcc::CacheShare cache_share(const machine::Cache& cache, int sharing, int threads);

/// Place for which the survey of so many processes on these nodes is kept.
[[nodiscard]] survey::Place survey_place(const Values& values, const Place& place);

/// Cache that --off-cache passes by, "auto" being this machine's. Throws UsageError.
[[nodiscard]] measure::OffCache off_cache(const Values& values, const measure::OffCache& machine);

/// Part of the usable memory that one of `sharing` processes may plan with.
[[nodiscard]] std::int64_t memory_share(const machine::UsableMemory& usable, int sharing);

/// Memory that a process may use at most: that which it may plan with and the part for the MPI library and the system.
[[nodiscard]] std::int64_t usable_byte(const Place& place);

}  // namespace steelyard::cli
