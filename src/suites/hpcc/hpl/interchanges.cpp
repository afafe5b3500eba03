// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/hpl/interchanges.hpp"

#include <algorithm>
#include <numeric>

namespace steelyard::hpcc::hpl {
namespace {

/// The distinct pivots under the block, ascending.
std::vector<std::int64_t> rows_under(const PanelShape& panel, std::span<const double> pivots) {
  std::vector<std::int64_t> rows;
  for (const double pivot : pivots)
    if (const auto row = static_cast<std::int64_t>(pivot); row >= panel.end()) rows.push_back(row);
  std::ranges::sort(rows);
  const auto repeated = std::ranges::unique(rows);
  rows.erase(repeated.begin(), repeated.end());
  return rows;
}

}  // namespace

Interchanges compose(const Shape& shape, const PanelShape& panel, std::span<const double> pivots) {
  const auto under = rows_under(panel, pivots);
  const auto width = static_cast<std::size_t>(panel.width);
  // Places and contents are numbered alike: the rows of the block, then those under it.
  std::vector<std::size_t> content(width + under.size());
  std::iota(content.begin(), content.end(), std::size_t{0});
  for (std::size_t i = 0; i < pivots.size(); ++i) {
    const auto row = static_cast<std::int64_t>(pivots[i]);
    const auto place =
        row < panel.end()
            ? static_cast<std::size_t>(row - panel.first)
            : width + static_cast<std::size_t>(std::ranges::lower_bound(under, row) - under.begin());
    std::swap(content[i], content[place]);
  }
  std::vector<std::int64_t> slot_of(under.size());
  Interchanges result;
  for (std::size_t slot = 0; slot < width; ++slot) {
    if (content[slot] < width)
      result.staying.push_back({static_cast<std::int64_t>(slot), static_cast<std::int64_t>(content[slot])});
    else
      slot_of[content[slot] - width] = static_cast<std::int64_t>(slot);
  }
  result.coming.resize(static_cast<std::size_t>(shape.grid.rows));
  for (std::size_t r = 0; r < under.size(); ++r)
    result.coming[static_cast<std::size_t>(shape.rows().owner(under[r]))].push_back(
        {shape.rows().local(under[r]), slot_of[r], static_cast<std::int64_t>(content[width + r])});
  return result;
}

}  // namespace steelyard::hpcc::hpl
