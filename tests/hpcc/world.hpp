// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "mpi/communicator.hpp"
#include "suites/hpcc/sizes.hpp"

/// What the parallel tests of HPC Challenge share.
namespace steelyard::hpcc {

inline const mpi::Communicator& world() {
  static const auto comm = mpi::Communicator::world();
  return comm;
}

/// All that take every process: smaller ones belong to smaller numbers of ranks.
inline std::vector<Grid> grids() {
  std::vector<Grid> all;
  for (int rows = 1; rows <= world().size(); ++rows)
    if (world().size() % rows == 0) all.push_back({rows, world().size() / rows});
  return all;
}

}  // namespace steelyard::hpcc
