// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/hpl/solver.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "suites/hpcc/blas.hpp"

using namespace steelyard;
using namespace steelyard::hpcc::hpl;
using steelyard::hpcc::Grid;
namespace blas = steelyard::hpcc::blas;

namespace {

const mpi::Communicator& world() {
  static const auto comm = mpi::Communicator::world();
  return comm;
}

/// All grids of up to `world` processes, so that with each number of ranks the smaller ones are not repeated.
std::vector<Grid> grids() {
  std::vector<Grid> all;
  for (int rows = 1; rows <= world().size(); ++rows)
    if (world().size() % rows == 0) all.push_back({rows, world().size() / rows});
  return all;
}

}  // namespace

TEST(hpl_solver, quick) {
  for (const auto& grid : grids())
    for (const std::int64_t n : {0, 1, 7, 8, 9, 43, 200}) {
      Variant variant;
      variant.grid = grid;
      variant.n = n;
      variant.nb = 8;
      Solver solver(world(), variant);
      ASSERT_EQ(solver.run(), MPI_SUCCESS);
      const auto found = solver.verify(16);
      EXPECT_EQ(found.errors, 0) << n << " " << grid.rows << "x" << grid.columns << " " << found.first;
      if (world().is_root()) std::printf("%ld %dx%d %g\n", (long)n, grid.rows, grid.columns, found.worst);
    }
}
