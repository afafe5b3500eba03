// SPDX-License-Identifier: Apache-2.0
// Messages of the linear solver that arrive with another number than was sent: the check of the solution must
// notice each one that changes the solution. MPI calls of this program go through a layer that spoils them.
#include <mpi.h>

#include <list>
#include <optional>
#include <span>

#include "solved.hpp"

namespace {

/// Kinds of messages by their tags, and the collectives that take the place of some.
enum class Kind { pivot, interchange, rows_of_u, solution, panel, panel_collective, rows_collective };

std::optional<Kind> kind_of(int tag) {
  constexpr int first_panel_tag = 1000;
  if (tag >= first_panel_tag) return Kind::panel;
  switch (tag) {
    case 51: return Kind::pivot;
    case 52: return Kind::interchange;
    case 53: return Kind::rows_of_u;
    case 54: return Kind::solution;
    default: return std::nullopt;
  }
}

/// While it lives, one message of a kind that this process sends has other numbers, all but the first and those
/// that are whole: which row is the pivot remains.
class SpoiltMessage {
 public:
  static inline SpoiltMessage* planted = nullptr;

  SpoiltMessage(Kind kind, int skip) : kind_(kind), left_(skip) { planted = this; }
  SpoiltMessage(const SpoiltMessage&) = delete;
  SpoiltMessage& operator=(const SpoiltMessage&) = delete;
  ~SpoiltMessage() { planted = nullptr; }

  [[nodiscard]] bool spoilt() const { return spoilt_; }
  [[nodiscard]] bool hits(std::optional<Kind> kind, std::int64_t count) {
    if (kind != kind_ || count == 0 || spoilt_ || left_-- > 0) return false;
    return spoilt_ = true;
  }
  /// What travels in place of `data`, whose sender keeps its own numbers.
  const void* copy_of(const void* data, std::int64_t count) {
    const auto* numbers = static_cast<const double*>(data);
    auto& copy = copies_.emplace_back(numbers, numbers + count);
    change(copy);
    return copy.data();
  }
  static void change(std::span<double> numbers) {
    for (double& number : numbers.subspan(1))
      if (number != std::trunc(number)) number *= 1.25;
  }

 private:
  Kind kind_;
  int left_;
  bool spoilt_ = false;
  std::list<std::vector<double>> copies_;
};

bool is_hit(std::optional<Kind> kind, std::int64_t count, MPI_Datatype type) {
  return SpoiltMessage::planted != nullptr && type == MPI_DOUBLE && SpoiltMessage::planted->hits(kind, count);
}

}  // namespace

extern "C" {

int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
  if (is_hit(kind_of(tag), count, type)) data = SpoiltMessage::planted->copy_of(data, count);
  return PMPI_Isend(data, count, type, to, tag, comm, request);
}

int MPI_Ibcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request) {
  int rank = 0, processes = 0;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &processes);
  if (rank == root && processes > 1 && is_hit(Kind::panel_collective, count, type))
    data = const_cast<void*>(SpoiltMessage::planted->copy_of(data, count));
  return PMPI_Ibcast(data, count, type, root, comm, request);
}

// In place: what a process gives, it has itself as well.
int MPI_Iallgatherv(const void* data, int count, MPI_Datatype type, void* all, const int* counts,
                    const int* places, MPI_Datatype of_all, MPI_Comm comm, MPI_Request* request) {
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  if (is_hit(Kind::rows_collective, counts[rank], of_all))
    SpoiltMessage::change({static_cast<double*>(all) + places[rank], static_cast<std::size_t>(counts[rank])});
  return PMPI_Iallgatherv(data, count, type, all, counts, places, of_all, comm, request);
}

}  // extern "C"

namespace steelyard::hpcc::hpl {
namespace {

/// What came of runs of which one message each was spoilt, on the last process.
struct Tally {
  int spoilt = 0, noticed = 0;
};

/// Differs from the solution by more than rounding, on any process.
bool is_wrong(const Solver& solver, const std::vector<double>& expected) {
  const auto x = solver.solution();
  bool wrong = false;
  for (std::size_t j = 0; j < x.size(); ++j) {
    const auto global =
        solver.shape().columns().global(solver.shape().at.column, static_cast<std::int64_t>(j));
    const double truth = expected[static_cast<std::size_t>(global)];
    wrong |= !(std::abs(x[j] - truth) <= 1e-9 * (1 + std::abs(truth)));
  }
  return world().any(wrong);
}

void try_one(const Variant& variant, const std::vector<double>& expected, Kind kind, int skip, Tally& tally) {
  Solver solver(world(), variant);
  bool spoilt = false;
  {
    std::optional<SpoiltMessage> fault;
    if (world().rank() == world().size() - 1) fault.emplace(kind, skip);
    ASSERT_EQ(solver.run(), MPI_SUCCESS);
    spoilt = world().any(fault && fault->spoilt());
  }
  const auto found = solver.verify(default_threshold);
  const bool wrong = is_wrong(solver, expected), noticed = world().any(found.errors > 0);
  EXPECT_EQ(noticed, wrong) << words(variant) << " message " << skip << ": " << found.first;
  tally.spoilt += spoilt ? 1 : 0;
  tally.noticed += noticed ? 1 : 0;
}

/// Spoils some of the messages of a kind, one in each run, in all grids that have them.
void expect_noticed(Kind kind, Broadcast broadcast, Swap swap) {
  const auto expected = plain_solution(several_panels);
  Tally tally;
  for (const auto& grid : grids()) {
    auto variant = small(grid, several_panels);
    variant.broadcast = broadcast;
    variant.swap = swap;
    variant.share = false;
    for (const int skip : {0, 1, 2, 3, 5, 8, 13, 21}) try_one(variant, expected, kind, skip, tally);
  }
  EXPECT_GT(tally.spoilt, 0) << "there is no such message";
  EXPECT_GT(tally.noticed, 0) << "no spoilt message was used";
}

}  // namespace

TEST_F(HplSolver, a_spoilt_pivot_row_is_noticed) {
  expect_noticed(Kind::pivot, Broadcast::ring, Swap::binary_exchange);
}

TEST_F(HplSolver, a_spoilt_panel_is_noticed) {
  for (int broadcast = 0; broadcast < 6; ++broadcast)
    expect_noticed(Kind::panel, static_cast<Broadcast>(broadcast), Swap::binary_exchange);
  expect_noticed(Kind::panel_collective, Broadcast::automatic, Swap::binary_exchange);
}

TEST_F(HplSolver, a_spoilt_interchange_of_rows_is_noticed) {
  expect_noticed(Kind::interchange, Broadcast::ring, Swap::binary_exchange);
  expect_noticed(Kind::rows_of_u, Broadcast::ring, Swap::spread_roll);
  expect_noticed(Kind::rows_collective, Broadcast::ring, Swap::automatic);
}

TEST_F(HplSolver, a_spoilt_part_of_the_solution_is_noticed) {
  expect_noticed(Kind::solution, Broadcast::ring, Swap::binary_exchange);
}

}  // namespace steelyard::hpcc::hpl
