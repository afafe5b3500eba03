// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "suites/imb/definition.hpp"

namespace steelyard::imb {

/// Names of a collective that is measured twice: with a computation beside it, and alone.
struct PairNames {
  std::string_view with_computation, alone;
};

/// The thirteen collectives that IMB-NBC and IMB-MPI4 have, in the order of both. Reduce_scatter: X bytes to
/// every rank, under all rules.
inline constexpr std::array<Definition, 13> paired_collectives{{
    {.name = "Bcast", .rooted = true},
    {.name = "Allgather", .receive = Side::per_rank},
    {.name = "Allgatherv", .receive = Side::per_rank},
    {.name = "Gather", .rooted = true, .receive = Side::per_rank},
    {.name = "Gatherv", .rooted = true, .receive = Side::per_rank},
    {.name = "Scatter", .rooted = true, .send = Side::per_rank},
    {.name = "Scatterv", .rooted = true, .send = Side::per_rank},
    {.name = "Alltoall", .send = Side::per_rank, .receive = Side::per_rank},
    {.name = "Alltoallv", .send = Side::per_rank, .receive = Side::per_rank},
    {.name = "Reduce", .reduction = true, .rooted = true},
    {.name = "Reduce_scatter", .reduction = true, .send = Side::per_rank},
    {.name = "Allreduce", .reduction = true},
    {.name = "Barrier", .kind = Class::sync, .send = Side::none, .receive = Side::none},
}};

/// Two rows for each collective; only the first belongs to the default set.
[[nodiscard]] constexpr std::array<Definition, 26> paired(const std::array<PairNames, 13>& names,
                                                          bool persistent = false) {
  std::array<Definition, 26> rows{};
  for (std::size_t i = 0; i < names.size(); ++i) {
    Definition row = paired_collectives[i];
    row.source = "later releases";
    if (persistent) {
      row.family = Family::persistent_collectives;
      row.comparison = Comparison::collective;
    }
    row.name = names[i].alone;
    row.in_seed = row.in_2021 = false;
    rows[2 * i + 1] = row;
    row.name = names[i].with_computation;
    row.in_seed = row.in_2021 = true;
    row.with_computation = true;
    row.table = row.kind == Class::sync ? Table::f : Table::e;
    rows[2 * i] = row;
  }
  return rows;
}

/// IMB-NBC, in the order of the definition.
inline constexpr auto nbc_benchmarks = paired({{
    {"Ibcast", "Ibcast_pure"},
    {"Iallgather", "Iallgather_pure"},
    {"Iallgatherv", "Iallgatherv_pure"},
    {"Igather", "Igather_pure"},
    {"Igatherv", "Igatherv_pure"},
    {"Iscatter", "Iscatter_pure"},
    {"Iscatterv", "Iscatterv_pure"},
    {"Ialltoall", "Ialltoall_pure"},
    {"Ialltoallv", "Ialltoallv_pure"},
    {"Ireduce", "Ireduce_pure"},
    {"Ireduce_scatter", "Ireduce_scatter_pure"},
    {"Iallreduce", "Iallreduce_pure"},
    {"Ibarrier", "Ibarrier_pure"},
}});

}  // namespace steelyard::imb
