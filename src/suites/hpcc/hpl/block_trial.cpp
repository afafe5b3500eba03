// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/hpl/block_trial.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <limits>

#include "machine/huge_memory.hpp"
#include "suites/hpcc/hpl/panel_factorization.hpp"

namespace steelyard::hpcc {
namespace {

// Widths of panels; those that are most often best come first.
constexpr std::array<std::int64_t, 8> candidates = {128, 192, 256, 96, 160, 64, 384, 320};
constexpr std::int64_t widest = std::ranges::max(candidates);
constexpr std::int64_t order = 640, panel_rows = 1024;
constexpr int rounds = 3;

/// Seconds of a call on the slowest process. `prepare` is not timed.
template <class Prepare, class Call>
double seconds(const mpi::Communicator& world, Prepare prepare, Call call) {
  prepare();
  world.barrier();
  const double start = MPI_Wtime();
  call();
  return world.max(MPI_Wtime() - start);
}

/// Parts of a trailing matrix and the widest panels and rows that change them. A solver comes back to a part
/// only after all others, when it lies in the memory again: a product whose result stays in the cache is
/// faster, the more so the narrower the panels are.
class UpdateTrial {
 public:
  UpdateTrial() : panels_(order * widest, 0.5), rows_(panels_), trailing_(parts * part) {
    std::ranges::fill(trailing_.span(), 1.0);
  }

  double flop_s(const mpi::Communicator& world, const blas::Routines& routines, std::int64_t depth) {
    const double s = seconds(
        world, [] {},
        [&] {
          routines.gemm(blas::Op::plain, blas::Op::plain, order, order, depth, -1, {panels_.data(), order},
                        {rows_.data(), widest}, 1, {trailing_.data() + next_ * part, order});
        });
    next_ = (next_ + 1) % parts;
    return 2.0 * static_cast<double>(order * order * depth) / s;
  }

 private:
  static constexpr std::int64_t part = order * order, parts = 20;  // about 64 MiB together
  std::vector<double> panels_, rows_;
  machine::HugeArray<double> trailing_;
  std::int64_t next_ = 0;
};

/// Columns of the panels that a large problem gets at once.
std::int64_t columns_at_once(const Grid& grid, std::int64_t block) {
  hpl::Variant variant;
  variant.grid = grid;
  variant.n = std::numeric_limits<int>::max();
  variant.nb = block;
  return std::min(hpl::panels_at_once(variant) * block, widest);
}

hpl::Variant panel_variant(std::int64_t block) {
  hpl::Variant variant;
  variant.n = panel_rows;
  variant.nb = block;
  return variant;
}

/// Rate of factoring, while every process factors a panel of its own.
double panel_flop_s(const mpi::Communicator& world, const blas::Routines& routines, std::int64_t block) {
  const auto alone = mpi::Communicator::self();
  const auto variant = panel_variant(block);
  const auto shape = hpl::shape_of(variant, 0);
  std::vector<double> columns(static_cast<std::size_t>(shape.leading() * block));
  const blas::Out a{columns.data(), shape.leading()};
  hpl::PanelFactorization factorization(alone, shape, variant, routines);
  hpl::Panel panel(shape, true);
  const auto generate = [&] {
    for (std::int64_t j = 0; j < block; ++j) hpl::generate_column(shape, j, &a(0, j));
    panel.become(shape, 0, variant.l1, a.at(block, 0));
  };
  const double s = seconds(world, generate, [&] { factorization.factor(panel, a); });
  const auto rows = static_cast<double>(panel_rows), width = static_cast<double>(block);
  return width * width * (rows - width / 3) / s;
}

suites::PanelRate one_rate(const mpi::Communicator& world, const Grid& grid, const blas::Routines& routines,
                           UpdateTrial& update, std::int64_t block) {
  return {block, update.flop_s(world, routines, columns_at_once(grid, block)),
          panel_flop_s(world, routines, block)};
}

}  // namespace

std::vector<suites::PanelRate> panel_rates(const mpi::Communicator& world, const Grid& grid,
                                           const blas::Routines& routines,
                                           const std::function<bool()>& go_on) {
  std::vector<suites::PanelRate> rates;
  if (!world.all(routines.available())) return rates;
  UpdateTrial update;
  for (const auto block : candidates) {
    if (!rates.empty() && !go_on()) break;
    rates.push_back(one_rate(world, grid, routines, update, block));
  }
  // Others' work disturbs some trials in a row: every width is tried again later.
  for (int round = 1; round < rounds; ++round)
    for (auto& rate : rates) {
      if (!go_on()) break;
      const auto again = one_rate(world, grid, routines, update, rate.block);
      rate.update_flop_s = std::max(rate.update_flop_s, again.update_flop_s);
      rate.panel_flop_s = std::max(rate.panel_flop_s, again.panel_flop_s);
    }
  std::ranges::sort(rates, {}, &suites::PanelRate::block);
  return rates;
}

}  // namespace steelyard::hpcc
