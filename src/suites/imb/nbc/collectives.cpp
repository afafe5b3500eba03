// SPDX-License-Identifier: Apache-2.0
// The non-blocking collectives, each with a computation beside it and alone.
#include "suites/imb/collectives.hpp"

#include "suites/imb/nbc/catalogue.hpp"

namespace steelyard::imb {
namespace {

template <class Collective, auto function>
constexpr StartedCollective started(std::string_view name) {
  using Op = Started<Collective, function>;
  return {name, alone<Op>, overlapped<Op>};
}

constexpr StartedCollective started_collectives[] = {
    started<BcastOf, MPI_Ibcast>("Ibcast"),
    started<AllgatherOf, MPI_Iallgather>("Iallgather"),
    started<AllgathervOf, MPI_Iallgatherv>("Iallgatherv"),
    started<GatherOf, MPI_Igather>("Igather"),
    started<GathervOf, MPI_Igatherv>("Igatherv"),
    started<ScatterOf, MPI_Iscatter>("Iscatter"),
    started<ScattervOf, MPI_Iscatterv>("Iscatterv"),
    started<AlltoallOf, MPI_Ialltoall>("Ialltoall"),
    started<AlltoallvOf, MPI_Ialltoallv>("Ialltoallv"),
    started<ReduceOf, MPI_Ireduce>("Ireduce"),
    started<ReduceScatterOf, MPI_Ireduce_scatter>("Ireduce_scatter"),
    started<AllreduceOf, MPI_Iallreduce>("Iallreduce"),
    started<BarrierOf, MPI_Ibarrier>("Ibarrier"),
};

}  // namespace

std::span<const OpenWorkload> nonblocking_functions() {
  static constexpr auto functions = functions_of_collectives<nbc_benchmarks, started_collectives>("_pure");
  return functions;
}

}  // namespace steelyard::imb
