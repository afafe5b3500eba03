// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/ptrans/data.hpp"

#include <numeric>
#include <utility>

namespace steelyard::hpcc {

std::vector<int> random_placement(int world, std::uint64_t seed) {
  std::vector<int> ranks(static_cast<std::size_t>(world));
  std::iota(ranks.begin(), ranks.end(), 0);
  Random random(seed);
  for (auto& rank : ranks) std::swap(rank, ranks[static_cast<std::size_t>(random.below(world))]);
  return ranks;
}

// Which blocks of A go where.

namespace {

/// Blocks b with b = first (mod m1) and b = second (mod m2), ascending.
std::vector<std::int64_t> common_blocks(std::int64_t blocks, int first, int m1, int second, int m2) {
  std::vector<std::int64_t> found;
  std::int64_t b = first;
  while (b < blocks && b % m2 != second) {
    b += m1;
    if (b >= std::lcm<std::int64_t>(m1, m2)) return {};
  }
  for (; b < blocks; b += std::lcm<std::int64_t>(m1, m2)) found.push_back(b);
  return found;
}

/// Routes to or from all partners, in the order of their distance in rank, upwards or downwards.
template <class RouteOf>
std::vector<Route> routes(const GridMatrix& matrix, int rank, int direction, RouteOf route_of) {
  std::vector<Route> all;
  const auto processes = static_cast<int>(matrix.grid.processes());
  for (int step = 1; step <= processes; ++step) {
    const int partner = (rank + direction * step + processes) % processes;
    auto one = route_of(partner);
    one.partner = partner;
    if (!one.row_blocks.empty() && !one.column_blocks.empty()) all.push_back(std::move(one));
  }
  return all;
}

}  // namespace

Route route(const GridMatrix& matrix, int from, int to) {
  const auto [rows, columns] = matrix.grid;
  const auto blocks = matrix.rows().blocks();
  Route result;
  result.row_blocks = common_blocks(blocks, matrix.row_of(from), rows, matrix.column_of(to), columns);
  result.column_blocks = common_blocks(blocks, matrix.column_of(from), columns, matrix.row_of(to), rows);
  for (const auto bj : result.column_blocks) result.height += matrix.columns().size_of(bj);
  return result;
}

std::vector<Route> routes_from(const GridMatrix& matrix, int rank) {
  return routes(matrix, rank, 1, [&](int partner) { return route(matrix, rank, partner); });
}

std::vector<Route> routes_to(const GridMatrix& matrix, int rank) {
  return routes(matrix, rank, -1, [&](int partner) { return route(matrix, partner, rank); });
}

}  // namespace steelyard::hpcc
