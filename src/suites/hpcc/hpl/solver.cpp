// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/hpl/solver.hpp"

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "machine/environment.hpp"
#include "measure/probe.hpp"
#include "mpi/error.hpp"
#include "mpi/handle.hpp"
#include "suites/hpcc/form.hpp"
#include "suites/hpcc/foundation/transpose.hpp"

namespace steelyard::hpcc::hpl {
namespace {

double magnitude(double value) {
  return std::isnan(value) ? std::numeric_limits<double>::infinity() : std::abs(value);
}

double largest(std::span<const double> values) {
  double most = 0;
  for (const double value : values) most = std::max(most, magnitude(value));
  return most;
}

double sum_of_magnitudes(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += magnitude(value);
  return sum;
}

/// Adds up vectors, element by element, over the processes of a row or column.
void add_up(const mpi::Communicator& comm, std::vector<double>& values) {
  mpi::check(MPI_Allreduce(MPI_IN_PLACE, values.data(), mpi::to_int(static_cast<std::int64_t>(values.size())),
                           MPI_DOUBLE, MPI_SUM, comm.get()),
             "MPI_Allreduce");
}

struct Sums {
  std::vector<double> ax, rows, columns;  // A x; sums of magnitudes of rows and of columns
};

Sums own_sums(const Shape& shape, std::span<const double> x) {
  const auto rows = static_cast<std::size_t>(shape.local_rows());
  Sums sums{std::vector<double>(rows), std::vector<double>(rows), {}};
  std::vector<double> values(rows);
  for (std::size_t j = 0; j < x.size(); ++j) {
    generate_column(shape, shape.columns().global(shape.at.column, static_cast<std::int64_t>(j)),
                    values.data());
    for (std::size_t i = 0; i < rows; ++i) {
      sums.ax[i] += values[i] * x[j];
      sums.rows[i] += std::abs(values[i]);
    }
    sums.columns.push_back(sum_of_magnitudes(values));
  }
  return sums;
}

}  // namespace

Norms norms(const mpi::Communicator& row, const mpi::Communicator& column, const Shape& shape,
            std::span<const double> x) {
  auto sums = own_sums(shape, x);
  add_up(row, sums.ax);
  add_up(row, sums.rows);
  add_up(column, sums.columns);
  std::vector<double> b(sums.ax.size());
  generate_column(shape, shape.n, b.data());
  Norms found;
  found.b_inf = column.max(largest(b));
  for (std::size_t i = 0; i < b.size(); ++i) b[i] -= sums.ax[i];
  found.r_inf = column.max(largest(b));
  found.a_inf = column.max(largest(sums.rows));
  found.a_1 = row.max(largest(sums.columns));
  found.x_inf = row.max(largest(x));
  found.x_1 = row.sum(sum_of_magnitudes(x));
  return found;
}

double scaled_residual(const Norms& norms, std::int64_t n) {
  if (n == 0) return 0;
  return norms.r_inf / (half_epsilon * (norms.a_inf * norms.x_inf + norms.b_inf) * static_cast<double>(n));
}

using blas::in;

namespace {

constexpr int solution_tag = 54;

void send(const double* data, std::int64_t count, int to, const mpi::Communicator& comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  mpi::check(MPI_Isend(data, mpi::to_int(count), MPI_DOUBLE, to, solution_tag, comm.get(), &request),
             "MPI_Isend");
  wait_for({&request, 1});
}

void receive(double* data, std::int64_t count, int from, const mpi::Communicator& comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  mpi::check(MPI_Irecv(data, mpi::to_int(count), MPI_DOUBLE, from, solution_tag, comm.get(), &request),
             "MPI_Irecv");
  wait_for({&request, 1});
}

/// Back substitution. The right-hand side minus what the columns solved so far contribute to it is the
/// sum of `rest` over the process row. The rows of a block are added up on their way from column to
/// column: they leave a process column when it has solved the last of its blocks that contributes, and
/// meet the next one just before it solves its own. So each step waits for (Q - 1) NB rows only; the
/// others are updated afterwards.
class Substitution {
 public:
  Substitution(const mpi::Communicator& row, const mpi::Communicator& column, const Shape& shape,
               RowMatrix matrix, const blas::Routines& routines)
      : row_(row),
        column_(column),
        blas_(routines),
        shape_(shape),
        matrix_(matrix),
        rest_(static_cast<std::size_t>(shape.local_rows())),
        arriving_(rest_.size()),
        x_(static_cast<std::size_t>(shape.columns_before(shape.n))) {}

  std::vector<double> run() {
    const auto last = panels(shape_) - 1;
    if (last < 0) return x_;
    bring_y(panel_shape(shape_, last).owner.column);
    for (auto k = last; k >= 0; --k)
      if (panel_shape(shape_, k).owner.column == shape_.at.column) step(k, k == last);
    return x_;
  }

 private:
  /// Brings y from the process column where it lives to the one that begins.
  void bring_y(int to) {
    const int from = shape_.columns().owner(shape_.n);
    const auto count = static_cast<std::int64_t>(rest_.size());
    if (shape_.at.column == from)
      for (std::int64_t i = 0; i < count; ++i)
        rest_[static_cast<std::size_t>(i)] = matrix_(i, shape_.local_columns() - 1);
    if (from == to) return;
    if (shape_.at.column == from) {
      send(rest_.data(), count, to, row_);
      std::ranges::fill(rest_, 0.0);
    }
    if (shape_.at.column == to) receive(rest_.data(), count, from, row_);
  }

  void step(std::int64_t k, bool first) {
    const auto at = panel_shape(shape_, k);
    if (!first) take_in(k, at);
    solve(at);
    const auto soon = rows_from(k - (shape_.grid.columns - 1));
    subtract(at, soon, at.top);
    if (k > 0 && shape_.grid.columns > 1) send(rest_.data() + soon, at.top - soon, neighbour(-1), row_);
    subtract(at, 0, soon);
  }

  [[nodiscard]] std::int64_t rows_from(std::int64_t k) const {
    return shape_.rows_before(std::max<std::int64_t>(k, 0) * shape_.nb);
  }
  [[nodiscard]] int neighbour(int step) const {
    return (shape_.at.column + step + shape_.grid.columns) % shape_.grid.columns;
  }

  /// Takes in rows of the blocks k, k - 1 .. that the column before has sent.
  void take_in(std::int64_t k, const PanelShape& at) {
    if (shape_.grid.columns == 1) return;
    const auto from = rows_from(k + 1 - (shape_.grid.columns - 1)), count = at.below - from;
    receive(arriving_.data(), count, neighbour(1), row_);
    blas_.axpy(count, 1, {arriving_.data()}, {rest_.data() + from});
  }

  /// Solves on the owner of the diagonal block; the solution goes up the process column.
  void solve(const PanelShape& at) {
    const int size = column_.size(), distance = (at.owner.row - shape_.at.row + size) % size;
    double* const x = x_.data() + at.column;
    if (distance == 0) {
      std::copy_n(rest_.data() + at.top, at.width, x);
      blas_.trsv(blas::Triangle::lower, blas::Op::transposed, blas::Diagonal::general, at.width,
                 in(matrix_.at(at.top, at.column).transposed()), {x});
    } else {
      receive(x, at.width, (shape_.at.row + 1) % size, column_);
    }
    if (distance + 1 < size) send(x, at.width, (shape_.at.row - 1 + size) % size, column_);
  }

  void subtract(const PanelShape& at, std::int64_t from, std::int64_t to) {
    blas_.gemv(blas::Op::transposed, at.width, to - from, -1, in(matrix_.at(from, at.column).transposed()),
               {x_.data() + at.column}, 1, {rest_.data() + from});
  }

  const mpi::Communicator& row_;
  const mpi::Communicator& column_;
  const blas::Routines& blas_;
  Shape shape_;
  RowMatrix matrix_;
  std::vector<double> rest_, arriving_, x_;
};

constexpr std::int64_t tags = 1024;  // for panels under way at the same time
constexpr int first_tag = 1000;

const Variant& checked(const Variant& variant, const mpi::Communicator& grid,
                       const blas::Routines& routines) {
  if (!routines.available()) throw std::runtime_error("no BLAS, or one that lacks routines");
  const bool possible = variant.n >= 0 && variant.nb >= 1 && variant.stop >= 1 && variant.parts >= 2 &&
                        variant.depth >= 0 && variant.alignment >= 1 && variant.slice_rows >= 1 &&
                        variant.strip >= 1 && variant.n < std::numeric_limits<int>::max();
  if (!possible) throw std::invalid_argument("options that the linear solver cannot take");
  if (variant.grid.processes() != grid.size())
    throw std::invalid_argument("a grid of another number of processes");
  return variant;
}

/// Whether the processes of this node may use a processor each. Where they take turns, one would wait for another in the
/// midst of rows that it took over. Collective.
bool have_processors(const mpi::Communicator& grid) {
  const auto node = grid.split_shared();
  const auto processes = static_cast<double>(node.size());
  return node.all(processes <= machine::processor_quota().value_or(processes)) &&
         measure::have_own_processors(node);
}

/// First element at a multiple of `alignment` doubles.
double* aligned(double* data, std::int64_t alignment) {
  const auto unit = static_cast<std::uintptr_t>(alignment) * sizeof(double);
  const auto address = reinterpret_cast<std::uintptr_t>(data);
  return data + static_cast<std::ptrdiff_t>(((address + unit - 1) / unit * unit - address) / sizeof(double));
}

}  // namespace

std::vector<double> back_substitute(const mpi::Communicator& row, const mpi::Communicator& column,
                                    const Shape& shape, RowMatrix matrix, const blas::Routines& routines) {
  return Substitution(row, column, shape, matrix, routines).run();
}

Solver::Solver(const mpi::Communicator& grid, const Variant& variant, blas::Routines routines)
    : routines_(std::move(routines)),
      grid_(grid.duplicate()),
      variant_(checked(variant, grid, routines_)),
      shape_(shape_of(variant, grid.rank())),
      row_(grid_.split(shape_.at.row, shape_.at.column)),
      column_(grid_.split(shape_.at.column, shape_.at.row)),
      shared_(variant.share && variant.swap != Swap::automatic ? ColumnMemory(column_, shape_)
                                                               : ColumnMemory()),
      shared_rows_(shared_rows()),
      memory_(
          shared_rows_.available()
              ? machine::HugeArray<double>()
              : machine::HugeArray<double>(shape_.leading() * std::max<std::int64_t>(shape_.local_rows(), 1) +
                                           shape_.alignment)),
      matrix_{shared_rows_.available() ? shared_rows_.matrix() : aligned(memory_.data(), shape_.alignment),
              shape_.leading()},
      factorization_(column_, shared_, shape_, variant, routines_),
      update_(column_, shared_, shared_rows_, shape_, variant, routines_) {
  together_ = panels_at_once(variant);
  // With one process column nothing travels.
  ahead_ = shape_.grid.columns == 1 ? 0 : variant.depth * together_;
  for (std::int64_t i = 0; i < panel_slots(variant); ++i) {
    slots_.push_back(std::make_unique<Slot>());
    auto& panel = slot(i).factors.panel;
    if (i % together_ != 0)
      panel = Panel::behind(slots_[slots_.size() - 2]->factors.panel);
    else if (shared_rows_.available())
      panel = Panel(shared_rows_.panel(i));
    else
      panel = Panel(shape_, static_cast<int>(together_));
  }
  if (together_ > 1) joined_.panel = Panel::of_all(widened(shape_, together_));
  generate();
}

/// Memory for matrix and panels where others help: those of the process column, else of the process row. All processes call
/// this, for all of them look at processors, and answers may differ from node to node.
SharedRows Solver::shared_rows() const {
  if (!variant_.share || !variant_.help) return {};
  const bool alone = shape_.grid.rows == 1,
             may_help = have_processors(grid_) && (alone || shared_.available());
  const auto& members = alone ? row_ : column_;
  if (!members.all(may_help)) return {};
  return {members, shape_, panel_slots(variant_), shared_.common()};
}

NamedBuffer Solver::memory() const {
  constexpr const char* name = "matrix";
  if (!shared_rows_.available()) return {name, memory_.memory()};
  return {name, shared_rows_.memory().size(), shared_rows_.memory().in_huge_pages()};
}

void Solver::generate() {
  constexpr std::int64_t some = 8;  // columns, a cache line of every row
  const auto rows = shape_.local_rows(), columns = shape_.local_columns();
  std::vector<double> values(static_cast<std::size_t>(some * rows));
  const blas::Out strip{values.data(), rows};
  for (std::int64_t first = 0; first < columns; first += some) {
    const auto count = std::min(some, columns - first);
    for (std::int64_t j = 0; j < count; ++j)
      generate_column(shape_, shape_.columns().global(shape_.at.column, first + j), strip.at(0, j).data);
    const auto to = matrix_.at(0, first).transposed();
    copy_transposed({count, rows}, to.data, to.leading, strip.data, rows);
  }
}

int Solver::run() noexcept {
  try {
    if (timeline_ != nullptr) timeline_->begin();
    factor_all();
    if (stopped_) return MPI_SUCCESS;
    const ScopedPhase scope(timeline_, Phase::substitute, panels(shape_));
    x_ = back_substitute(row_, column_, shape_, matrix_, routines_);
    return MPI_SUCCESS;
  } catch (const mpi::Error&) {
    return MPI_ERR_OTHER;
  } catch (const std::exception&) {
    return MPI_ERR_INTERN;
  }
}

/// Factors some groups of panels in advance; then a group further ahead is made and sent while the columns
/// right of it are brought up to date with the group that is due.
void Solver::factor_all() {
  const auto count = panels(shape_);
  for (std::int64_t group = 0; group < std::min(ahead_, count); group += together_) {
    plan(group);
    complete(group);
  }
  for (std::int64_t group = 0; group < count && !stopped_; group += together_) update_with(group);
  for (const auto& one : slots_) {
    one->transfer.finish();
    arrived(*one);
  }
  wait_for({&stop_request_, 1});
}

void Solver::update_with(std::int64_t group) {
  if (timeline_ != nullptr) timeline_->enter(group, group + together_ - 1);
  stopped_ = told_to_stop(group);
  if (stopped_) return;
  plan(group + ahead_);
  if (ahead_ == 0) complete(group);
  auto& factors = of_group(group);
  do {
    prepare_what_can_be();
    // Panels that wait for others find their columns ready whichever product the update is left at.
    if (next_ < end_) bring_up_to(panel_shape(shape_, end_ - 1).right, factors);
    update_.run(factors, matrix_, shape_.local_columns(), [this] { return look(); });
  } while (factors.panel.next < shape_.local_columns());
  if (ahead_ > 0) complete(group + ahead_);
}

/// Makes the panels of a group those to be prepared from now on.
void Solver::plan(std::int64_t group) {
  next_ = std::min(group, panels(shape_));
  end_ = std::min(group + together_, panels(shape_));
}

/// Whether panel k can be prepared: its maker needs those before it in its group.
bool Solver::can_prepare(std::int64_t k) {
  if (shape_.columns().owner(k * shape_.nb) != shape_.at.column) return true;
  for (auto before = k - k % together_; before < k; ++before)
    if (slot(before).under_way) return false;
  return true;
}

void Solver::prepare_what_can_be() {
  while (next_ < end_ && can_prepare(next_)) prepare(next_++);
}

Found Solver::look() {
  const bool all = advance_transfers();
  if (next_ < end_ && can_prepare(next_)) return Found::work;
  return all ? Found::nothing : Found::under_way;
}

/// Waits until all panels of the group that is being made are here and passed on.
void Solver::complete(std::int64_t group) {
  for (auto k = group; k < end_; ++k) {
    if (k == next_) prepare(next_++);
    await(k);
  }
  if (end_ - group > 1) join(group);
}

/// Joins a group to one panel. The rows under a panel's block get the interchanges
/// of the panels after it, too.
void Solver::join(std::int64_t group) {
  std::vector<const Panel*> members;
  std::vector<double> scratch(static_cast<std::size_t>(shape_.nb));
  for (auto k = group; k < end_; ++k) {
    const auto& later = slot(k).factors;
    const auto& at = later.panel.shape();
    for (const Panel* one : members)
      interchange(later.interchanges, at.top, at.width, one->shape().width,
                  one->rows().at(-one->shape().below, 0), scratch.data());
    members.push_back(&later.panel);
  }
  joined_.panel.become_all(members);
  joined_.derive(shape_, routines_);
}

Factors& Solver::of_group(std::int64_t group) {
  const bool several = together_ > 1 && group + 1 < panels(shape_);
  return several ? joined_ : slot(group).factors;
}

Factors& Solver::derived(std::int64_t k) {
  Slot& one = slot(k);
  if (!one.derived) one.factors.derive(shape_, routines_);
  one.derived = true;
  return one.factors;
}

/// Whether the first process decided one step ago to stop: nobody waits for its decision.
bool Solver::told_to_stop(std::int64_t k) {
  if (!watch_) return false;
  wait_for({&stop_request_, 1});
  if (stop_flag_ != 0) return true;
  if (grid_.is_root()) stop_flag_ = watch_(k * shape_.nb) ? 1 : 0;
  mpi::check(MPI_Ibcast(&stop_flag_, 1, MPI_INT, 0, grid_.get(), &stop_request_), "MPI_Ibcast");
  return false;
}

/// Makes panel k in its process column, and sends it off.
void Solver::prepare(std::int64_t k) {
  Slot& mine = slot(k);
  mine.transfer.finish();
  arrived(mine);
  mine.derived = false;
  const auto at = panel_shape(shape_, k);
  mine.factors.panel.become(shape_, k, variant_.l1);
  if (at.owner.column == shape_.at.column) eliminate(k);
  start_transfer(mine);
}

/// Updates the columns before `to`, whatever is found meanwhile.
void Solver::bring_up_to(std::int64_t to, Factors& factors) {
  update_.run(factors, matrix_, to,
              [this] { return advance_transfers() ? Found::nothing : Found::under_way; });
}

/// Factors panel k, after its columns got the updates that are still to come.
void Solver::eliminate(std::int64_t k) {
  auto& panel = slot(k).factors.panel;
  const auto& at = panel.shape();
  const auto own = k - k % together_;
  for (auto group = std::max<std::int64_t>(own - ahead_, 0); group < own; group += together_)
    bring_up_to(at.right, of_group(group));
  for (auto before = own; before < k; ++before) bring_up_to(at.right, derived(before));
  const auto a = matrix_.at(0, at.column);
  if (panel_hook_) panel_hook_(at, a);
  const ScopedPhase scope(timeline_, Phase::eliminate, k);
  factorization_.factor(panel, a);
}

void Solver::start_transfer(Slot& slot) {
  const auto& at = slot.factors.panel.shape();
  const int size = shape_.grid.columns, distance = (shape_.at.column - at.owner.column + size) % size;
  const int length = mpi::to_int(slot.factors.panel.length());
  slot.under_way = size > 1;
  if (timeline_ != nullptr) slot.start_s = timeline_->now_s();
  if (variant_.broadcast == Broadcast::automatic) {
    if (size == 1) return;
    MPI_Request request = MPI_REQUEST_NULL;
    mpi::check(
        MPI_Ibcast(slot.factors.panel.message(), length, MPI_DOUBLE, at.owner.column, row_.get(), &request),
        "MPI_Ibcast");
    return slot.transfer.follow(request);
  }
  slot.transfer.start(
      broadcast_steps(variant_.broadcast, size, distance, slot.factors.panel.length()),
      {row_.get(), ranks_from(at.owner.column, size),
       first_tag + static_cast<int>(slot.factors.panel.index() % tags), slot.factors.panel.message()});
}

/// Waits until panel k is here and passed on. A sender stays until the others have it: where
/// messages move only while both sides look at them, going on with the next update would leave the
/// others waiting for all of it.
void Solver::await(std::int64_t k) {
  std::optional<ScopedPhase> scope;
  scope.emplace(timeline_, Phase::wait, k);
  Slot& mine = slot(k);
  mine.transfer.finish([&] {
    if (!update_.can_help()) return;
    scope.reset();
    {
      const ScopedPhase helping(timeline_, Phase::update, k);
      static_cast<void>(update_.help());
    }
    scope.emplace(timeline_, Phase::wait, k);
  });
  arrived(mine);
  note_missing_pivot(mine.factors.panel);
  static_cast<void>(derived(k));
}

void Solver::note_missing_pivot(const Panel& panel) {
  const auto column = static_cast<std::int64_t>(panel.missing_pivot());
  if (column > 0 && !singular_column_) singular_column_ = panel.shape().first + column - 1;
}

/// Ends the way of a panel, once.
void Solver::arrived(Slot& slot) {
  if (!slot.under_way) return;
  slot.under_way = false;
  if (timeline_ != nullptr)
    timeline_->add({Phase::travel, slot.factors.panel.index(), slot.start_s, timeline_->now_s()});
}

bool Solver::advance(Slot& slot) {
  if (!slot.under_way) return true;
  if (timeline_ != nullptr) ++timeline_->looks.all;
  if (!slot.transfer.advance()) return false;
  arrived(slot);
  return true;
}

bool Solver::advance_transfers() {
  bool all = true;
  for (const auto& one : slots_) all = advance(*one) && all;
  return all;
}

measure::CheckResult Solver::verify(double threshold) {
  measure::CheckResult result;
  norms_ = hpl::norms(row_, column_, shape_, x_);
  result.worst = scaled_residual(norms_, shape_.n);
  if (result.worst < threshold) return result;  // not the other way round: NaN fails
  if (std::isnan(result.worst)) result.worst = std::numeric_limits<double>::infinity();
  result.errors = grid_.is_root() ? 1 : 0;
  result.first = "scaled residual " + std::to_string(result.worst);
  if (singular_column_)
    result.first = "the matrix is singular, column " + std::to_string(*singular_column_) + " has no pivot; " +
                   result.first;
  return result;
}

}  // namespace steelyard::hpcc::hpl
