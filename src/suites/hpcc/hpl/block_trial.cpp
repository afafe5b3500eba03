// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/hpl/block_trial.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>

#include "suites/hpcc/hpl/elimination.hpp"
#include "units/prefixes.hpp"
#include "units/text.hpp"

namespace steelyard::hpcc {
namespace {

constexpr std::array<std::int64_t, 8> candidates = {64, 96, 128, 160, 192, 256, 320, 384};
constexpr std::int64_t order = 640, panel_rows = 1024, unknown = 192;
constexpr int attempts = 3;
using prefix::giga;

/// Best of a few calls, of the slowest process. `prepare` is not timed.
template <class Prepare, class Call>
double seconds(const mpi::Communicator& world, Prepare prepare, Call call) {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < attempts; ++i) {
    prepare();
    world.barrier();
    const double start = MPI_Wtime();
    call();
    best = std::min(best, MPI_Wtime() - start);
  }
  return world.max(best);
}

/// A trailing matrix and the widest panels and rows that change it.
class UpdateTrial {
 public:
  UpdateTrial() : panels_(order * candidates.back(), 0.5), rows_(panels_), trailing_(order * order, 1.0) {}

  double flop_s(const mpi::Communicator& world, const blas::Routines& routines, std::int64_t depth) {
    const double s = seconds(
        world, [] {},
        [&] {
          routines.gemm(blas::Op::plain, blas::Op::plain, order, order, depth, -1, {panels_.data(), order},
                        {rows_.data(), candidates.back()}, 1, {trailing_.data(), order});
        });
    return 2.0 * static_cast<double>(order * order * depth) / s;
  }

 private:
  std::vector<double> panels_, rows_, trailing_;
};

/// Columns of the panels that a large problem gets at once.
std::int64_t columns_at_once(const Grid& grid, std::int64_t block) {
  hpl::Variant variant;
  variant.grid = grid;
  variant.n = std::numeric_limits<int>::max();
  variant.nb = block;
  return std::min(hpl::panels_at_once(variant) * block, candidates.back());
}

hpl::Variant panel_variant(std::int64_t block) {
  hpl::Variant variant;
  variant.n = panel_rows;
  variant.nb = block;
  return variant;
}

/// Every process factors a panel of its own.
double panel_flop_s(const mpi::Communicator& world, const blas::Routines& routines, std::int64_t block) {
  const auto alone = mpi::Communicator::self();
  const auto variant = panel_variant(block);
  const auto shape = hpl::shape_of(variant, 0);
  std::vector<double> columns(static_cast<std::size_t>(shape.leading() * block));
  const blas::Out a{columns.data(), shape.leading()};
  hpl::Elimination elimination(alone, shape, variant, routines);
  hpl::Panel panel(shape, true);
  const auto generate = [&] {
    for (std::int64_t j = 0; j < block; ++j) hpl::generate_column(shape, j, &a(0, j));
    panel.become(shape, 0, variant.l1, a.at(block, 0));
  };
  const double s = seconds(world, generate, [&] { elimination.factor(panel, a); });
  const auto rows = static_cast<double>(panel_rows), width = static_cast<double>(block);
  return width * width * (rows - width / 3) / s;
}

/// Time per operation of the whole factorisation.
double cost(const BlockRate& rate, std::int64_t n) {
  const double panels =
      0.75 * static_cast<double>(rate.block) / static_cast<double>(std::max<std::int64_t>(n, 1));
  return 1 / rate.update_flop_s + panels / rate.panel_flop_s;
}

}  // namespace

std::int64_t best_block(std::span<const BlockRate> rates, std::int64_t n) {
  constexpr double almost = 1.01;
  constexpr std::int64_t fewest_panels = 8;
  if (rates.empty()) return unknown;
  std::vector<BlockRate> fitting;
  std::ranges::copy_if(rates, std::back_inserter(fitting),
                       [n](const BlockRate& rate) { return fewest_panels * rate.block <= n; });
  if (fitting.empty()) return std::ranges::min(rates, {}, &BlockRate::block).block;
  const auto cost_of = [n](const BlockRate& rate) { return cost(rate, n); };
  const double least = cost_of(std::ranges::min(fitting, {}, cost_of));
  std::int64_t narrowest = std::numeric_limits<std::int64_t>::max();
  for (const auto& rate : fitting)
    if (cost_of(rate) <= almost * least) narrowest = std::min(narrowest, rate.block);
  return narrowest;
}

std::string block_reason(std::span<const BlockRate> rates, std::int64_t n) {
  if (rates.empty()) return "";
  std::string text =
      "NB: least time at N = " + std::to_string(n) + " by a trial of update and panel, Gflop/s";
  char mark = ':';
  for (const auto& rate : rates) {
    text += mark + std::string(" ") + std::to_string(rate.block) + " " +
            units::format_fixed(rate.update_flop_s / giga, 1) + " and " +
            units::format_fixed(rate.panel_flop_s / giga, 1);
    mark = ',';
  }
  return text;
}

std::vector<BlockRate> block_rates(const mpi::Communicator& world, const Grid& grid,
                                   const blas::Routines& routines) {
  std::vector<BlockRate> rates;
  if (!world.all(routines.available())) return rates;
  UpdateTrial update;
  for (const auto block : candidates)
    rates.push_back({block, update.flop_s(world, routines, columns_at_once(grid, block)),
                     panel_flop_s(world, routines, block)});
  return rates;
}

}  // namespace steelyard::hpcc
