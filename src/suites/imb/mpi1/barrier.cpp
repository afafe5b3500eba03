// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/named.hpp"

namespace steelyard::imb {
namespace {

// No data, hence nothing to check.
struct Barrier {
  MPI_Comm comm;
  int operator()(std::uint64_t) const noexcept { return mpi::noted(MPI_Barrier(comm), "MPI_Barrier"); }
};

}  // namespace

std::unique_ptr<measure::Workload> open(Named<"Barrier">, const Point& point) {
  return std::make_unique<measure::Loop<Barrier>>(Barrier{point.comm()});
}

}  // namespace steelyard::imb
