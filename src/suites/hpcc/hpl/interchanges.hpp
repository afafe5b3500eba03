// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "suites/hpcc/hpl/shape.hpp"

/// What the row interchanges of a panel amount to, all of them together. Pure.
namespace steelyard::hpcc::hpl {

/// A row under the block that is a pivot: its content ends in the block, and a row of the block ends there.
struct Coming {
  std::int64_t row = 0;        // local to its process row
  std::int64_t slot = 0;       // row of the block where its content ends
  std::int64_t displaced = 0;  // row of the block whose content it gets
};
/// A row of the block whose content stays in the block.
struct Staying {
  std::int64_t slot = 0, from = 0;
};

struct Interchanges {
  std::vector<std::vector<Coming>> coming;  // of each process row, ascending
  std::vector<Staying> staying;
};

/// Interchanges of rows panel.first + i and pivots[i] >= panel.first + i, in the order of i.
[[nodiscard]] Interchanges compose(const Shape& shape, const PanelShape& panel,
                                   std::span<const double> pivots);

}  // namespace steelyard::hpcc::hpl
