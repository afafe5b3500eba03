// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/hpl/shape.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "suites/hpcc/congruence.hpp"
#include "suites/hpcc/foundation/isa.hpp"

namespace steelyard::hpcc::hpl {
namespace {

constexpr std::int64_t lanes = 8;

/// Generates values of consecutive states in eight sequences side by side, so that none
/// waits for its predecessor.
std::uint64_t generate_run(std::uint64_t state, std::int64_t count, double* to) {
  static constexpr Affine stride = wide_step.times(lanes);
  std::array<std::uint64_t, lanes> states{};
  for (auto& lane : states) state = wide_step(lane = state);
  std::int64_t done = 0;
  run_widest([&]() __attribute__((always_inline)) {
    for (; done + lanes <= count; done += lanes)
      for (std::size_t lane = 0; lane < states.size(); ++lane) {
        to[done + static_cast<std::int64_t>(lane)] = solver_value(states[lane]);
        states[lane] = stride(states[lane]);
      }
  });
  for (state = states[0]; done < count; ++done, state = wide_step(state)) to[done] = solver_value(state);
  return state;
}

}  // namespace

Place place_of(int rank, const Grid& grid, Mapping mapping) {
  if (mapping == Mapping::row_major) return {rank / grid.columns, rank % grid.columns};
  return {rank % grid.rows, rank / grid.rows};
}

std::int64_t Shape::leading() const {
  const std::int64_t unit = alignment;
  auto leading = (std::max<std::int64_t>(1, local_columns()) + unit - 1) / unit * unit;
  while (std::has_single_bit(static_cast<std::uint64_t>(leading))) leading += unit;
  return leading;
}

Shape shape_of(const Variant& variant, int rank) {
  return {variant.n, variant.nb, variant.grid, place_of(rank, variant.grid, variant.mapping),
          variant.alignment};
}

Shape widened(Shape shape, std::int64_t times) {
  shape.nb *= times;
  return shape;
}

std::int64_t panels(const Shape& shape) {
  return shape.rows().blocks();
}

PanelShape panel_shape(const Shape& shape, std::int64_t k) {
  PanelShape panel;
  panel.first = k * shape.nb;
  panel.width = std::min(shape.nb, shape.n - panel.first);
  panel.owner = {shape.rows().owner(panel.first), shape.columns().owner(panel.first)};
  panel.top = shape.rows_before(panel.first);
  panel.below = shape.rows_before(panel.end());
  panel.rows = shape.local_rows() - panel.below;
  panel.column = shape.columns_before(panel.first);
  panel.right = shape.columns_before(panel.end());
  return panel;
}

std::int64_t panel_leading(std::int64_t rows) {
  constexpr std::int64_t line = 8, few_sets = 64;  // doubles
  const auto leading = (rows + line - 1) / line * line;
  return leading > 0 && leading % few_sets == 0 ? leading + line : leading;
}

namespace {

template <class Number>
Number length_with(const Shape& shape, std::int64_t rows) {
  const auto width = std::min(shape.nb, std::max<std::int64_t>(shape.n, 1));
  return static_cast<Number>(panel_leading(panel_head + width + rows)) * static_cast<Number>(width);
}

}  // namespace

std::int64_t panel_length(const Shape& shape) {
  return length_with<std::int64_t>(shape, shape.local_rows());
}

std::int64_t block_length(const Shape& shape) {
  return length_with<std::int64_t>(shape, 0);
}

int panels_at_once(const Variant& variant) {
  constexpr std::int64_t columns = 384, most = 4, groups = 12;
  if (variant.grid.rows > 1 || variant.depth > 1) return 1;
  if (variant.at_once) return *variant.at_once;
  const auto leave_groups = variant.n / variant.nb / (groups * variant.grid.columns);
  return static_cast<int>(std::clamp<std::int64_t>(std::min(columns / variant.nb, leave_groups), 1, most));
}

std::int64_t panel_slots(const Variant& variant) {
  const auto together = panels_at_once(variant);
  const auto groups = variant.grid.columns > 1 ? variant.depth + std::int64_t{1} : 1;
  return std::min(groups * together, std::max<std::int64_t>(panels(shape_of(variant, 0)), 1));
}

std::int64_t memory_byte(const Variant& variant) {
  const Shape shape = shape_of(variant, 0);  // no process has more than the first
  const auto columns = shape.local_columns() + 1;
  const bool several_rows = variant.grid.rows > 1;
  const auto together = panels_at_once(variant);
  const auto width = std::min(variant.nb, variant.n);
  const auto product = [](std::int64_t a, std::int64_t b) {
    return static_cast<double>(a) * static_cast<double>(b);
  };
  const double panel = length_with<double>(shape, shape.local_rows()) + product(width, width);
  const auto all = together > 1 ? block_length(widened(shape, together)) : 0;
  const double exchanged = several_rows ? 3 * product(width, columns) : 0;
  const double words = product(shape.leading(), shape.local_rows() + 1) +
                       static_cast<double>(panel_slots(variant)) * panel + static_cast<double>(all) +
                       exchanged;
  return counted_in_int64(8 * words);
}

void generate_column(const Shape& shape, std::int64_t global_column, double* to) {
  const auto rows = shape.rows();
  const auto count = shape.local_rows();
  const Affine skip = wide_step.times(static_cast<std::uint64_t>(shape.nb * (shape.grid.rows - 1)));
  auto state =
      solver_state(static_cast<std::uint64_t>(1 + rows.global(shape.at.row, 0) + global_column * shape.n));
  for (std::int64_t i = 0; i < count; i += shape.nb)
    state = skip(generate_run(state, std::min(shape.nb, count - i), to + i));
}

// Interchanges of rows.

namespace {

/// The distinct pivots under the block, ascending.
std::vector<std::int64_t> rows_under(const PanelShape& panel, std::span<const double> pivots) {
  std::vector<std::int64_t> rows;
  for (const double pivot : pivots)
    if (const auto row = static_cast<std::int64_t>(pivot); row >= panel.end()) rows.push_back(row);
  std::ranges::sort(rows);
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
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
