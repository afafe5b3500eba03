// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/hpl/block_trial.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>

#include "machine/pages.hpp"
#include "measure/failure.hpp"
#include "suites/hpcc/hpl/panel.hpp"
#include "suites/hpcc/hpl/panel_factorization.hpp"

namespace steelyard::hpcc {
namespace {

// Widths of panels; those that are most often best come first.
constexpr std::array<std::int64_t, 8> candidates = {128, 192, 256, 96, 160, 64, 384, 320};
constexpr std::int64_t widest = std::ranges::max(candidates);
constexpr std::int64_t panel_rows = 1024;
// A trailing matrix of about 64 MiB. Distances are no multiples of 512 byte, as in the solver.
constexpr std::int64_t trailing_rows = 2048, trailing_columns = 4096, most_rows = trailing_rows / 2;
constexpr std::int64_t leading_l = most_rows + 8, leading_u = trailing_columns + 8;
constexpr double little = 1e-3;  // in L: triangles leave the size of U almost as it is
constexpr std::int64_t solved_columns = 2 * hpl::columns_in_cache;
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

/// Parts of a trailing matrix, stored by rows, and the widest panels and rows that change them, in products that the
/// solver makes: of all columns, and as many rows as it multiplies while panels are on their way; of one process alone, of
/// so many that more are not faster. Narrower or shorter ones are slower, and not alike for all widths. A solver comes
/// back to a part only after all others, when it lies in the memory again: a product whose result stays in the cache is
/// faster, the more so the narrower the panels are.
class UpdateTrial {
 public:
  explicit UpdateTrial(const Grid& grid)
      : l_(leading_l * widest, little),
        u_(leading_u * widest, 0.5),
        trailing_(trailing_rows * leading_u),
        part_rows_(grid.processes() > 1 ? hpl::Variant().slice_rows : most_rows) {
    std::ranges::fill(trailing_.span(), 1.0);
  }

  double flop_s(const mpi::Communicator& world, const blas::Routines& routines, std::int64_t depth) {
    const double s = seconds(
        world, [] {},
        [&] {
          routines.gemm(blas::Op::plain, blas::Op::transposed, trailing_columns, part_rows_, depth, -1,
                        {u_.data(), leading_u}, {l_.data(), leading_l}, 1,
                        {trailing_.data() + next_row_ * leading_u, leading_u});
        });
    next_row_ = (next_row_ + part_rows_) % trailing_rows;
    return 2.0 * static_cast<double>(part_rows_ * trailing_columns * depth) / s;
  }

  /// Rate of solving a triangle for rows of U, as many columns at a time as the solver solves.
  double solve_flop_s(const mpi::Communicator& world, const blas::Routines& routines, std::int64_t depth) {
    hpl::BlockSolver solver;
    solver.become({l_.data(), depth, leading_l, hpl::Storage::transposed}, routines);
    const double s = seconds(
        world, [] {},
        [&] {
          for (std::int64_t c = 0; c < solved_columns; c += hpl::columns_in_cache)
            solver.solve(hpl::columns_in_cache, {u_.data() + c, leading_u}, hpl::Storage::transposed);
        });
    return static_cast<double>(depth * depth * solved_columns) / s;
  }

 private:
  std::vector<double> l_, u_;
  machine::HugeArray<double> trailing_;
  std::int64_t part_rows_, next_row_ = 0;
};

/// Best rates of what depends on the columns that are applied at once: panels of several widths make the same number.
struct AtOnce {
  double update_flop_s = 0, solve_flop_s = 0;
  int tries = 0;
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

/// A panel of one process, its columns and what factors it.
class PanelTrial {
 public:
  PanelTrial(const mpi::Communicator& alone, const blas::Routines& routines, std::int64_t block)
      : variant_(panel_variant(block)),
        shape_(hpl::shape_of(variant_, 0)),
        columns_(static_cast<std::size_t>(panel_rows * block)),
        values_(static_cast<std::size_t>(panel_rows)),
        factorization_(alone, shared_, shape_, variant_, routines),
        panel_(shape_, 1) {}

  void generate() {
    for (std::int64_t j = 0; j < variant_.nb; ++j) {
      hpl::generate_column(shape_, j, values_.data());
      for (std::int64_t i = 0; i < panel_rows; ++i) matrix()(i, j) = values_[static_cast<std::size_t>(i)];
    }
    panel_.become(shape_, 0, variant_.l1);
  }
  void factor() { factorization_.factor(panel_, matrix()); }

 private:
  [[nodiscard]] hpl::RowMatrix matrix() { return {columns_.data(), variant_.nb}; }

  hpl::Variant variant_;
  hpl::Shape shape_;
  std::vector<double> columns_, values_;
  hpl::ColumnMemory shared_;
  hpl::PanelFactorization factorization_;
  hpl::Panel panel_;
};

/// Makes a trial on all processes. Throws measure::SharedFailure on all of them where one lacks the memory:
/// the others would wait for it in the first barrier.
template <class Trial, class... Arguments>
void make(std::optional<Trial>& trial, const mpi::Communicator& world, const Arguments&... arguments) {
  measure::all_or_none(world, [&] { trial.emplace(arguments...); });
}

/// Rate of factoring, while every process factors a panel of its own.
double panel_flop_s(const mpi::Communicator& world, const blas::Routines& routines, std::int64_t block) {
  const auto alone = mpi::Communicator::self();
  std::optional<PanelTrial> trial;
  make(trial, world, alone, routines, block);
  const double s = seconds(
      world, [&] { trial->generate(); }, [&] { trial->factor(); });
  const auto rows = static_cast<double>(panel_rows), width = static_cast<double>(block);
  return width * width * (rows - width / 3) / s;
}

/// Trial of the rates of all widths, in rounds.
class Trial {
 public:
  /// Throws measure::SharedFailure on all processes.
  Trial(const mpi::Communicator& world, const Grid& grid, const blas::Routines& routines)
      : world_(world), grid_(grid), routines_(routines) {
    make(update_, world, grid);
  }

  /// The best rates of a width so far, after one more try of each.
  suites::PanelRate one(int round, std::int64_t block) {
    const auto depth = columns_at_once(grid_, block);
    auto& all = at_once_[depth];
    if (all.tries <= round) {
      all.update_flop_s = std::max(all.update_flop_s, update_->flop_s(world_, routines_, depth));
      all.solve_flop_s = std::max(all.solve_flop_s, update_->solve_flop_s(world_, routines_, depth));
      ++all.tries;
    }
    auto& panel = panels_[block];
    panel = std::max(panel, panel_flop_s(world_, routines_, block));
    return {block, all.update_flop_s, panel, all.solve_flop_s};
  }

 private:
  const mpi::Communicator& world_;
  Grid grid_;
  const blas::Routines& routines_;
  std::optional<UpdateTrial> update_;
  std::map<std::int64_t, AtOnce> at_once_;
  std::map<std::int64_t, double> panels_;
};

std::vector<suites::PanelRate> tried_rates(const mpi::Communicator& world, const Grid& grid,
                                           const blas::Routines& routines,
                                           const std::function<bool()>& go_on) {
  std::vector<suites::PanelRate> rates;
  Trial trial(world, grid, routines);
  for (const auto block : candidates) {
    if (!rates.empty() && !go_on()) break;
    rates.push_back(trial.one(0, block));
  }
  // Others' work disturbs some trials in a row: every width is tried again later.
  for (int round = 1; round < rounds; ++round)
    for (auto& rate : rates) {
      if (!go_on()) break;
      rate = trial.one(round, rate.block);
    }
  std::ranges::sort(rates, {}, &suites::PanelRate::block);
  return rates;
}

}  // namespace

std::int64_t panel_trial_byte() {
  constexpr auto value_byte = static_cast<std::int64_t>(sizeof(double));
  return (trailing_rows * leading_u + (leading_l + leading_u) * widest + 3 * panel_rows * widest) *
         value_byte;
}

std::vector<suites::PanelRate> panel_rates(const mpi::Communicator& world, const Grid& grid,
                                           const blas::Routines& routines,
                                           const std::function<bool()>& go_on) {
  if (!world.all(routines.available())) return {};
  try {
    return tried_rates(world, grid, routines, go_on);
  } catch (const measure::SharedFailure&) {  // on all processes: there is not enough memory
    return {};
  }
}

}  // namespace steelyard::hpcc
