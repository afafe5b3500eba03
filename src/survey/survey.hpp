// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <set>

#include "mpi/communicator.hpp"
#include "suites/hpcc/blas/library.hpp"
#include "suites/hpcc/settings.hpp"
#include "survey/rates_store.hpp"

/// Measures what a plan has to know of a machine before sizes are chosen.
namespace steelyard::survey {

struct Wishes {
  std::set<suites::RateGroup> groups;  // others stay assumed
  double seconds = 1.5;                // that the whole survey may take
  hpcc::CacheShare cache;
  std::int64_t memory_byte = 0;           // of a process, at most
  hpcc::Grid grid;                        // of the linear solver
  int threads = 1;                        // of a process
  std::optional<hpcc::BlasLibrary> blas;  // the one that will compute; nullopt: none
  std::filesystem::path directory;        // for files, which have no name when this ends
};

/// Measures the rates of these groups, the same on all ranks. A rate that could not be measured, or found
/// no time, stays assumed and is named. `met` is called on all ranks after each group. Collective over
/// the world. Throws mpi::Error.
[[nodiscard]] Surveyed survey(const mpi::Communicator& world, const Wishes& wishes,
                              const std::function<void()>& met = {});

}  // namespace steelyard::survey
