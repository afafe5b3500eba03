// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "measure/workload.hpp"
#include "mpi/communicator.hpp"
#include "suites/hpcc/foundation/named_buffer.hpp"
#include "suites/hpcc/hpl/async_transfer.hpp"
#include "suites/hpcc/hpl/blas.hpp"
#include "suites/hpcc/hpl/panel_factorization.hpp"
#include "suites/hpcc/hpl/shape.hpp"
#include "suites/hpcc/hpl/shared_rows.hpp"
#include "suites/hpcc/hpl/update.hpp"

namespace steelyard::hpcc::hpl {

/// Norms of the problem, the solution and of r = A x - b. Infinite where an element is not a number.
struct Norms {
  double r_inf = 0, a_1 = 0, a_inf = 0, x_1 = 0, x_inf = 0, b_inf = 0;
};

/// Norms by [A|b] generated anew, column by column. `x`: entries of the own columns. The same on all
/// processes. Collective over the grid. Throws mpi::Error.
[[nodiscard]] Norms norms(const mpi::Communicator& row, const mpi::Communicator& column, const Shape& shape,
                          std::span<const double> x);

/// Scaled residual r_inf / (eps (a_inf x_inf + b_inf) n) with half the distance from 1 to the next number as
/// eps; 0 for n = 0. Not a number if x is infinite.
[[nodiscard]] double scaled_residual(const Norms& norms, std::int64_t n);

/// Solves U x = y, y being the last column of the factored matrix. `row`, `column`: the processes of the own
/// process row and column. Returns the entries of x that belong to the own columns, in every process row.
/// Collective over the grid. Throws mpi::Error.
[[nodiscard]] std::vector<double> back_substitute(const mpi::Communicator& row,
                                                  const mpi::Communicator& column, const Shape& shape,
                                                  RowMatrix matrix, const blas::Routines& routines);

/// HPL: solves A x = b by LU factorisation with row partial pivoting of the matrix in blocks over a grid of
/// processes. All processes of the grid do all of this together.
class Solver {
 public:
  /// Called with every panel before it is factored, on the processes of its column; a test may spoil the
  /// panel's columns of the matrix. `a`: local row 0 of these.
  using PanelHook = std::function<void(const PanelShape& panel, RowMatrix a)>;

  /// `grid`: as many processes as the variant's grid. Generates the matrix. Throws std::bad_alloc,
  /// mpi::Error, std::invalid_argument, std::runtime_error where the routines are not available.
  Solver(const mpi::Communicator& grid, const Variant& variant,
         blas::Routines routines = blas::Routines::linked());
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  /// Solves, once: the matrix is overwritten. Returns MPI_SUCCESS or the first error.
  int run() noexcept;

  /// Entries of x that belong to the own columns.
  [[nodiscard]] std::span<const double> solution() const { return x_; }
  /// Checks the solution. `worst`: the scaled residual; one error on the first process if it is not below
  /// the threshold. Collective.
  [[nodiscard]] measure::CheckResult verify(double threshold);
  /// Norms that verify() found.
  [[nodiscard]] const Norms& norms() const { return norms_; }

  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] RowMatrix matrix() const { return matrix_; }
  [[nodiscard]] NamedBuffer memory() const;
  /// Way of pivots and rows to other process rows.
  [[nodiscard]] Way way() const { return shared_.available() ? Way::shared_memory : Way::messages; }
  /// Whether processes take over rows of each other's products.
  [[nodiscard]] bool helps() const { return shared_rows_.available(); }
  [[nodiscard]] const mpi::Communicator& row() const { return row_; }
  [[nodiscard]] const mpi::Communicator& column() const { return column_; }
  void set_panel_hook(PanelHook hook) { panel_hook_ = std::move(hook); }
  /// Call on the first process before each panel, or group of panels that is applied at once, with the number
  /// of columns that are done; true stops all processes one such step later.
  using Watch = std::function<bool(std::int64_t columns)>;
  /// Sets the watch, on all processes or on none, before run().
  void watch_with(Watch watch) { watch_ = std::move(watch); }
  /// The first column in which every candidate for the pivot was zero: the matrix has no
  /// inverse. nullopt if there is none.
  [[nodiscard]] std::optional<std::int64_t> singular_column() const { return singular_column_; }
  /// Whether run() was stopped: there is no solution.
  [[nodiscard]] bool stopped() const { return stopped_; }
  /// Records in the timeline what run() does when; called before run(). The timeline must outlive this.
  void record_in(Timeline* timeline) {
    timeline_ = timeline;
    update_.record_in(timeline);
    factorization_.record_in(timeline);
  }

 private:
  /// A panel and its transfer.
  struct Slot {
    Factors factors;
    AsyncTransfer transfer;
    bool under_way = false, derived = false;
    double start_s = 0;  // of its way, where there is a timeline
  };

  [[nodiscard]] SharedRows shared_rows() const;
  void generate();
  void factor_all();
  void update_with(std::int64_t group);
  [[nodiscard]] bool told_to_stop(std::int64_t k);
  void plan(std::int64_t group);
  [[nodiscard]] bool can_prepare(std::int64_t k);
  void prepare_what_can_be();
  [[nodiscard]] Found look();
  void complete(std::int64_t group);
  void join(std::int64_t group);
  [[nodiscard]] Factors& of_group(std::int64_t group);
  [[nodiscard]] Factors& derived(std::int64_t k);
  void prepare(std::int64_t k);
  void bring_up_to(std::int64_t to, Factors& factors);
  void eliminate(std::int64_t k);
  void start_transfer(Slot& slot);
  void await(std::int64_t k);
  void note_missing_pivot(const Panel& panel);
  void arrived(Slot& slot);
  bool advance(Slot& slot);
  bool advance_transfers();
  [[nodiscard]] Slot& slot(std::int64_t k) { return *slots_[static_cast<std::size_t>(k) % slots_.size()]; }

  blas::Routines routines_;
  mpi::Communicator grid_;
  Variant variant_;
  Shape shape_;
  mpi::Communicator row_, column_;
  ColumnMemory shared_;
  SharedRows shared_rows_;
  machine::HugeArray<double> memory_;  // of the matrix where others do not see it
  RowMatrix matrix_;
  std::int64_t together_ = 1;        // panels of a group, named by the first of them
  std::int64_t ahead_ = 0;           // panels between the group that is applied and the one that is made
  std::int64_t next_ = 0, end_ = 0;  // panels of the latter that are still to be prepared
  std::vector<std::unique_ptr<Slot>> slots_;
  Factors joined_;  // of the group that is applied, where it has several panels
  PanelFactorization factorization_;
  Update update_;
  std::vector<double> x_;
  Norms norms_;
  PanelHook panel_hook_;
  Timeline* timeline_ = nullptr;
  Watch watch_;
  std::optional<std::int64_t> singular_column_;
  int stop_flag_ = 0;
  MPI_Request stop_request_ = MPI_REQUEST_NULL;
  bool stopped_ = false;
};

}  // namespace steelyard::hpcc::hpl
