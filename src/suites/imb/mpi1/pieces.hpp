// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "suites/imb/point.hpp"

namespace steelyard::imb {

/// Q pieces of X bytes one after the other, piece q from rank q at `from` of its send area.
[[nodiscard]] inline std::vector<Segment> one_piece_per_rank(std::int64_t size, int processes,
                                                             std::int64_t from) {
  std::vector<Segment> segments;
  for (int rank = 0; rank < processes; ++rank)
    segments.push_back({.at = rank * size, .bytes = size, .source = rank, .from = from});
  return segments;
}

/// Arguments of the calls that take a count and a displacement per rank or neighbour: all counts equal,
/// displacement of piece q is q messages. A message is one element of a datatype of X bytes if the
/// displacements would not fit MPI's int.
class PerRank {
 public:
  explicit PerRank(const Point& point) : PerRank(point, point.processes) {}
  PerRank(const Point& point, int pieces)
      : message_(point.message(fits(point, pieces) ? Packing::free : Packing::one)),
        counts_(static_cast<std::size_t>(pieces), message_.count()),
        displacements_(counts_.size()) {
    std::exclusive_scan(counts_.begin(), counts_.end(), displacements_.begin(), 0);
  }

  [[nodiscard]] int count() const noexcept { return message_.count(); }
  [[nodiscard]] MPI_Datatype type() const noexcept { return message_.type(); }
  [[nodiscard]] const int* counts() const noexcept { return counts_.data(); }
  [[nodiscard]] const int* displacements() const noexcept { return displacements_.data(); }

 private:
  static bool fits(const Point& point, int pieces) {
    return point.elements() * pieces <= std::numeric_limits<int>::max();
  }

  Message message_;
  std::vector<int> counts_;
  std::vector<int> displacements_;
};

}  // namespace steelyard::imb
